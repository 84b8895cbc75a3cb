"""The advisors' opening hours, which `action_hand_over` sends from the school's catalog.yml."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

LOOK_AHEAD_DAYS = 60
"""Days to search for the next opening; beyond them none is announced."""

NOW = "COVAN_NOW"
"""The environment variable that replaces the clock in tests and rehearsals: 2026-11-22T09:30:00+07:00."""


def now(zone: ZoneInfo) -> datetime:
    """Return the current time in a zone.

    Raises:
        ValueError: when COVAN_NOW is set and is no time with a zone.
    """
    said = os.environ.get(NOW)
    if not said:
        return datetime.now(zone)
    at = datetime.fromisoformat(said)
    if at.tzinfo is None:
        raise ValueError(f"{NOW} must be a time with a zone, like 2026-11-22T09:30:00+07:00, not '{said}'")
    return at.astimezone(zone)


@dataclass(frozen=True)
class OpeningHours:
    """The opening hours of each weekday, and dates that are closed."""

    zone: ZoneInfo
    week: Mapping[str, Sequence[tuple[time, time]]]
    closed: frozenset[date] = frozenset()

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> OpeningHours | None:
        """Read the stored hours; None when `stored` is empty.

        Format: `{"timezone", "week": {"mon": [["07:30", "11:30"], …]}, "closed": ["2026-01-01"]}`.
        """
        if not stored:
            return None
        return cls(
            ZoneInfo(stored["timezone"]),
            {
                day: [(time.fromisoformat(begin), time.fromisoformat(end)) for begin, end in spans]
                for day, spans in stored["week"].items()
            },
            frozenset(date.fromisoformat(day) for day in stored.get("closed", ())),
        )

    def now(self) -> datetime:
        """Return the current time at the school."""
        return now(self.zone)

    def open(self, at: datetime) -> bool:
        """Return whether the advisors are at work."""
        return any(begin <= at < end for begin, end in self._spans(at.date()))

    def next_open(self, at: datetime) -> datetime | None:
        """Return the next time the advisors are at work: `at` itself when they are, None beyond `LOOK_AHEAD_DAYS`."""
        if self.open(at):
            return at
        for ahead in range(LOOK_AHEAD_DAYS):
            for begin, _ in self._spans(at.date() + timedelta(days=ahead)):
                if begin > at:
                    return begin
        return None

    def _spans(self, day: date) -> Iterator[tuple[datetime, datetime]]:
        if day in self.closed:
            return
        for begin, end in sorted(self.week.get(DAYS[day.weekday()], ())):
            yield datetime.combine(day, begin, self.zone), datetime.combine(day, end, self.zone)
