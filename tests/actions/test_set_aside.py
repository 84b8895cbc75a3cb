"""A question that another one has interrupted is answered by a value that is stated soon after."""

from __future__ import annotations

from typing import Any

import pytest
from turns import AT, Respond

LANGUAGE = "Chuẩn ngoại ngữ để tốt nghiệp là gì?"
WAITING: dict[str, Any] = {
    "pending_question": LANGUAGE,
    "missing_dimensions": ["cohort"],
    "profile_attempts": 1,
    "requested_slot": "profile",
}
K48 = (("cohort", "48", "k48"),)


def ask(respond: Respond, text: str, intent: str, **slots: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the last message and the slots after the turn."""
    entities = slots.pop("entities", ())
    said = respond("action_answer", text, intent, entities=entities, **slots)
    events = [event for event in said["events"] if isinstance(event, tuple)]
    return said["responses"][-1], {**slots, **dict(events)}


def interrupted(respond: Respond) -> dict[str, Any]:
    waiting = {**WAITING, "requested_slot": None, "profile_stage": "interrupted"}
    said, slots = ask(respond, "Xin bảng điểm ở đâu?", "ask_study", **waiting)
    assert said["custom"]["answer_id"] == "study-transcript"
    return slots


@pytest.mark.parametrize("intent", ["inform", "nlu_fallback"])
def test_the_value_answers_the_question_before_the_interposed_one(respond: Respond, intent: str) -> None:
    slots = interrupted(respond)

    said, slots = ask(respond, "k48", intent, entities=K48, **slots)

    fresh, _ = ask(respond, LANGUAGE, "ask_language", **{"profile": slots["profile"]})
    assert said.get("custom", said["response"]) == fresh.get("custom", fresh["response"])
    assert slots["set_aside"] is None


def test_thanks_in_between_do_not_make_it_forgotten(respond: Respond) -> None:
    slots = interrupted(respond)
    _, slots = ask(respond, "cảm ơn", "thank", **slots)

    said, _ = ask(respond, "k48", "inform", entities=K48, **slots)

    assert said["response"] != "utter_profile_noted"


def test_after_more_turns_the_value_is_noted_alone(respond: Respond) -> None:
    slots = interrupted(respond)
    for _ in range(2):
        _, slots = ask(respond, "cảm ơn", "thank", **slots)

    said, _ = ask(respond, "k48", "inform", entities=K48, **slots)

    assert said["response"] == "utter_profile_noted"


def test_in_another_session_it_is_gone(respond: Respond) -> None:
    slots = interrupted(respond)

    said, _ = ask(respond, "k48", "inform", entities=K48, at=AT + 3 * 24 * 3600, **slots)

    assert said["response"] == "utter_profile_noted"


def test_a_value_of_another_dimension_does_not_answer_it(respond: Respond) -> None:
    slots = interrupted(respond)

    said, _ = ask(respond, "kế toán", "inform", entities=(("major", "ketoan", "kế toán"),), **slots)

    assert said["response"] == "utter_profile_noted"


def test_after_starting_over_it_is_gone(respond: Respond) -> None:
    slots = interrupted(respond)

    _, slots = ask(respond, "bắt đầu lại", "start_over", **slots)

    assert slots["set_aside"] is None


@pytest.mark.parametrize("action", ["action_ask_profile_form_profile"])
def test_the_form_does_not_repeat_its_question_after_thanks(respond: Respond, action: str) -> None:
    assert respond(action, "tks ad nhìu nha", "nlu_fallback", **WAITING)["responses"] == []


def test_after_other_small_talk_it_repeats_it_once(respond: Respond) -> None:
    first = respond("action_ask_profile_form_profile", "xin chào", "greet", **WAITING)["responses"]
    before = (
        {"event": "user", "timestamp": 1.0, "text": "xin chào", "parse_data": {"intent": {"name": "greet"}}},
    )
    again = respond("action_ask_profile_form_profile", "hay quá", "praise", before=before, **WAITING)[
        "responses"
    ]

    assert [message["response"] for message in first] == ["utter_ask_profile"]
    assert again == []


def test_what_the_form_does_not_understand_is_asked_again_all_the_same(respond: Respond) -> None:
    before = (
        {"event": "user", "timestamp": 1.0, "text": "xin chào", "parse_data": {"intent": {"name": "greet"}}},
    )

    said = respond("action_ask_profile_form_profile", "khóa cũ", "ask_study", before=before, **WAITING)[
        "responses"
    ]

    assert [message["response"] for message in said] == ["utter_ask_profile"]
