"""What an answer may depend on: the dimensions of a student's profile, and whom a text applies to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Dimension = Literal["cohort", "major", "program"]
DIMENSIONS: tuple[Dimension, ...] = ("cohort", "major", "program")

MAX_COHORT_DIGITS = 4
"""A cohort is a number or a year; a longer run of digits comes from elsewhere."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of the student; each value is a catalogue id or None when unknown."""

    cohort: str | None = None
    major: str | None = None
    program: str | None = None

    def get(self, dimension: Dimension) -> str | None:
        value: str | None = getattr(self, dimension)
        return value


@dataclass(frozen=True, slots=True)
class AppliesTo:
    """Whom a text is for. An empty tuple means everybody.

    `cohorts` are ranges of cohort numbers: "47-" (47 and later), "-46" (up to 46), "47-49", "47".
    """

    cohorts: tuple[str, ...] = ()
    majors: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()

    def values(self, dimension: Dimension) -> tuple[str, ...]:
        return {"cohort": self.cohorts, "major": self.majors, "program": self.programs}[dimension]

    def admits(self, dimension: Dimension, value: str) -> bool:
        """Whether a student whose `dimension` is `value` is among those the text is for."""
        allowed = self.values(dimension)
        if not allowed:
            return True
        if dimension == "cohort":
            return any(_in_range(value, cohorts) for cohorts in allowed)
        return value in allowed

    def excludes(self, profile: Profile) -> bool:
        """Whether something known of the student rules the text out."""
        return any(
            (value := profile.get(dimension)) is not None and not self.admits(dimension, value)
            for dimension in DIMENSIONS
        )


def _in_range(cohort: str, cohorts: str) -> bool:
    if not (cohort.isascii() and cohort.isdigit() and len(cohort) <= MAX_COHORT_DIGITS):
        return False
    low, dash, high = cohorts.partition("-")
    if not dash:
        return cohort == cohorts
    return int(low or 0) <= int(cohort) <= int(high or 10_000)
