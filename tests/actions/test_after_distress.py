"""Messages right after distress: "em đùa thôi", thanks, a farewell."""

from __future__ import annotations

from typing import Any

import pytest
from turns import Respond

Events = tuple[dict[str, Any], ...]


def said_before(*messages: tuple[str, str]) -> Events:
    return tuple(
        {"event": "user", "timestamp": float(at), "text": text, "parse_data": {"intent": {"name": intent}}}
        for at, (text, intent) in enumerate(messages)
    )


DISTRESS = said_before(("em không muốn sống nữa", "out_of_scope"))
JOKES = [
    ("thôi em nói chơi á", "cancel"),
    ("cam on", "thank"),
    ("bye", "goodbye"),
    ("em giỡn thôi", "out_of_scope"),
    ("ko sao dau", "deny"),
    ("ừ", "affirm"),
    ("just kidding", "nlu_fallback"),
]


@pytest.mark.parametrize(("text", "intent"), JOKES)
def test_it_is_not_passed_over(respond: Respond, text: str, intent: str) -> None:
    [message] = respond("action_answer", text, intent, before=DISTRESS)["responses"]

    assert message["response"] == "utter_after_distress"
    assert message["counselling"].startswith("**")


@pytest.mark.parametrize(("text", "intent"), JOKES)
def test_after_a_question_of_the_school_it_is_small_talk_again(
    respond: Respond, text: str, intent: str
) -> None:
    before = (*DISTRESS, *said_before(("Xin bảng điểm ở đâu?", "ask_study")))

    said = respond("action_answer", text, intent, before=before)["responses"]

    assert "utter_after_distress" not in [message["response"] for message in said]


def test_once_a_person_has_taken_over_thanks_are_thanks(respond: Respond) -> None:
    before = (*DISTRESS, *said_before(("/hand_over", "hand_over")))

    [message] = respond("action_answer", "cảm ơn bạn", "thank", before=before)["responses"]

    assert message["response"] == "utter_thank"


def test_a_question_is_looked_up_all_the_same(respond: Respond) -> None:
    [answer] = respond("action_answer", "Xin bảng điểm ở đâu?", "nlu_fallback", before=DISTRESS)["responses"]

    assert answer["custom"]["answer_id"] == "study-transcript"


@pytest.mark.parametrize(
    "text", ["chán đời quá", "chan doi ghe", "cô đơn quá", "mất động lực luôn", "so lonely"]
)
@pytest.mark.parametrize("intent", ["praise", "complain"])
def test_weariness_is_neither_praise_nor_a_complaint(respond: Respond, text: str, intent: str) -> None:
    [mild] = respond("action_answer", text, intent)["responses"]
    [grave] = respond("action_answer", text, intent, also=(("distress", 0.3),))["responses"]

    assert (mild["response"], grave["response"]) == ("utter_grumble", "utter_distress")
