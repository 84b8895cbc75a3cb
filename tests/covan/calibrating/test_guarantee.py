"""The promise of a calibration, put to the test: over a thousand samples the true risk is above the chosen one at
most in the stated share of them.

The true risk of a threshold is known here, because the law is: probabilities are uniform in 0..1 and an answer of
probability p is wrong with probability `law(p)`. A procedure that only looks at the measured risk fails the same test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import binom

from covan.calibrating.certify import (
    Certificate,
    Flags,
    Probabilities,
    certify,
    certify_by_topic,
)

TRIALS = 1000
FINE = 20_001

Procedure = Callable[[Probabilities, Flags, float, float], float | None]


@dataclass(frozen=True)
class Law:
    """How often an answer is wrong by its probability, and how many questions a school has labelled."""

    name: str
    error: Callable[[Probabilities], Probabilities]
    questions: int

    def true_risk(self, threshold: float) -> float:
        """Of all answers above the threshold, the share that is wrong: the mean of the law there."""
        return float(self.error(np.linspace(threshold, 1, FINE)[1:]).mean())


def at_the_risk(probabilities: Probabilities) -> Probabilities:
    """Everywhere a hair more wrong answers than allowed: the hardest law to refuse."""
    return np.full_like(probabilities, 0.1001)


LAWS = (
    Law("well calibrated", lambda p: 1 - p, 400),
    Law("over-confident", lambda p: np.clip(1.6 * (1 - p) + 0.03, 0, 1), 400),
    Law("under-confident", lambda p: 0.3 * (1 - p) ** 2, 400),
    Law("flat", at_the_risk, 300),
    Law("flat and tiny", at_the_risk, 30),
    Law("a step", lambda p: np.where(p > 0.5, 0.02, 0.6), 200),
    Law("a dip: the surest are wrong", lambda p: np.where(p > 0.97, 0.5, np.where(p > 0.4, 0.06, 0.3)), 400),
    Law("waves", lambda p: 0.1 + 0.08 * np.sin(18 * p), 400),
    Law("backwards", lambda p: 0.02 + 0.15 * p, 400),
    Law("tiny", lambda p: 1 - p, 25),
)


def learn_then_test(p: Probabilities, right: Flags, risk: float, delta: float) -> float | None:
    return certify(p, right, risk, delta).threshold


def empirical(p: Probabilities, right: Flags, risk: float, delta: float) -> float | None:  # noqa: ARG001
    """What must not be done: the most answers whose measured error is at most the risk."""
    order = np.argsort(-p)
    share = np.cumsum(~right[order]) / np.arange(1, len(p) + 1)
    within = np.flatnonzero(share <= risk)
    return None if not len(within) else float(np.append(p[order], 0.0)[within[-1] + 1])


def exceeded(procedure: Procedure, law: Law, risk: float, delta: float, seed: int = 7) -> float:
    """The share of samples for which the true risk of the chosen threshold is above `risk`."""
    random = np.random.default_rng(seed)
    count = 0
    for _ in range(TRIALS):
        p = random.random(law.questions)
        right = random.random(law.questions) >= law.error(p)
        threshold = procedure(p, right, risk, delta)
        count += threshold is not None and law.true_risk(threshold) > risk
    return count / TRIALS


def slack(delta: float) -> float:
    """What a share that truly is `delta` stays below in a thousand trials, but for one time in a thousand."""
    return float(binom.ppf(0.999, TRIALS, delta)) / TRIALS


@pytest.mark.parametrize("delta", [0.1, 0.2])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_the_true_risk_is_above_the_chosen_one_at_most_as_often_as_stated(law: Law, delta: float) -> None:
    assert exceeded(learn_then_test, law, 0.1, delta) <= slack(delta)


@pytest.mark.parametrize(
    "law", [law for law in LAWS if law.name in ("well calibrated", "over-confident", "flat")]
)
def test_choosing_by_the_measured_risk_breaks_the_promise(law: Law) -> None:
    """The same simulation refuses a procedure that is wrong: it can fail."""
    assert exceeded(empirical, law, 0.1, 0.1) > 2 * slack(0.1)


def test_the_promise_is_used_up_where_the_risk_is_just_above() -> None:
    """Nothing is given away: a law at the very edge is let through nearly as often as may be."""
    assert exceeded(learn_then_test, LAWS[3], 0.1, 0.1) > 0.04


@pytest.mark.parametrize("questions", [300, 1000])
def test_a_good_engine_answers_much(questions: int) -> None:
    """Nearly all wrong at the worst end, hardly any at the best: three fifths can be answered within 10 %."""
    law = Law("good", lambda p: 0.9 * (1 - p) ** 2, questions)
    best = next(t for t in np.linspace(0, 1, 500) if law.true_risk(t) <= 0.1)
    random = np.random.default_rng(3)
    coverages = []
    for _ in range(100):
        p = random.random(questions)
        found = certify(p, random.random(questions) >= law.error(p), 0.1, 0.1)
        coverages.append(found.answered / questions)

    assert np.mean(coverages) > 0.65 * (1 - best)


TOPICS = ("tuition", "exams", "housing", "rare")
SHARES = np.array([0.35, 0.3, 0.25, 0.1])
ERRORS = {
    "tuition": lambda p: 0.12 * (1 - p),
    "exams": lambda p: 0.05 + 0.5 * (1 - p),
    "housing": at_the_risk,
    "rare": lambda p: 0.05 + 0.3 * (1 - p),
}


def test_by_topic_all_hold_together() -> None:
    """In at most a share delta of the samples is the risk of *any* group above the chosen one."""
    risk, delta, questions = 0.1, 0.1, 900
    laws = {topic: Law(topic, error, questions) for topic, error in ERRORS.items()}
    random = np.random.default_rng(11)
    failures, given = 0, 0
    for _ in range(TRIALS):
        topics = random.choice(len(TOPICS), size=questions, p=SHARES)
        p = random.random(questions)
        error = np.select([topics == i for i in range(len(TOPICS))], [ERRORS[t](p) for t in TOPICS])
        right = random.random(questions) >= error
        found = certify_by_topic(p, right, [TOPICS[i] for i in topics], risk, delta)
        certificates = dict(found.topics) | {"rare": found.others}
        assert set(certificates) == set(TOPICS)
        thresholds = {topic: c.threshold for topic, c in certificates.items()}
        given += thresholds["tuition"] is not None
        failures += any(t is not None and laws[topic].true_risk(t) > risk for topic, t in thresholds.items())

    assert failures / TRIALS <= slack(delta)
    assert given / TRIALS > 0.9


def test_a_common_threshold_would_not_hold_for_every_topic() -> None:
    """Why a topic that is not certified is not answered: the easier topics have carried it."""
    random = np.random.default_rng(5)
    p = random.random(2000)
    hard = np.arange(2000) % 8 == 0
    right = random.random(2000) >= np.where(hard, 0.3, 0.02)

    common: Certificate = certify(p, right, 0.1, 0.1)
    grouped = certify_by_topic(p, right, np.where(hard, "hard", "easy").tolist(), 0.1, 0.1)

    assert common.threshold is not None
    assert (~right)[hard & (p > common.threshold)].mean() > 0.2
    assert grouped.topics["hard"].threshold is None
    assert grouped.topics["easy"].threshold is not None
