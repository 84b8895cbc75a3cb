"""One turn of a conversation: what is known before anything is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rasa_sdk import Tracker

from actions.base import Message
from actions.clarification_state import AskedBack
from actions.conversation_state import PROFILE, Given, LastTurn, now
from actions.follow_up_resolution import given_now, is_bare_profile, spoken_of_others
from actions.tracker import intent, language
from rag.engine import Engine
from school.dimensions import Profile

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
        at, last, catalog = now(tracker), LastTurn.of(tracker), engine.catalog
        given = given_now(tracker, catalog)
        given = given.without(given.outdated(at, catalog))
        confirming = tracker.get_slot("confirming") or None
        settles = confirming if confirming and _settles(tracker, engine) else None
        if settles is not None:
            wrong = intent(tracker)[0] == "deny"
            given = given.without(given.unsure(at)) if wrong else given.confirmed(at)
        known = given.profile.with_values(dict.fromkeys(spoken_of_others(tracker, catalog)))
        return cls(tracker, engine, at, last, given, known, settles)

    def profile_slots(self, given: Given | None = None) -> Mapping[str, Any]:
        """The slot of the profile, `given` or what is known now."""
        return {PROFILE: (given if given is not None else self.given).as_slot()}

    @property
    def asked_back(self) -> AskedBack:
        return AskedBack.last(self.tracker)

    def named(self, dimensions: Sequence[str] | None = None) -> str:
        """Return the known values in words, of `dimensions` only where they are given; empty when there are none."""
        catalog, spoken = self.engine.catalog, language(self.tracker)
        wanted = [d for d in catalog.dimension_ids if dimensions is None or d in dimensions]
        values = [(dimension, self.given.value(dimension)) for dimension in wanted]
        return ", ".join(
            catalog.name(dimension, value, spoken) for dimension, value in values if value is not None
        )


def _settles(tracker: Tracker, engine: Engine) -> bool:
    """Whether a message says if an old profile still holds, or what holds instead."""
    return intent(tracker)[0] in ("affirm", "deny") or is_bare_profile(tracker, engine.catalog)
