"""The window of a conversation that Rasa reads: the last turns, preceded by events that restore the earlier state.

Rasa reads, replays and posts to the action server every event of a conversation, several times a turn. A window of a
few turns makes the thousandth turn cost what the tenth does. The events before the window restore the slots, the active
form and a pause.
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
"""Turns that Rasa and the actions see; a turn begins with the student's message."""

KEPT_SLOTS = frozenset({"profile", "language"})
"""Slots of the student's profile, which outlive a session; every other slot belongs to an open question."""

_KEPT_OF_PARSE = ("intent", "entities", "text")
"""Keys of `parse_data` that later turns read; the rest, mostly the intent ranking, is dropped."""


def first_kept(events: Sequence[Event], turns: int = TURNS) -> int:
    """Return the index where the window begins: the last session start or restart, or the last `turns` turns."""
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
    """Return a few events that restore the state of a conversation before `events[first]`."""
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
        # Rasa groups the turns of a form from its first run on, so the window must contain that run.
        restored += [ActionExecuted(form, timestamp=at), ActiveLoop(form, timestamp=at)]
    if tracker.is_paused():
        restored.append(ConversationPaused(timestamp=at))
    return [*restored, ActionExecuted(ACTION_LISTEN_NAME, timestamp=at)]


def expired(events: Sequence[Event]) -> list[Event]:
    """Return the events that a new session keeps: the slots of the profile and the student's last message.

    Rasa starts the session itself when it sees the age of that message.
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
    """Return the student's last message; None when there is none."""
    return next((event for event in reversed(events) if isinstance(event, UserUttered)), None)


def trimmed(dumped: dict[str, Any]) -> dict[str, Any]:
    """Return a dumped event of an earlier turn with the keys of `parse_data` that the window keeps."""
    parsed = dumped.get("parse_data")
    if not parsed:
        return dumped
    return {**dumped, "parse_data": {key: parsed[key] for key in _KEPT_OF_PARSE if key in parsed}}
