"""Only items in force that apply to this student may answer."""

from __future__ import annotations

from datetime import date

import pytest

from rag.query.applicability import agrees_in_term, applicable, in_force, is_applicable
from rag.types import DOCUMENT_SOURCE, Candidate, FaqEntry, Passage
from school.dimensions import AppliesTo, Profile

EVERYBODY = AppliesTo()
TODAY = date(2026, 11, 1)
BEFORE, AFTER = date(2026, 10, 31), date(2026, 11, 2)


def passage(begins: date | None = None, ends: date | None = None, applies: AppliesTo = EVERYBODY) -> Passage:
    return Passage(
        "a", "A.", "a", "A", "Điều 1", applies_to=applies, effective_from=begins, effective_to=ends
    )


@pytest.mark.parametrize(
    ("begins", "ends", "holds"),
    [
        (None, None, True),
        (BEFORE, None, True),
        (TODAY, None, True),
        (AFTER, None, False),
        (None, AFTER, True),
        (None, TODAY, True),
        (None, BEFORE, False),
        (BEFORE, AFTER, True),
    ],
)
def test_first_and_last_day_count(begins: date | None, ends: date | None, holds: bool) -> None:
    assert in_force(passage(begins, ends), TODAY) is holds


@pytest.mark.parametrize(
    ("profile", "holds"),
    [
        (Profile(), True),
        (Profile({"cohort": "47"}), True),
        (Profile({"cohort": "46"}), False),
        (Profile({"cohort": "47", "program": "standard"}), False),
        (Profile({"major": "luat"}), True),
    ],
)
def test_what_is_known_of_the_student_rules_out(profile: Profile, holds: bool) -> None:
    applies = AppliesTo({"cohort": ("47-",), "program": ("clc",)})
    entry = FaqEntry("a", "A?", (), "A.", "study", applies_to=applies)

    assert is_applicable(passage(applies=applies), profile, TODAY) is holds
    assert is_applicable(entry, profile, TODAY) is holds


def test_the_order_stays() -> None:
    candidates = [
        Candidate(DOCUMENT_SOURCE, item, score)
        for item, score in ((passage(), 0.9), (passage(ends=BEFORE), 0.8), (passage(BEFORE), 0.7))
    ]

    assert applicable(candidates, Profile(), TODAY) == [candidates[0], candidates[2]]


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("Học kỳ 2 thi từ 14/06.", False),
        ("Học kỳ 2 thi từ 14/06, học kỳ 1 từ 04/01.", True),
        ("Thi cuối mỗi học kỳ.", True),
    ],
)
def test_what_is_of_another_term_tells_no_day_of_this_one(answer: str, holds: bool) -> None:
    entry = FaqEntry("exams", "Khi nào thi?", (), answer, "study")

    assert agrees_in_term(entry, frozenset({"1"})) is holds
