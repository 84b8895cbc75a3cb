"""The window of a long conversation leads to the same state as all of its events."""

import functools
import operator

import pytest
from rasa.shared.core.events import (
    ActionExecuted,
    ActiveLoop,
    BotUttered,
    ConversationPaused,
    SessionStarted,
    SlotSet,
    UserUtteranceReverted,
    UserUttered,
)
from rasa.shared.core.trackers import DialogueStateTracker

from server.history_window import expired, first_kept, last_message, standing_for, trimmed

LISTEN = "action_listen"


def turn(text, *events):
    return [UserUttered(text, {"name": "ask_study"}), *events, BotUttered("…"), ActionExecuted(LISTEN)]


def windowed(events, turns):
    first = first_kept(events, turns)
    return standing_for(events, first) + events[first:]


def state(events):
    tracker = DialogueStateTracker.from_events("student", list(events), slots=None)
    slots = {name: slot.value for name, slot in tracker.slots.items() if slot.value is not None}
    return slots, tracker.active_loop_name, tracker.is_paused(), tracker.latest_action_name


def conversation(*turns):
    return [
        ActionExecuted("action_session_start"),
        SessionStarted(),
        ActionExecuted(LISTEN),
        *functools.reduce(operator.iadd, turns, []),
    ]


LONG = conversation(
    turn("em k47", SlotSet("profile", {"cohort": ["47", 1.0]})),
    turn("học phí", SlotSet("pending_question", "học phí"), SlotSet("last_topic", "tuition")),
    turn("k48", SlotSet("profile", {"cohort": ["48", 3.0]}), SlotSet("pending_question", None)),
    turn("à thôi", SlotSet("profile", {"cohort": ["49", 4.0]}), UserUtteranceReverted()),
    turn(
        "ktx",
        ActionExecuted("profile_form"),
        ActiveLoop("profile_form"),
        SlotSet("requested_slot", "profile"),
    ),
    turn(
        "luật",
        ActionExecuted("profile_form"),
        SlotSet("profile", {"major": ["luat", 6.0]}),
        SlotSet("requested_slot", "profile"),
    ),
    turn("clc", ActionExecuted("profile_form"), SlotSet("requested_slot", None), ActiveLoop(None)),
    turn("gặp người thật", ConversationPaused()),
    turn("alo"),
)


@pytest.mark.parametrize("turns", range(1, 11))
def test_it_stands_as_the_whole_conversation_does(turns):
    for length, last in enumerate(LONG, 1):
        if last == ActionExecuted(LISTEN):
            assert state(windowed(LONG[:length], turns)) == state(LONG[:length])


def test_it_begins_with_what_a_student_says_and_is_no_longer_than_so_many_turns():
    first = first_kept(LONG, 2)

    assert [event.text for event in LONG[first:] if isinstance(event, UserUttered)] == [
        "gặp người thật",
        "alo",
    ]
    assert isinstance(LONG[first], UserUttered)


def test_it_does_not_grow_with_the_conversation():
    lengths = {
        len(windowed(conversation(*[turn("hi", SlotSet("profile", {"cohort": ["48", 1.0]}))] * n), 8))
        for n in (20, 50, 100)
    }

    assert len(lengths) == 1


def test_what_was_before_a_session_is_not_in_it():
    events = [*LONG, *conversation(turn("chào"))]

    assert state(windowed(events, 8)) == ({}, None, False, LISTEN)


def test_a_session_that_begins_takes_over_what_is_known_of_the_student_only():
    events = conversation(
        turn("em k48", SlotSet("profile", {"cohort": ["48", 1.0]})),
        turn(
            "học phí",
            ActiveLoop("profile_form"),
            SlotSet("requested_slot", "profile"),
            SlotSet("asked_back", {"x": 1}),
        ),
    )

    slots, loop, _, latest = state(expired(events))
    assert slots == {"profile": {"cohort": ["48", 1.0]}}
    assert loop is None
    assert latest == LISTEN
    assert last_message(expired(events)).text == "học phí"


def test_of_an_earlier_message_the_ranking_of_intents_is_left_out():
    message = UserUttered(
        "học phí", {"name": "ask_tuition"}, [{"entity": "cohort", "value": "48"}], {"text": "học phí"}
    ).as_dict()
    message["parse_data"]["intent_ranking"] = [{"name": "ask_tuition", "confidence": 1.0}] * 30

    kept = trimmed(message)
    assert "intent_ranking" not in kept["parse_data"]
    assert kept["parse_data"]["intent"] == {"name": "ask_tuition"}
    assert kept["parse_data"]["entities"][0]["value"] == "48"
    assert (
        trimmed(SlotSet("cohort", "48", timestamp=1.0).as_dict())
        == SlotSet("cohort", "48", timestamp=1.0).as_dict()
    )
