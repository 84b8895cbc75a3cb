"""One turn of a conversation: what is known before anything is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rasa_sdk import Tracker

from actions.base import Message
from actions.clarification_state import AskedBack
from actions.conversation_state import GIVEN, Given, LastTurn, now
from actions.follow_up_resolution import is_bare_profile, spoken_of_others
from actions.tracker import intent, language
from rag.engine import Engine
from school.dimensions import DIMENSIONS, Dimension, Profile

FORM = "profile_form"

NOTHING_PENDING: Mapping[str, Any] = {
    "pending_question": None,
    "pending_choice": None,
    "pending_profile": None,
    "missing_dimensions": None,
    "profile_options": None,
    "profile_attempts": None,
    "profile_stage": None,
    "requested_slot": None,
    "confirming": None,
    "asked_back": None,
}
"""The slots of everything that a conversation waits for, when it waits for nothing."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is said in a turn, and the slots that it changes; `given` when it changes what is known of the student."""

    messages: Sequence[Message]
    changes: Mapping[str, Any] = field(default_factory=lambda: NOTHING_PENDING)
    given: Given | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The latest message and what it comes upon.

    `given` is what the student has said of themselves, this message included; `known` the profile to answer by: no
    dimension of which the message names two values, or that an academic year ago may have been another. `settles` is
    the question that this message lets go on: the one that waited for an old profile to be confirmed.
    """

    tracker: Tracker
    engine: Engine
    at: float
    last: LastTurn | None
    given: Given
    known: Profile
    settles: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, tracker: Tracker, engine: Engine) -> Turn:
        """From the tracker, as Rasa posts it."""
        at, last, before = now(tracker), LastTurn.of(tracker), Given.of(tracker)
        others = spoken_of_others(tracker, last, before)
        given = before.with_said(tracker, engine.catalog, others)
        given = given.without(given.outdated(at, engine.catalog.school.year_begins))
        confirming = tracker.get_slot("confirming") or None
        settles = confirming if confirming and _settles(tracker) else None
        if settles is not None:
            wrong = intent(tracker)[0] == "deny"
            given = given.without(given.unsure(at)) if wrong else given.confirmed(at)
        known = given.profile.with_values(dict.fromkeys(others))
        return cls(tracker, engine, at, last, given, known, settles)

    def profile_slots(self, given: Given | None = None) -> Mapping[str, Any]:
        """The slots of the profile, and of when it was given."""
        kept = given if given is not None else self.given
        return {**kept.slots(), GIVEN: kept.as_slot()}

    @property
    def asked_back(self) -> AskedBack:
        return AskedBack.last(self.tracker)

    def named(self, dimensions: Sequence[Dimension] = DIMENSIONS) -> str:
        """What is known of the student, in words; empty when nothing is."""
        values = [(dimension, self.given.value(dimension)) for dimension in dimensions]
        name, spoken = self.engine.catalog.name, language(self.tracker)
        return ", ".join(name(dimension, value, spoken) for dimension, value in values if value is not None)


def _settles(tracker: Tracker) -> bool:
    """Whether a message says if an old profile still holds, or what holds instead."""
    return intent(tracker)[0] in ("affirm", "deny") or is_bare_profile(tracker)
