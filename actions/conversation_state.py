"""What a conversation remembers between turns: the last question, and when the student said what of themselves.

Both are slots. What is remembered of a question ends with the session; a profile is asked about again when it is old.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from rasa_sdk import Tracker

from actions.tracker import mentioned
from rag.settings import settings
from school.catalog import Catalog
from school.dimensions import DIMENSIONS, Dimension, Profile

LAST_TURN = "last_turn"
GIVEN = "profile_given"

SURE_S = 24 * 3600
"""A profile older than this is confirmed before an answer goes by it."""

MAY_CHANGE: tuple[Dimension, ...] = ("major", "program")
"""What another academic year may have changed; a cohort stays."""


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
    """What the student has said of themselves: a value by dimension, and when it was said or confirmed last."""

    values: Mapping[Dimension, tuple[str, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, tracker: Tracker) -> Given:
        """From the tracker, as it was before the latest message."""
        kept = tracker.get_slot(GIVEN) or {}
        return cls({d: (str(kept[d][0]), float(kept[d][1])) for d in DIMENSIONS if d in kept})

    def with_said(self, tracker: Tracker, catalog: Catalog, aside: Collection[Dimension] = ()) -> Given:
        """With the slots as they are now; what the latest message names was said now.

        What it says of the dimensions in `aside` is not said of the student.
        """
        at, values = now(tracker), dict(self.values)
        for dimension in DIMENSIONS:
            value = tracker.get_slot(dimension)
            if dimension in aside:
                continue
            if value not in catalog.ids(dimension):
                values.pop(dimension, None)
            elif mentioned(tracker, dimension) or values.get(dimension, ("", 0))[0] != value:
                values[dimension] = (str(value), at)
        return Given(values)

    def confirmed(self, at: float) -> Given:
        """With everything said anew."""
        return Given({dimension: (value, at) for dimension, (value, _) in self.values.items()})

    def without(self, dimensions: Collection[Dimension]) -> Given:
        return Given({d: kept for d, kept in self.values.items() if d not in dimensions})

    def value(self, dimension: Dimension) -> str | None:
        return self.values[dimension][0] if dimension in self.values else None

    @property
    def profile(self) -> Profile:
        return Profile({dimension: value for dimension, (value, _) in self.values.items()})

    def outdated(self, at: float, year_begins: int) -> tuple[Dimension, ...]:
        """What may have changed because another academic year has begun since; `year_begins` is its month, 1..12."""
        this_year = _academic_year(at, year_begins)
        return tuple(
            d
            for d in MAY_CHANGE
            if d in self.values and _academic_year(self.values[d][1], year_begins) < this_year
        )

    def unsure(self, at: float) -> tuple[Dimension, ...]:
        """What was said so long ago that it is better confirmed."""
        return tuple(d for d in DIMENSIONS if d in self.values and at - self.values[d][1] > SURE_S)

    def slots(self) -> Mapping[str, Any]:
        """The slots of the profile."""
        return {dimension: self.value(dimension) for dimension in DIMENSIONS}

    def as_slot(self) -> Mapping[str, Any] | None:
        """The slot's value: JSON, and None for nothing."""
        return {dimension: [value, at] for dimension, (value, at) in self.values.items()} or None


def _academic_year(at: float, begins: int) -> int:
    day = datetime.fromtimestamp(at)
    return day.year if day.month >= begins else day.year - 1
