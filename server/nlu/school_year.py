"""Today, and which cohort is in which year of its studies."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import date
from typing import Any, Dict, List, Tuple
from typing import Pattern as Pattern_

TODAY = "COVAN_TODAY"
"""The environment variable that says what day it is, as 2026-11-22: for tests and rehearsals."""


def today() -> date:
    """The day it is.

    Raises:
        ValueError: when COVAN_TODAY is set and is no ISO date.
    """
    said = os.environ.get(TODAY)
    if not said:
        return date.today()
    try:
        return date.fromisoformat(said)
    except ValueError as error:
        raise ValueError(f"{TODAY} must be a day like 2026-11-22, not '{said}'") from error


@dataclass(frozen=True)
class StudyYear:
    """`start`..`end` of a text says the year of study; with `beside` only next to a major or programme of one's own."""

    start: int
    end: int
    cohort: str
    beside: bool


class StudyYears:
    """Reads "em năm 2" as the cohort that is in its second year.

    `data` has `forms` (a `pattern` over lower-case text, the `year` it says, `beside`), `entered` (year to cohort) and
    `begins` (the month that academic years begin in).
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        self._forms: List[Tuple[Pattern_[str], int, bool]] = [
            (re.compile(form["pattern"]), int(form["year"]), bool(form["beside"]))
            for form in data.get("forms", ())
        ]
        self._entered: Dict[int, str] = {
            int(year): cohort for year, cohort in data.get("entered", {}).items()
        }
        self._begins = int(data.get("begins", 9))

    def cohort(self, year: int, day: date) -> str:
        """The cohort in its `year`-th year of study on a day; empty when the catalogue has none."""
        begun = day.year if day.month >= self._begins else day.year - 1
        return self._entered.get(begun - year + 1, "")

    def find(self, lowered: str, day: date) -> List[StudyYear]:
        """The years of study that a text says, as cohorts; they may overlap."""
        if (
            "n\u0103m" not in lowered
            and "nam" not in lowered
            and not re.search(r"year|fresh|sophomore", lowered)
        ):
            return []
        return [
            StudyYear(found.start(), found.end(), cohort, beside)
            for pattern, year, beside in self._forms
            if (cohort := self.cohort(year, day))
            for found in pattern.finditer(lowered)
        ]
