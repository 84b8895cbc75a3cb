"""One turn of a conversation: its input (`Turn`) and its output (`TurnResponse`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rasa_sdk import Tracker

from actions.base import Message
from actions.clarification_state import UNANSWERED, ClarificationState
from actions.conversation_state import PROFILE, VALUE, LastTurn, StatedProfile, known_values, now
from actions.follow_up_resolution import (
    current_profile,
    dimensions_of_others,
    gives_values,
    is_about_others,
    is_bare_profile,
    without_rare,
)
from actions.tracker import intent, language, text
from rag.engine import Engine
from rag.types import Reply
from school.dimensions import Profile
from vietnamese.ellipsis import is_about_somebody_else

FORM = "profile_form"

NOTHING_PENDING: Mapping[str, Any] = dict.fromkeys(
    (
        *("pending_question", "pending_choice", "pending_profile", "missing_dimensions", "profile_options"),
        *("profile_attempts", "profile_stage", "requested_slot", "confirming", "asked_back"),
        *("needed_value", VALUE),
    )
)
"""The values of all pending slots when no question is pending."""

SET_ASIDE = "set_aside"
"""The slot with the question of a form that another question has interrupted, and how many turns ago that was."""


@dataclass(frozen=True, slots=True)
class TurnResponse:
    """Messages and slot changes of a turn; `stated` replaces the stated profile, `reply` is the engine's, if asked."""

    messages: Sequence[Message]
    changes: Mapping[str, Any] = field(default_factory=lambda: NOTHING_PENDING)
    stated: StatedProfile | None = None
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The latest message and the state of the conversation.

    `stated` is the student's profile with this message. `known` is the profile for the answer: it lacks dimensions
    that describe somebody else or that date from an earlier academic year. `resumed` is the pending question that this
    message releases by confirming or correcting an old profile.
    """

    tracker: Tracker
    engine: Engine
    at: float
    last: LastTurn | None
    stated: StatedProfile
    known: Profile
    resumed: Mapping[str, Any] | None = None

    @classmethod
    def from_tracker(cls, tracker: Tracker, engine: Engine) -> Turn:
        """Return the turn of the tracker that Rasa posts."""
        at, last, catalog = now(tracker), LastTurn.from_tracker(tracker), engine.catalog
        stated = current_profile(tracker, catalog)
        stated = stated.without(stated.outdated(at, catalog))
        confirming = tracker.get_slot("confirming") or None
        resumed = confirming if confirming and _settles_profile(tracker, engine) else None
        if resumed is not None:
            wrong = intent(tracker)[0] == "deny"
            stated = stated.without(stated.stale(at)) if wrong else stated.confirmed(at)
        known = stated.profile.with_values(dict.fromkeys(dimensions_of_others(tracker, catalog)))
        if is_about_somebody_else(text(tracker)):
            known = without_rare(known, catalog)
        return cls(tracker, engine, at, last, stated, known, resumed)

    def profile_slots(self, stated: StatedProfile | None = None) -> Mapping[str, Any]:
        """Return the slot for `stated`, by default the profile of this turn."""
        return {PROFILE: (stated if stated is not None else self.stated).as_slot()}

    @property
    def clarification(self) -> ClarificationState:
        return ClarificationState.from_tracker(self.tracker)

    @property
    def is_about_others(self) -> bool:
        return is_about_others(self.tracker, self.last)

    @property
    def known_values(self) -> Mapping[str, float | str]:
        """The values that earlier calculations were made with, of whom this message is about.

        "Còn bạn em học dược" asks the same of a friend; "bạn em 3.62" gives the friend's own.
        """
        own = known_values(self.tracker)
        if not self.is_about_others or self.last is None:
            return own
        if not is_about_somebody_else(text(self.tracker)):
            return self.last.their_values if self.last.of_others else own
        return {} if gives_values(self.tracker, mere_numbers=True) else own

    @property
    def untold(self) -> tuple[str, ...]:
        """The dimensions that the student was asked for in this conversation and has not told."""
        left = self.clarification.asked_for if self.tracker.get_slot("profile_stage") in UNANSWERED else None
        before = self.last.untold if self.last is not None else ()
        asked_for = dict.fromkeys((*before, left))
        return tuple(
            d for d in self.engine.catalog.dimension_ids if d in asked_for and self.known.get(d) is None
        )

    def named(self, dimensions: Collection[str] | None = None) -> str:
        """Return the stated values of `dimensions` (by default all) as comma-separated names."""
        catalog, spoken = self.engine.catalog, language(self.tracker)
        wanted = [d for d in catalog.dimension_ids if dimensions is None or d in dimensions]
        values = [(dimension, self.stated.value(dimension)) for dimension in wanted]
        return ", ".join(
            catalog.name(dimension, value, spoken) for dimension, value in values if value is not None
        )


def _settles_profile(tracker: Tracker, engine: Engine) -> bool:
    """Return whether the latest message confirms, denies or replaces an old profile."""
    return intent(tracker)[0] in ("affirm", "deny") or is_bare_profile(tracker, engine.catalog)
