"""Small talk that the classifier reads as a question."""

from __future__ import annotations

import pytest
from talk import Talk, names
from turns import Respond

from covan.domain import read_domain
from vietnamese.small_talk import SmallTalk


@pytest.mark.parametrize(
    ("text", "response"),
    [
        ("bạn là ai vậy", "utter_who_are_you"),
        ("bot hả", "utter_who_are_you"),
        ("who made you?", "utter_who_are_you"),
        ("cảm ơn ad nhiều ạ", "utter_thank"),
        ("bot ngu quá", "utter_abuse"),
        ("trả lời linh tinh quá", "utter_complain"),
        ("hic", "utter_laughter"),
        ("uầy căng 😭", "utter_reaction"),
        ("ghê vậy trời", "utter_reaction"),
        ("uay cang vay", "utter_reaction"),
        ("toang rồi 😩", "utter_reaction"),
        ("oh no 😭", "utter_reaction"),
        ("oke ạ", "utter_affirm"),
        ("😀😀😀", "utter_ask_for_question"),
    ],
)
def test_it_gets_its_own_reply_and_not_that_nothing_was_found(
    respond: Respond, text: str, response: str
) -> None:
    said = respond("action_answer", text, intent="ask_services")

    assert said == {"events": [], "responses": [{"response": response}]}


def test_every_kind_has_a_reply_in_the_domain() -> None:
    domain = read_domain()

    assert {f"utter_{kind.value}" for kind in SmallTalk} <= set(domain["responses"])


TRANSCRIPT = "Xin bảng điểm ở đâu?"


@pytest.mark.parametrize(
    ("text", "intent", "confidence"),
    [
        ("bảng điểm?", "greet", 0.9),
        ("bang diem o dau z", "thank", 0.9),
        ("xin bảng điểm cần nhiều giấy quá", "complain", 0.4),
        ("bảng điểm xin chỗ khác được hong", "deny", 0.3),
        ("còn bảng điểm đẹp?", "praise", 0.9),
    ],
)
def test_within_a_conversation_a_question_is_no_small_talk(
    respond: Respond, text: str, intent: str, confidence: float
) -> None:
    talk = Talk(respond)
    talk.say(TRANSCRIPT, "ask_study")

    said = talk.say(text, intent, confidence=confidence)

    assert "study-transcript" in [message.get("custom", {}).get("answer_id") for message in said]


@pytest.mark.parametrize(
    ("text", "intent", "confidence", "response"),
    [
        ("chào buổi sáng nha", "greet", 0.9, "utter_greet"),
        ("bạn trả lời dễ hiểu ghê", "praise", 0.5, "utter_praise"),
        ("bot trả lời chán ghê á?", "complain", 0.9, "utter_complain"),
        ("không", "deny", 0.9, "utter_deny"),
    ],
)
def test_small_talk_within_a_conversation_stays_small_talk(
    respond: Respond, text: str, intent: str, confidence: float, response: str
) -> None:
    talk = Talk(respond)
    talk.say(TRANSCRIPT, "ask_study")

    assert names(talk.say(text, intent, confidence=confidence)) == [response]
