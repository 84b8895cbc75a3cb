"""The part of a conversation that Rasa is given: the last turns, and before them what the turns before have left behind.

Rasa reads, replays and posts to the action server every event of a conversation, several times a turn. A window of a
few turns makes the thousandth turn cost what the tenth does. The events that stand for what is left out restore the
slots, the active form and a pause.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rasa.shared.core.constants import ACTION_LISTEN_NAME
from rasa.shared.core.events import (
    ActionExecuted,
    ActiveLoop,
    ConversationPaused,
    Event,
    Restarted,
    SessionStarted,
    SlotSet,
    UserUttered,
)
from rasa.shared.core.trackers import DialogueStateTracker

TURNS = 8
"""How many turns Rasa and the actions see; a turn begins with what the student says."""

KEPT_SLOTS = frozenset({"cohort", "major", "program", "profile_given", "language"})
"""What is known of the student. It outlives a session; every other slot is about a question that is open."""

_KEPT_OF_PARSE = ("intent", "entities", "text")
"""What later turns may want of how a message was understood; the ranking of all intents is most of an event."""


def first_kept(events: Sequence[Event], turns: int = TURNS) -> int:
    """Where the window over `events` begins: at the last session start or restart, or at the last `turns` turns."""
    start = next(
        (
            position
            for position in range(len(events) - 1, -1, -1)
            if isinstance(events[position], (SessionStarted, Restarted))
        ),
        0,
    )
    said = [position for position in range(start, len(events)) if isinstance(events[position], UserUttered)]
    return said[-turns] if len(said) > turns else start


def standing_for(events: Sequence[Event], first: int) -> list[Event]:
    """A few events with which a conversation stands before `events[first]` as all those before that one leave it."""
    if not first or isinstance(events[first], (SessionStarted, Restarted)):
        return []
    tracker = DialogueStateTracker.from_events("", list(events[:first]), slots=None)
    at = events[first - 1].timestamp
    restored: list[Event] = [
        SlotSet(name, slot.value, timestamp=at)
        for name, slot in sorted(tracker.slots.items())
        if slot.value is not None
    ]
    if (form := tracker.active_loop_name) is not None:
        # Rasa folds the turns of a form together from its first run on: that one must be seen.
        restored += [ActionExecuted(form, timestamp=at), ActiveLoop(form, timestamp=at)]
    if tracker.is_paused():
        restored.append(ConversationPaused(timestamp=at))
    return [*restored, ActionExecuted(ACTION_LISTEN_NAME, timestamp=at)]


def expired(events: Sequence[Event]) -> list[Event]:
    """What a session that begins now may take over from `events`: what is known of the student, and the last message.

    Rasa begins the session itself, when it sees how old that message is.
    """
    tracker = DialogueStateTracker.from_events("", list(events), slots=None)
    last = last_message(events)
    known: list[Event] = [
        SlotSet(name, slot.value, timestamp=events[-1].timestamp)
        for name, slot in sorted(tracker.slots.items())
        if name in KEPT_SLOTS and slot.value is not None
    ]
    return (
        known
        + ([last] if last else [])
        + [ActionExecuted(ACTION_LISTEN_NAME, timestamp=events[-1].timestamp)]
    )


def last_message(events: Sequence[Event]) -> UserUttered | None:
    """The student's last message; None when there is none."""
    return next((event for event in reversed(events) if isinstance(event, UserUttered)), None)


def trimmed(dumped: dict[str, Any]) -> dict[str, Any]:
    """A dumped event of an earlier turn, with what the window has of it."""
    parsed = dumped.get("parse_data")
    if not parsed:
        return dumped
    return {**dumped, "parse_data": {key: parsed[key] for key in _KEPT_OF_PARSE if key in parsed}}
