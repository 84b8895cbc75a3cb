"""Days, months and ranges of days as ISO 8601, and the match of a date pattern."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from vietnamese.data_files import yaml_beside

LOOKBACK = timedelta(days=90)
"""A date without a year lies after today minus this: in November "15/9" is past, "15/3" is next year's."""

_YEARS = range(1990, 2101)
_COUNTED = re.compile(r"(?:\d|\b(?:mot|hai|ba|bon|nam|may|vai|ca|moi|hang|nua|bao nhieu|het)) $")


@lru_cache
def date_pattern(name: str) -> re.Pattern[str]:
    """Return a pattern of `dates.yml`, by its name or, of a form, in itself."""
    said = yaml_beside(__file__, "dates.yml")
    return re.compile(re.sub(r"\{([a-z_]+)\}", lambda word: said["words"][word[1]], said.get(name, name)))


@dataclass(frozen=True, slots=True)
class DateMatch:
    """A match of a date pattern in folded text.

    `lowered` is the whole text in lower case with its diacritics, character for character; `today` the day of writing.
    """

    match: re.Match[str]
    lowered: str
    today: date

    def __getitem__(self, group: str) -> Any:
        """Return the text of a named group; None when it did not take part."""
        return self.match[group]

    @property
    def before(self) -> str:
        """The folded text before the match."""
        return self.match.string[: self.match.start()]

    @property
    def after(self) -> str:
        """The folded text behind the match."""
        return self.match.string[self.match.end() :]

    @property
    def is_bare(self) -> bool:
        """Whether the whole text is typed without diacritics."""
        return self.lowered == self.match.string

    @property
    def is_counted(self) -> bool:
        """Whether a number stands before the match: "2 tuần", "mấy tháng"."""
        return _COUNTED.search(self.before) is not None

    def typed(self, group: str | int = 0) -> str:
        """Return the match, or a group of it, with its diacritics as typed."""
        return self.lowered[self.match.start(group) : self.match.end(group)]


DateReader = Callable[[DateMatch], "str | None"]
"""Returns the ISO value of a match; None when the match is no date."""


def iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def iso_month(said: tuple[int, int] | None) -> str | None:
    """Return a year and its month as ISO 8601."""
    return None if said is None else f"{said[0]:04d}-{said[1]:02d}"


def iso_range(first: date | None, last: date | None) -> str | None:
    if first is None or last is None or last < first:
        return None
    return f"{first.isoformat()}/{last.isoformat()}"


def full_year(said: str) -> int:
    return int(said) if len(said) == 4 else 2000 + int(said)


def valid_day(year: int, month: int, day: int) -> date | None:
    if year not in _YEARS or not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        return None
    return date(year, month, day)


def day_near(day: int, month: int, year: str | None, today: date) -> date | None:
    """Return the day that is meant; None when the calendar has no such day."""
    if year is not None:
        return valid_day(full_year(year), month, day)
    earliest = today - LOOKBACK
    candidates = (valid_day(each, month, day) for each in range(earliest.year, earliest.year + 9))
    return next((each for each in candidates if each is not None and each >= earliest), None)


def month_near(month: int, year: str | None, today: date) -> tuple[int, int] | None:
    """Return the year and month that are meant; None when there is no such month."""
    if not 1 <= month <= 12:
        return None
    if year is not None:
        return (full_year(year), month) if full_year(year) in _YEARS else None
    earliest = today - LOOKBACK
    return (earliest.year + (date(earliest.year, month, 1) < earliest), month)


def later_month(today: date, months: int) -> tuple[int, int]:
    index = today.year * 12 + today.month - 1 + months
    return index // 12, index % 12 + 1


def part_of_month(part: str, year: int, month: int) -> str | None:
    last = calendar.monthrange(year, month)[1]
    first, final = {"dau": (1, 10), "giua": (11, 20), "cuoi": (21, last)}[part]
    return iso_range(valid_day(year, month, first), valid_day(year, month, final))
