"""What a conversation remembers between turns: the last question, and when the student said what of themselves.

Both are slots. The last question ends with the session; a profile is asked about again when it is old.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from rasa_sdk import Tracker

from actions.tracker import one_mentioned
from rag.settings import settings
from school.catalog import Catalog
from school.dimensions import Profile

LAST_TURN = "last_turn"
PROFILE = "profile"

SURE_S = 24 * 3600
"""A profile older than this is confirmed before an answer goes by it."""


def now(tracker: Tracker) -> float:
    """The time of the latest message, in seconds since the epoch."""
    stamps = [event["timestamp"] for event in tracker.events[-20:] if event.get("event") == "user"]
    return float(stamps[-1]) if stamps and stamps[-1] else time.time()


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The last question and what came of it.

    `question` are its words, or `choice` the payload of the option that was pressed. `profile` is whom it was answered
    for, which may be another than the student ("còn k48?"). `answer_id` and `depends_on` are those of the answer,
    which `is_curated` when an office has written it; without one it was not answered. `language` is the one it was
    answered in.
    """

    question: str = ""
    choice: Mapping[str, str] | None = None
    profile: Mapping[str, str] = field(default_factory=dict)
    answer_id: str | None = None
    is_curated: bool = False
    depends_on: tuple[str, ...] = ()
    language: str | None = None
    at: float = 0.0

    @classmethod
    def of(cls, tracker: Tracker) -> LastTurn | None:
        """From the tracker; None when there is none, or it was in an earlier session ("còn k48?" of a day later)."""
        kept = tracker.get_slot(LAST_TURN) or {}
        last = cls(
            question=str(kept.get("question") or ""),
            choice=kept.get("choice"),
            profile={str(key): str(value) for key, value in (kept.get("profile") or {}).items()},
            answer_id=kept.get("answer_id"),
            is_curated=bool(kept.get("is_curated")),
            depends_on=tuple(map(str, kept.get("depends_on") or ())),
            language=kept.get("language"),
            at=float(kept.get("at") or 0.0),
        )
        hours = settings().session_hours
        is_recent = not hours or now(tracker) - last.at <= 3600 * hours
        return last if (last.question or last.choice) and is_recent else None

    def as_slot(self) -> Mapping[str, Any]:
        """The slot's value: JSON without what is empty."""
        kept = {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}
        return {name: value for name, value in kept.items() if value}


@dataclass(frozen=True, slots=True)
class Given:
    """The profile as the student gave it: a value by dimension, and when it was said or confirmed last."""

    values: Mapping[str, tuple[str, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, tracker: Tracker, catalog: Catalog) -> Given:
        """Return the profile of the tracker's slot, as far as the catalogue still has its values."""
        kept = tracker.get_slot(PROFILE) or {}
        return cls(
            {
                dimension: (str(kept[dimension][0]), float(kept[dimension][1]))
                for dimension in catalog.dimension_ids
                if dimension in kept and kept[dimension][0] in catalog.ids(dimension)
            }
        )

    def with_said(self, tracker: Tracker, catalog: Catalog, aside: Collection[str] = ()) -> Given:
        """Return the profile with the values that the latest message names, said now.

        A value of a dimension in `aside` is not the student's own.
        """
        said = {d: one_mentioned(tracker, d) for d in catalog.dimension_ids if d not in aside}
        given = self
        for dimension, value in said.items():
            if value is not None and value in catalog.ids(dimension):
                given = given.with_value(dimension, value, now(tracker))
        return given

    def with_value(self, dimension: str, value: str, at: float) -> Given:
        """Return the profile with one value said at `at`."""
        return Given({**self.values, dimension: (value, at)})

    def before(self, at: float) -> Given:
        """Return the values that were said before `at`, the time of a message in seconds since the epoch."""
        return Given({dimension: kept for dimension, kept in self.values.items() if kept[1] < at})

    def confirmed(self, at: float) -> Given:
        """Return the profile with everything said anew."""
        return Given({dimension: (value, at) for dimension, (value, _) in self.values.items()})

    def without(self, dimensions: Collection[str]) -> Given:
        """Return the profile without its values of `dimensions`."""
        return Given({d: kept for d, kept in self.values.items() if d not in dimensions})

    def value(self, dimension: str) -> str | None:
        """Return the value of `dimension`; None when the student has not said it."""
        return self.values[dimension][0] if dimension in self.values else None

    @property
    def profile(self) -> Profile:
        """The values without their times."""
        return Profile({dimension: value for dimension, (value, _) in self.values.items()})

    def outdated(self, at: float, catalog: Catalog) -> tuple[str, ...]:
        """Return the dimensions whose value may have changed since, because another academic year has begun."""
        begins = catalog.school.year_begins
        this_year = _academic_year(at, begins)
        return tuple(
            each.id
            for each in catalog.dimensions
            if each.changes_yearly
            and each.id in self.values
            and _academic_year(self.values[each.id][1], begins) < this_year
        )

    def unsure(self, at: float) -> tuple[str, ...]:
        """Return the dimensions whose value was said so long ago that it is better confirmed."""
        return tuple(dimension for dimension, (_, said) in self.values.items() if at - said > SURE_S)

    def as_slot(self) -> Mapping[str, Any] | None:
        """Return the slot's value: JSON, and None for nothing."""
        return {dimension: [value, at] for dimension, (value, at) in self.values.items()} or None


def _academic_year(at: float, begins: int) -> int:
    day = datetime.fromtimestamp(at)
    return day.year if day.month >= begins else day.year - 1
