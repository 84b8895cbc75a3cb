"""The time left until the next deadline of an answer, for "còn mấy ngày nữa"; `countdown.yml` has the sentences."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path

import yaml

from rag.answer.deadlines import deadlines_in
from school.reading import Reading
from vietnamese.written_values import written_values

_SENTENCES = Path(__file__).with_name("countdown.yml")

COUNTDOWN, TERM = "countdown", "term"
"""The units of "còn mấy ngày" and of "học kỳ 2"."""


def time_left(answer: str, asked: Reading, today: date) -> str:
    """Return a sentence with the days until the next deadline of `answer`, of the term that the question names.

    Empty when the question does not ask for it, or the answer has no deadline. Without one ahead, it names the last.
    """
    if not any(value.unit == COUNTDOWN for value in asked.written_values):
        return ""
    deadlines = deadlines_in(answer)
    terms = {value.value for value in asked.written_values if value.unit == TERM}
    of_terms = [
        each for each in deadlines if terms & {v.value for v in written_values(each.text) if v.unit == TERM}
    ]
    days = [deadline.date for deadline in of_terms or deadlines]
    if not days:
        return ""
    said = _sentences()["en" if asked.is_english else "vi"]
    ahead = [day for day in days if day >= today]
    day = min(ahead) if ahead else max(days)
    key = "past" if not ahead else "today" if day == today else "ahead"
    return said[key].format(days=(day - today).days, day=f"{day:%d/%m/%Y}")


@lru_cache(maxsize=1)
def _sentences() -> Mapping[str, Mapping[str, str]]:
    loaded: Mapping[str, Mapping[str, str]] = yaml.safe_load(_SENTENCES.read_text(encoding="utf-8"))
    return loaded
