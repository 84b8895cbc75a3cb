"""The promise of a calibration, put to the test: over a thousand samples the true risk is above the chosen one at
most in the stated share of them. A procedure that only looks at the measured risk fails the same test.
"""

from __future__ import annotations

import numpy as np
import pytest

from covan.calibrating.certify import certify, certify_by_topic
from covan.calibrating.guarantee import (
    CASES,
    Case,
    broken,
    broken_by_topic,
    by_measured_risk,
    learn_then_test,
    most_allowed,
    resample,
    true_risk,
)

RISK = 0.1


@pytest.mark.parametrize("delta", [0.1, 0.2])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_true_risk_is_above_the_chosen_one_at_most_as_often_as_stated(case: Case, delta: float) -> None:
    assert broken(learn_then_test, case, RISK, delta) <= most_allowed(delta)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.name != "under-confident"], ids=lambda case: case.name
)
def test_choosing_by_the_measured_risk_breaks_the_promise(case: Case) -> None:
    """The same simulation refuses a procedure that is wrong: it can fail."""
    assert broken(by_measured_risk, case, RISK, 0.1) > most_allowed(0.1)


@pytest.mark.parametrize("case", [case for case in CASES if "edge" in case.name], ids=lambda case: case.name)
def test_the_promise_is_used_up_where_the_risk_is_just_above(case: Case) -> None:
    """The test has power: a law at the very edge passes nearly as often as the promise allows."""
    assert broken(learn_then_test, case, RISK, 0.1) > 0.05


@pytest.mark.parametrize("questions", [300, 1000])
def test_a_good_engine_answers_much(questions: int) -> None:
    """Nearly all wrong at the worst end, hardly any at the best: three fifths can be answered within 10 %."""

    def law(p: np.ndarray) -> np.ndarray:
        return 0.9 * (1 - p) ** 2

    best = 1 - next(t for t in np.linspace(0, 1, 500) if true_risk(law, t) <= RISK)
    random = np.random.default_rng(3)
    coverages = []
    for _ in range(100):
        p = random.random(questions)
        coverages.append(certify(p, random.random(questions) >= law(p), RISK, 0.1).answered / questions)

    assert np.mean(coverages) > 0.65 * best


def test_by_topic_all_hold_together() -> None:
    """In at most a share delta of the samples is the risk of *any* group above the chosen one."""
    failed, easy_answered = broken_by_topic(900, RISK, 0.1)

    assert failed <= most_allowed(0.1)
    assert easy_answered > 0.9


def test_a_common_threshold_would_not_hold_for_every_topic() -> None:
    """Why a topic that is not certified is not answered: the easier topics have carried it."""
    random = np.random.default_rng(5)
    p = random.random(2000)
    hard = np.arange(2000) % 8 == 0
    right = random.random(2000) >= np.where(hard, 0.3, 0.02)

    common = certify(p, right, RISK, 0.1)
    grouped = certify_by_topic(p, right, np.where(hard, "hard", "easy").tolist(), RISK, 0.1)

    assert common.threshold is not None
    assert (~right)[hard & (p > common.threshold)].mean() > 0.2
    assert grouped.topics["hard"].threshold is None
    assert grouped.topics["easy"].threshold is not None


def test_real_answers_with_few_values_and_many_ties_are_no_exception() -> None:
    random = np.random.default_rng(9)
    p = np.round(random.random(300), 1)
    answers = list(zip(p.tolist(), (random.random(300) < 0.6 + 0.4 * p).tolist(), strict=True))

    kept = resample(answers, learn_then_test, RISK, 0.1)

    assert kept.broken <= most_allowed(0.1)
    assert resample(answers, by_measured_risk, RISK, 0.1).broken > most_allowed(0.1)
