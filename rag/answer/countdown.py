"""The time left until the next day of an answer, for "còn mấy ngày nữa", "còn mấy tuần" and "còn kịp không".

That is its next deadline, or when something begins. `countdown.yml` has the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from rag.answer.deadlines import beginnings_in, deadlines_in
from rag.types import Deadline
from school.reading import Reading
from vietnamese.data_files import yaml_beside
from vietnamese.text import fold
from vietnamese.written_values import written_values

_MONTH = re.compile(r"(?<!\w)(?:thang|t) ?(1[0-2]|[1-9])(?![\w/])")
"""A month by its number, folded: "đợt tháng 12", "t12"."""

COUNTDOWN, TERM = "countdown", "term"
"""The units of "còn mấy ngày" and "còn kịp không", and of "học kỳ 2"."""

_IN_TIME, _WEEKS = "in_time", "weeks"
"""The values of "còn kịp không" and "còn mấy tuần"."""


def time_left(answer: str, asked: Reading, today: date) -> str:
    """Return a sentence with the days until the last day of the next deadline of `answer`, of the term that is named.

    Without a deadline, it has those until something begins. Empty when the question does not ask for it, or the answer
    has no such day, or none for the month that is named: "đợt tháng 12" is not the one of March. Without a day ahead,
    it names the last.
    """
    asks = _asks(asked)
    if not asks:
        return ""
    said: Mapping[str, str] = yaml_beside(__file__, "countdown.yml")["en" if asked.is_english else "vi"]
    keys = ("ahead", "today", "past")
    days = _meant(deadlines_in(answer, today), asked)
    if not days and _asks_for_days(asks):
        keys = ("begins", "begins_today", "begun")
        days = _meant(beginnings_in(answer, today), asked)
    if not days:
        return ""
    ahead = [day for day in days if day >= today]
    day = min(ahead) if ahead else max(days)
    key = keys[2] if not ahead else keys[1] if day == today else keys[0]
    weeks = round((day - today).days / 7)
    in_weeks = said["weeks"].format(weeks=weeks) if _WEEKS in asks and weeks else ""
    return said[key].format(days=(day - today).days, weeks=in_weeks, day=f"{day:%d/%m/%Y}")


def can_be_counted(answer: str, asked: Reading, today: date) -> bool:
    """Return whether a question asks for the time left until a day, and an answer has such a day."""
    asks = _asks(asked)
    has_beginning = _asks_for_days(asks) and bool(beginnings_in(answer, today))
    return bool(asks) and (has_beginning or bool(deadlines_in(answer, today)))


def _asks(asked: Reading) -> set[float | str]:
    return {value.value for value in asked.written_values if value.unit == COUNTDOWN}


def _asks_for_days(asks: set[float | str]) -> bool:
    """Return whether more is asked for than whether there is time left, which only a deadline tells."""
    return bool(asks - {_IN_TIME})


def _meant(every: Sequence[Deadline], asked: Reading) -> list[date]:
    """Return the days of the term and the month that a question names, or of all."""
    terms = {value.value for value in asked.written_values if value.unit == TERM}
    of_terms = [
        each for each in every if terms & {v.value for v in written_values(each.text) if v.unit == TERM}
    ]
    meant = of_terms or every
    if months := _months(asked.text):
        meant = [each for each in meant if each.date.month in months or months & _months(each.text)]
    return [each.date - timedelta(days=each.is_before) for each in meant]


def _months(text: str) -> set[int]:
    """Return the months that a text names by their numbers."""
    return {int(found[1]) for found in _MONTH.finditer(fold(text).lower())}
