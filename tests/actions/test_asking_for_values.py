"""A calculator's values: asked for one at a time, kept, checked; another question ends the asking."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from turns import AT, Respond

from rag.engine import Engine

NEEDED = {
    "name": "months",
    "units": ["months"],
    "ask": "Bạn ở mấy tháng?",
    "least": "1",
    "most": "12",
    "whole": True,
    "wrong": "",
}
QUESTION = "Ở ký túc xá 15 tháng hết bao nhiêu tiền?"
ASKED = {
    "pending_question": QUESTION,
    "needed_value": NEEDED,
    "profile_attempts": 1,
    "requested_slot": "value",
}
FILLED = [("profile_stage", "filled"), ("requested_slot", None)]
ABANDONED = [("profile_stage", "abandoned"), ("requested_slot", None)]


def slots(said: dict[str, Any]) -> dict[str, Any]:
    return dict(said["events"])


def test_a_value_of_the_question_is_computed_with(respond: Respond) -> None:
    said = respond("action_answer", "Ở ký túc xá 5 tháng hết bao nhiêu tiền?", intent="ask_dormitory")

    [answer] = [each for each in said["responses"] if each["response"] == "utter_answer"]
    assert "1.750.000 đồng" in answer["text"]
    assert slots(said)["known_values"] == {"months": [5.0, AT]}


def test_a_wrong_value_starts_the_form(respond: Respond) -> None:
    said = respond("action_answer", QUESTION, intent="ask_dormitory")

    assert slots(said)["profile_stage"] == "asking"
    assert slots(said)["pending_question"] == QUESTION
    assert slots(said)["needed_value"]["wrong"] == "15"


def test_the_form_asks_for_the_value(respond: Respond) -> None:
    started = respond("validate_profile_form", QUESTION, **{**ASKED, "requested_slot": None})
    assert started["events"] == [("profile_attempts", 1), ("requested_slot", "value")]

    [question] = respond("action_ask_profile_form_value", QUESTION, **ASKED)["responses"]
    assert (question["response"], question["text"]) == ("utter_ask_value", NEEDED["ask"])


def test_it_says_what_is_expected(respond: Respond) -> None:
    wrong = {**ASKED, "needed_value": {**NEEDED, "wrong": "15"}}

    [after_a_wrong_one] = respond("action_ask_profile_form_value", QUESTION, **wrong)["responses"]
    [explained] = respond("action_ask_profile_form_value", "?", **{**ASKED, "profile_attempts": 2})[
        "responses"
    ]

    assert after_a_wrong_one["response"] == "utter_wrong_whole_value"
    assert explained["response"] == "utter_explain_value"
    assert {after_a_wrong_one["least"], after_a_wrong_one["most"], after_a_wrong_one["wrong"]} == {
        "1",
        "12",
        "15",
    }


@pytest.mark.parametrize(
    "text", ["5", "5 tháng", "dạ 5 ạ", "chắc em ở khoảng 5 tháng thôi ạ", "5 người", "5 được không ạ"]
)
def test_a_reply_fills_the_value(respond: Respond, text: str) -> None:
    said = respond("validate_profile_form", text, intent="inform", **{**ASKED, "value": {"people": 6.0}})

    assert said["events"] == [("value", {"people": 6.0, "months": 5.0}), *FILLED]


@pytest.mark.parametrize(
    ("text", "intent", "events", "responses"),
    [
        ("không biết", "cancel", ABANDONED, ["utter_value_abandoned"]),
        ("tạm biệt", "goodbye", ABANDONED, ["utter_goodbye"]),
        ("gặp cán bộ", "ask_advisor", [("profile_stage", "advisor"), ("requested_slot", None)], []),
        ("cảm ơn", "thank", [("profile_attempts", 1), ("requested_slot", "value")], ["utter_thank"]),
        ("abc", "inform", [("profile_attempts", 2), ("requested_slot", "value")], []),
        (
            "học phí một tín chỉ bao nhiêu vậy ạ",
            "ask_tuition",
            [("profile_stage", "interrupted"), ("requested_slot", None)],
            [],
        ),
    ],
)
def test_any_other_reply_has_its_own_end(
    respond: Respond, text: str, intent: str, events: list[Any], responses: list[str]
) -> None:
    said = respond("validate_profile_form", text, intent=intent, **ASKED)

    assert said["events"] == events
    assert [response["response"] for response in said["responses"]] == responses


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("thế 2.5 thì sao", "out_of_scope"),
        ("2,5 tròn", "nlu_fallback"),
        ("à nhầm, 15 tín", "correct"),
        ("3 tháng hè, 5 tháng đông thì sao ạ", "inform"),
        ("ko o thi sao", "follow_up"),
        ("nộp ở đâu vậy", "follow_up"),
        ("what if I do not pay", "follow_up"),
        ("toeic 450 đủ chưa", "ask_language"),
        ("ielts 5.5 dc ra trg chua", "ask_language"),
    ],
)
def test_another_inputs_value_and_a_question_let_go_of_the_form(
    respond: Respond, text: str, intent: str
) -> None:
    said = respond("validate_profile_form", text, intent=intent, **ASKED)

    assert said["events"] == [("profile_stage", "interrupted"), ("requested_slot", None)]


@pytest.mark.parametrize(
    ("rule", "response"), [("dormitory-fee", "utter_answer"), ("dormitory-months", "utter_no_answer")]
)
def test_instead_of_the_same_value_again_the_rule_is_told(
    respond: Respond, monkeypatch: pytest.MonkeyPatch, rule: str, response: str
) -> None:
    computes = Engine.reply
    monkeypatch.setattr(Engine, "reply", lambda *asked: replace(computes(*asked), waits_for=rule))
    said = respond("action_answer", QUESTION, intent="ask_dormitory")
    left = {**slots(said), "profile_stage": "interrupted", "last_turn": None}

    again = respond("action_answer", QUESTION, intent="ask_dormitory", **left)

    assert slots(again)["profile_stage"] is None
    assert [each["response"] for each in again["responses"]] == [response]


def test_the_pending_question_is_answered_with_the_value_given_last(respond: Respond) -> None:
    said = respond(
        "action_answer",
        "4",
        intent="inform",
        latest_action="profile_form",
        **{**ASKED, "profile_stage": "filled", "value": {"months": 4.0}, "requested_slot": None},
    )

    assert any("1.400.000 đồng" in each.get("text", "") for each in said["responses"])
    assert slots(said)["needed_value"] is None
    assert slots(said)["value"] is None


def test_a_value_that_is_wrong_again_is_asked_for_again(respond: Respond) -> None:
    said = respond(
        "action_answer",
        "40",
        intent="inform",
        latest_action="profile_form",
        **{**ASKED, "profile_stage": "filled", "value": {"months": 40.0}, "requested_slot": None},
    )

    assert slots(said)["profile_stage"] == "asking"
    assert slots(said)["needed_value"]["wrong"] == "40"
