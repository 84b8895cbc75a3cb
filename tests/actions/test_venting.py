"""Venting about studying gets a sympathetic reply, raises no alarm and never replaces an answer."""

from __future__ import annotations

import pytest
from turns import Respond

from vietnamese.venting import vents

GRUMBLES = [
    "hôm nay học mệt ghê",
    "hom nay hoc met ghe",
    "mệt quá, deadline dí",
    "chán học quáaaa",
    "áp lực thi cử ghê",
    "ở trọ mà như ở tù 🙃",
    "o tro ma nhu o tu",
    "lo quá không biết có ra trường nổi không",
    "ap luc thi cu ghe",
    "so many deadlines, I am exhausted",
    "em chán quá k muốn học nữa",
    "het muon hoc luon roi",
    "I just want to give up",
]


@pytest.mark.parametrize("text", GRUMBLES)
@pytest.mark.parametrize("intent", ["out_of_scope", "nlu_fallback"])
def test_it_gets_a_kind_word_and_is_no_question_without_an_answer(
    respond: Respond, text: str, intent: str
) -> None:
    said = respond("action_answer", text, intent, unresolved=1)

    [message] = said["responses"]
    assert message["response"] == "utter_grumble"
    assert message["counselling"].startswith("**")
    assert dict(said["events"]).get("unresolved", 1) == 1


@pytest.mark.parametrize("text", ["em sợ rớt tốt nghiệp quá", "em sợ bị đuổi học quá", "so rot mon ghe"])
@pytest.mark.parametrize("intent", ["out_of_scope", "nlu_fallback", "distress"])
def test_fear_of_a_mark_or_a_rule_is_no_crisis_and_gets_a_kind_word(
    respond: Respond, text: str, intent: str
) -> None:
    said = respond("action_answer", text, intent)["responses"]

    assert said[0]["response"] == "utter_worry"
    assert {message["response"] for message in said[1:]} <= {"utter_answer", "utter_same_answer"}


def test_fear_with_something_grave_beside_it_is_a_crisis(respond: Respond) -> None:
    [message] = respond("action_answer", "em sợ rớt môn, không muốn sống nữa", "ask_study")["responses"]

    assert message["response"] == "utter_distress"


def test_taken_for_a_question_it_still_is_none_that_has_no_answer(respond: Respond) -> None:
    said = respond("action_answer", "đồ án ngập đầu luôn trời ơi", "ask_study")

    assert [message["response"] for message in said["responses"]] == ["utter_grumble"]


def test_a_question_that_leads_on_is_none_though_there_is_a_sigh_in_it(respond: Respond) -> None:
    said = respond("action_answer", "học phí một tín chỉ, mệt", "ask_study")

    assert vents("học phí một tín chỉ, mệt")
    assert said["responses"] == []
    assert dict(said["events"])["missing_dimensions"] == ["program"]


def test_an_answer_to_one_who_is_worried_comes_with_a_kind_word(respond: Respond) -> None:
    said = respond("action_answer", "sợ quá, mất thẻ sinh viên rồi", "ask_student_affairs")

    assert [message["response"] for message in said["responses"]] == ["utter_grumble", "utter_answer"]


@pytest.mark.parametrize(
    "text",
    [
        "em không muốn học môn này nữa thì rút thế nào",
        "muốn bỏ học thì làm đơn ở đâu",
        "k muốn học clc nữa, chuyển đc ko",
    ],
)
def test_who_asks_what_to_do_does_not_only_grumble(text: str) -> None:
    assert not vents(text)


def test_distress_comes_first(respond: Respond) -> None:
    by_words = respond("action_answer", "mệt quá em không muốn sống nữa", "out_of_scope")
    by_classifier = respond("action_answer", "em mệt quá", "distress")

    assert by_words["responses"][0]["response"] == "utter_distress"
    assert by_classifier["responses"][0]["response"] == "utter_distress"


@pytest.mark.parametrize(("probability", "response"), [(0.02, "utter_grumble"), (0.25, "utter_distress")])
def test_what_may_well_be_distress_is_taken_for_it(
    respond: Respond, probability: float, response: str
) -> None:
    said = respond("action_answer", "em mệt quá", "out_of_scope", 0.8, also=(("distress", probability),))

    assert said["responses"][0]["response"] == response


@pytest.mark.parametrize(
    "text",
    [
        "mệt quá, xin nghỉ học một buổi được không",
        "nản quá muốn bảo lưu thì làm sao",
        "áp lực thi cử thì gặp ai",
        "bạn có mệt không",
        "bot trả lời mệt ghê",
        "I am stressed, who can I talk to",
        "mệt quá?",
        "dưới sân trường",
        "thời tiết hôm nay",
        "mệt quá " * 8,
        "",
    ],
)
def test_what_asks_for_something_or_speaks_of_the_bot_is_no_venting(text: str) -> None:
    assert not vents(text)
