"""The year of study that a student says they are in: "em năm 2", "sinh viên năm ba", "I am a second-year student".

The patterns stand in `study_years.yml`. The students of a year depend on the day of the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from vietnamese.data_files import yaml_beside
from vietnamese.patterns import either

_YEAR_WORD = re.compile(r"n[ăa]m|year|fresh|sophomore")
"""Part of every form, so that most texts are skipped quickly."""


@dataclass(frozen=True, slots=True)
class StudyYearForm:
    """A way to say the year of study, counted from 1: `pattern` over lower-case text.

    With `beside` it counts only next to a major or a programme that the student claims.
    """

    pattern: str
    year: int
    beside: bool = False


@dataclass(frozen=True, slots=True)
class StudyYear:
    """`start`..`end` of a text names the year of study of a `value`, such as a cohort.

    With `beside` it counts only next to a major or a programme that the student claims.
    """

    start: int
    end: int
    value: str
    beside: bool


class StudyYears:
    """Reads "em năm 2" as the cohort that is in its second year.

    `entered` maps a calendar year to the value, such as a cohort, of the students who entered in it; academic years
    begin in the month `begins` (1..12).
    """

    def __init__(self, entered: Mapping[int, str], begins: int) -> None:
        self._entered = dict(entered)
        self._begins = begins
        self._forms = [(re.compile(form.pattern), form.year, form.beside) for form in study_year_forms()]

    def value(self, year: int, today: date) -> str | None:
        """Return the value of the students in their `year`-th year of study; None when there are none."""
        begun = today.year if today.month >= self._begins else today.year - 1
        return self._entered.get(begun - year + 1)

    def find(self, lowered: str, today: date) -> list[StudyYear]:
        """Return the years of study that a text in lower case says; they may overlap."""
        if not self._entered or not _YEAR_WORD.search(lowered):
            return []
        return [
            StudyYear(found.start(), found.end(), value, beside)
            for pattern, year, beside in self._forms
            if (value := self.value(year, today)) is not None
            for found in pattern.finditer(lowered)
        ]


def speaks_of_study_year(text: str) -> bool:
    """Return whether a text speaks of a year of study, the writer's own or not: "từ năm thứ ba"."""
    return _spoken_of().search(text.lower()) is not None


@lru_cache(maxsize=1)
def _spoken_of() -> re.Pattern[str]:
    said = yaml_beside(__file__, "study_years.yml")
    return re.compile(either(said["spoken_of"] + said["not_before"]))


@lru_cache(maxsize=1)
def study_year_forms() -> tuple[StudyYearForm, ...]:
    """Return every form of every year of study."""
    return tuple(_forms(yaml_beside(__file__, "study_years.yml")))


def _forms(said: Mapping[str, Any]) -> Iterator[StudyYearForm]:
    for year, listed in said["years"].items():
        names = [str(name) for name in listed]
        every = said["year"].replace("{name}", "|".join(names)) + said["not_before"]
        sure = said["year"].replace("{name}", "|".join(name for name in names if name not in said["careful"]))
        sure += said["not_before"] + said["not_before_term"]
        own = [pattern.replace("{year}", every) for pattern in said["student"]]
        own += [pattern.replace("{year}", sure) for pattern in said["oneself"]]
        for pattern in own:
            yield StudyYearForm(rf"(?<!\w){either(pattern)}", year)
        yield StudyYearForm(either(said["alone"].replace("{year}", sure)), year)
        yield StudyYearForm(either(said["beside"].replace("{year}", sure)), year, beside=True)
    classes = said["classes"]
    for year, ordinals in said["ordinals"].items():
        for pattern in said["english"]:
            if "{class}" in pattern and year not in classes:
                continue
            filled = pattern.replace("{ordinal}", f"(?:{'|'.join(ordinals)})").replace("{number}", str(year))
            yield StudyYearForm(rf"\b{filled.replace('{class}', classes.get(year, ''))}\b", year)
