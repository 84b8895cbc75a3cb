"""State of a conversation between turns: the last question and the stated profile, each in a slot.

The last question expires with the session; an old profile is confirmed before use.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any

from rasa_sdk import Tracker

from actions.tracker import one_mentioned
from rag.settings import settings
from rag.types import Matter
from school.catalog import Catalog
from school.dimensions import Profile

LAST_TURN = "last_turn"
PROFILE = "profile"
VALUE = "value"
"""The slot with the values that the student has given for the pending question, by the input of a calculator."""

KNOWN_VALUES = "known_values"
"""The slot with the values of earlier calculations: by input the value and the time it was given."""

FRESH_S = 24 * 3600
"""A profile value older than this is confirmed before an answer depends on it."""


def now(tracker: Tracker) -> float:
    """Return the time of the latest message, in seconds since the epoch."""
    stamps = [event["timestamp"] for event in tracker.events[-20:] if event.get("event") == "user"]
    return float(stamps[-1]) if stamps and stamps[-1] else time.time()


def known_values(tracker: Tracker) -> Mapping[str, float | str]:
    """Return the values of earlier calculations that are not older than `FRESH_S`."""
    kept = tracker.get_slot(KNOWN_VALUES) or {}
    at = now(tracker)
    return {str(name): value for name, (value, said) in kept.items() if at - float(said) <= FRESH_S}


def with_known_values(tracker: Tracker, values: Mapping[str, float | str]) -> Mapping[str, Any]:
    """Return the slot of known values with `values` given now."""
    at = now(tracker)
    return {**(tracker.get_slot(KNOWN_VALUES) or {}), **{name: [value, at] for name, value in values.items()}}


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The last question and its answer.

    `question` is the question in full, `typed` its own words, `choice` the payload of the pressed option. `profile` may
    belong to somebody other than the student ("còn k48?"). `answer_id` is None without an answer, `is_curated` marks an
    FAQ answer.
    `depends_on` lists the dimensions of the answer, `at` is in seconds since the epoch.
    `history` are the matters of the conversation, this turn's among them, the latest first. `waits_for` is the id of
    the entry that a question back for a value is about. `compared` are the values of the last comparison, by dimension.
    `unasked`: the student has not asked about the matter (counselling, after distress). `left_out` are the
    dimensions of which the student has been told that an answer does not hold for a few, `untold` those that the
    student was asked for and has not told. `of_others`: it was about somebody other than the student, with whose values
    in `their_values` the answers were worked out.
    """

    question: str = ""
    typed: str = ""
    choice: Mapping[str, str] | None = None
    profile: Mapping[str, str] = field(default_factory=dict)
    answer_id: str | None = None
    is_curated: bool = False
    depends_on: tuple[str, ...] = ()
    at: float = 0.0
    history: tuple[Matter, ...] = ()
    waits_for: str | None = None
    compared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unasked: bool = False
    left_out: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    of_others: bool = False
    their_values: Mapping[str, float | str] = field(default_factory=dict)

    @classmethod
    def from_tracker(cls, tracker: Tracker) -> LastTurn | None:
        """Return the last turn of this session; None without one ("còn k48?" a day later)."""
        kept = tracker.get_slot(LAST_TURN) or {}
        known = {each.name: kept[each.name] for each in fields(cls) if each.name in kept}
        for listed in ("depends_on", "left_out", "untold"):
            known[listed] = tuple(kept.get(listed) or ())
        known["history"] = tuple(Matter(**matter) for matter in kept.get("history") or ())
        known["compared"] = {d: tuple(values) for d, values in (kept.get("compared") or {}).items()}
        last = cls(**known)
        hours = settings().session_hours
        is_recent = not hours or now(tracker) - last.at <= 3600 * hours
        return last if (last.question or last.choice) and is_recent else None

    def as_slot(self) -> Mapping[str, Any]:
        """Return the JSON value of the slot, without empty fields."""
        kept = {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}
        return {name: value for name, value in kept.items() if value}


@dataclass(frozen=True, slots=True)
class StatedProfile:
    """The profile that the student has stated: per dimension the value and the time it was last stated or confirmed."""

    values: Mapping[str, tuple[str, float]] = field(default_factory=dict)

    @classmethod
    def from_tracker(cls, tracker: Tracker, catalog: Catalog) -> StatedProfile:
        """Return the profile in the tracker's slot, without values that the catalog no longer has."""
        kept = tracker.get_slot(PROFILE) or {}
        return cls(
            {
                dimension: (str(kept[dimension][0]), float(kept[dimension][1]))
                for dimension in catalog.dimension_ids
                if dimension in kept and kept[dimension][0] in catalog.ids(dimension)
            }
        )

    def with_said(self, tracker: Tracker, catalog: Catalog, aside: Collection[str] = ()) -> StatedProfile:
        """Return the profile with the values that the latest message names, except those of dimensions in `aside`.

        What cannot go with them is no longer stated.
        """
        named = {d: one_mentioned(tracker, d) for d in catalog.dimension_ids if d not in aside}
        said = {d: value for d, value in named.items() if value is not None and value in catalog.ids(d)}
        stated = self.without(catalog.excluded(self.profile.values, said))
        for dimension, value in said.items():
            stated = stated.with_value(dimension, value, now(tracker))
        return stated

    def with_value(self, dimension: str, value: str, at: float) -> StatedProfile:
        """Return the profile with one value stated at `at`, in seconds since the epoch."""
        return StatedProfile({**self.values, dimension: (value, at)})

    def before(self, at: float) -> StatedProfile:
        """Return the values stated before `at`, in seconds since the epoch."""
        return StatedProfile({dimension: kept for dimension, kept in self.values.items() if kept[1] < at})

    def confirmed(self, at: float) -> StatedProfile:
        """Return the profile with every value stated at `at`."""
        return StatedProfile({dimension: (value, at) for dimension, (value, _) in self.values.items()})

    def without(self, dimensions: Collection[str]) -> StatedProfile:
        """Return the profile without its values of `dimensions`."""
        return StatedProfile({d: kept for d, kept in self.values.items() if d not in dimensions})

    def value(self, dimension: str) -> str | None:
        """Return the value of `dimension`; None when the student has not stated it."""
        return self.values[dimension][0] if dimension in self.values else None

    @property
    def profile(self) -> Profile:
        """Return the values without their times."""
        return Profile({dimension: value for dimension, (value, _) in self.values.items()})

    def outdated(self, at: float, catalog: Catalog) -> tuple[str, ...]:
        """Return the dimensions whose value may have changed because a new academic year has begun."""
        begins = catalog.school.year_begins
        this_year = _academic_year(at, begins)
        return tuple(
            each.id
            for each in catalog.dimensions
            if each.changes_yearly
            and each.id in self.values
            and _academic_year(self.values[each.id][1], begins) < this_year
        )

    def stale(self, at: float) -> tuple[str, ...]:
        """Return the dimensions whose value is older than `FRESH_S`."""
        return tuple(dimension for dimension, (_, said) in self.values.items() if at - said > FRESH_S)

    def as_slot(self) -> Mapping[str, Any] | None:
        """Return the JSON value of the slot; None for an empty profile."""
        return {dimension: [value, at] for dimension, (value, at) in self.values.items()} or None


def _academic_year(at: float, begins: int) -> int:
    day = datetime.fromtimestamp(at)
    return day.year if day.month >= begins else day.year - 1
