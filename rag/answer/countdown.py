"""The time left until the next deadline of an answer, for "còn mấy ngày nữa" and "còn kịp không"; `countdown.yml` has
the sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

from rag.answer.deadlines import deadlines_in
from school.reading import Reading
from vietnamese.data_files import yaml_beside
from vietnamese.text import fold
from vietnamese.written_values import written_values

_MONTH = re.compile(r"(?<!\w)(?:thang|t) ?(1[0-2]|[1-9])(?![\w/])")
"""A month by its number, folded: "đợt tháng 12", "t12"."""

COUNTDOWN, TERM = "countdown", "term"
"""The units of "còn mấy ngày" and "còn kịp không", and of "học kỳ 2"."""


def time_left(answer: str, asked: Reading, today: date) -> str:
    """Return a sentence with the days until the last day of the next deadline of `answer`, of the term that is named.

    Empty when the question does not ask for it, or the answer has no deadline, or none for the month that is named:
    "đợt tháng 12" is not the one of March. Without one ahead, it names the last.
    """
    if not any(value.unit == COUNTDOWN for value in asked.written_values):
        return ""
    deadlines = deadlines_in(answer, today)
    terms = {value.value for value in asked.written_values if value.unit == TERM}
    of_terms = [
        each for each in deadlines if terms & {v.value for v in written_values(each.text) if v.unit == TERM}
    ]
    meant = of_terms or deadlines
    if months := _months(asked.text):
        meant = [each for each in meant if each.date.month in months or months & _months(each.text)]
    days = [each.date - timedelta(days=each.is_before) for each in meant]
    if not days:
        return ""
    said: Mapping[str, str] = yaml_beside(__file__, "countdown.yml")["en" if asked.is_english else "vi"]
    ahead = [day for day in days if day >= today]
    day = min(ahead) if ahead else max(days)
    key = "past" if not ahead else "today" if day == today else "ahead"
    return said[key].format(days=(day - today).days, day=f"{day:%d/%m/%Y}")


def _months(text: str) -> set[int]:
    """Return the months that a text names by their numbers."""
    return {int(found[1]) for found in _MONTH.finditer(fold(text).lower())}
