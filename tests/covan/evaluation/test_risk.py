"""Risk and coverage of answers ranked by how sure they are."""

from __future__ import annotations

import pytest

from covan.evaluation.risk import area, curve

SURE_FIRST = [(0.9, True), (0.2, False), (0.8, True), (0.4, False)]


def test_the_surest_come_first() -> None:
    assert curve(SURE_FIRST, questions=8) == [(1 / 8, 0), (2 / 8, 0), (3 / 8, 1 / 3), (4 / 8, 1 / 2)]


def test_the_area_is_the_mean_risk() -> None:
    assert area(SURE_FIRST) == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4)


def test_sure_of_what_is_wrong_is_worse() -> None:
    best, worst = area(SURE_FIRST), area([(1 - sure, right) for sure, right in SURE_FIRST])

    assert best is not None
    assert worst is not None
    assert best < worst


def test_answers_of_one_confidence_come_in_together_whatever_their_order() -> None:
    tied = [(0.5, True), (0.5, False), (0.5, False), (0.5, True)]

    assert curve(tied, questions=4) == [(1.0, 0.5)]
    assert area(tied) == area(tied[::-1]) == area(sorted(tied)) == pytest.approx(0.5)


def test_nothing_answered_has_no_risk() -> None:
    assert curve([], questions=3) == []
    assert area([]) is None
