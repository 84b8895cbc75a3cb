"""How a student says the year of study they are in: "em năm 2", "sinh viên năm ba", "I am a second-year student".

Which cohort that is depends on the day it is said, so it is worked out where it is said (`server.nlu.school_year`);
here are the patterns, from `study_years.yml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from vietnamese.patterns import either

_WORDING = Path(__file__).with_name("study_years.yml")


@dataclass(frozen=True)
class _Wording:
    """The lists of `study_years.yml`."""

    years: Mapping[int, tuple[int | str, ...]]
    careful: tuple[str, ...]
    year: str
    not_before: str
    not_before_term: str
    student: tuple[str, ...]
    oneself: tuple[str, ...]
    alone: str
    beside: str
    english: tuple[str, ...]
    ordinals: Mapping[int, tuple[str, ...]]
    classes: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class StudyYearForm:
    """A way to say the year of study, counted from 1: `pattern` over lower-case text.

    With `beside` it counts only next to a major or a programme that the student says is theirs.
    """

    pattern: str
    year: int
    beside: bool = False


@lru_cache(maxsize=1)
def study_year_forms() -> tuple[StudyYearForm, ...]:
    """Every way to say every year."""
    return tuple(_forms(_Wording(**yaml.safe_load(_WORDING.read_text(encoding="utf-8")))))


def _forms(said: _Wording) -> Iterator[StudyYearForm]:
    for year, listed in said.years.items():
        names = [str(name) for name in listed]
        every = said.year.replace("{name}", "|".join(names)) + said.not_before
        sure = said.year.replace("{name}", "|".join(name for name in names if name not in said.careful))
        sure += said.not_before + said.not_before_term
        own = [pattern.replace("{year}", every) for pattern in said.student]
        own += [pattern.replace("{year}", sure) for pattern in said.oneself]
        for pattern in own:
            yield StudyYearForm(rf"(?<!\w){either(pattern)}", year)
        yield StudyYearForm(either(said.alone.replace("{year}", sure)), year)
        yield StudyYearForm(either(said.beside.replace("{year}", sure)), year, beside=True)
    for year, ordinals in said.ordinals.items():
        for pattern in said.english:
            if "{class}" in pattern and year not in said.classes:
                continue
            filled = pattern.replace("{ordinal}", f"(?:{'|'.join(ordinals)})").replace("{number}", str(year))
            yield StudyYearForm(rf"\b{filled.replace('{class}', said.classes.get(year, ''))}\b", year)
