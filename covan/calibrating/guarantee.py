"""A test of the promise: the threshold is chosen over and over on fresh samples of a known law.

A promise with confidence 1 - delta may fail in a share delta of the samples. It fails when the *true* risk above the
chosen threshold is higher than the risk that was asked for; the true risk is worked out from the law, never measured
on a second sample, whose noise would blur the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from covan.calibrating.certify import Certificate, Flags, Probabilities, certify, certify_by_topic

TRIALS = 1000
FINE = 20_001
"""Points at which a law is averaged."""

Procedure = Callable[[Probabilities, Flags, float, float], float | None]
"""Chooses a threshold from probabilities, labels, the risk and delta; None: nothing is answered."""

Law = Callable[[Probabilities], Probabilities]
"""The risk of an answer by its probability. Probabilities themselves are uniform over 0..1."""


@dataclass(frozen=True, slots=True)
class Case:
    """A law, and how many questions a school has labelled."""

    name: str
    law: Law
    questions: int


def _edge(probabilities: Probabilities) -> Probabilities:
    """Everywhere a hair above a risk of 10 %: the hardest to refuse."""
    return np.full_like(probabilities, 0.1001)


CASES = (
    Case("well calibrated", lambda p: 1 - p, 400),
    Case("over-confident", lambda p: np.clip(1.6 * (1 - p) + 0.03, 0, 1), 400),
    Case("under-confident", lambda p: 0.3 * (1 - p) ** 2, 400),
    Case("flat, at the edge", _edge, 300),
    Case("flat, at the edge, tiny", _edge, 30),
    Case("a step", lambda p: np.where(p > 0.5, 0.02, 0.6), 200),
    Case("the surest are wrong", lambda p: np.where(p > 0.97, 0.5, np.where(p > 0.4, 0.06, 0.3)), 400),
    Case("waves", lambda p: 0.1 + 0.08 * np.sin(18 * p), 400),
    Case("backwards", lambda p: 0.02 + 0.15 * p, 400),
    Case("tiny", lambda p: 1 - p, 25),
)

TOPICS: Mapping[str, tuple[float, Law]] = {
    "easy": (0.35, lambda p: 0.12 * (1 - p)),
    "hard": (0.3, lambda p: 0.05 + 0.5 * (1 - p)),
    "edge": (0.25, _edge),
    "rare": (0.1, lambda p: 0.05 + 0.3 * (1 - p)),
}
"""Shares of the questions and laws by topic; "rare" has too few for a threshold of its own."""


def learn_then_test(p: Probabilities, right: Flags, risk: float, delta: float) -> float | None:
    """Return the procedure of `covan calibrate`."""
    return certify(p, right, risk, delta).threshold


def by_measured_risk(p: Probabilities, right: Flags, risk: float, delta: float) -> float | None:  # noqa: ARG001
    """Choose the threshold by the measured error alone, which breaks the promise. For comparison."""
    if not len(p):
        return None
    order = np.argsort(-p)
    share = np.cumsum(~right[order]) / np.arange(1, len(p) + 1)
    within = np.flatnonzero(share <= risk)
    return float(np.append(p[order], 0.0)[within[-1] + 1]) if len(within) else None


def true_risk(law: Law, threshold: float) -> float:
    """Of all answers above the threshold, the share that is wrong."""
    return float(law(np.linspace(threshold, 1, FINE)[1:]).mean())


def broken(procedure: Procedure, case: Case, risk: float, delta: float, seed: int = 7) -> float:
    """Return the share of `TRIALS` samples for which the promise fails."""
    random = np.random.default_rng(seed)
    count = 0
    for _ in range(TRIALS):
        p = random.random(case.questions)
        right = random.random(case.questions) >= case.law(p)
        threshold = procedure(p, right, risk, delta)
        count += threshold is not None and true_risk(case.law, threshold) > risk
    return count / TRIALS


def broken_by_topic(questions: int, risk: float, delta: float, seed: int = 11) -> tuple[float, float]:
    """Return the share of samples for which the promise fails for *any* topic, and that in which "easy" is answered."""
    names = list(TOPICS)
    shares = [share for share, _ in TOPICS.values()]
    random = np.random.default_rng(seed)
    failed = answered = 0
    for _ in range(TRIALS):
        drawn = random.choice(len(names), size=questions, p=shares)
        p = random.random(questions)
        wrong = np.select(
            [drawn == place for place in range(len(names))], [law(p) for _, law in TOPICS.values()]
        )
        right = random.random(questions) >= wrong
        found = certify_by_topic(p, right, [names[place] for place in drawn], risk, delta)
        groups: dict[str, Certificate] = {"rare": found.others, **found.topics}
        thresholds = {name: group.threshold for name, group in groups.items()}
        answered += thresholds.get("easy") is not None
        failed += any(
            threshold is not None and true_risk(TOPICS[name][1], threshold) > risk
            for name, threshold in thresholds.items()
        )
    return failed / TRIALS, answered / TRIALS


@dataclass(frozen=True, slots=True)
class Resampled:
    """The outcome of `TRIALS` samples of real answers.

    `broken`: the share of samples whose threshold has too high a risk among all answers given. `answered`: the mean
    share answered of all. `silent`: the share of samples in which nothing was certified.
    """

    broken: float
    answered: float
    silent: float


def resample(
    answers: Sequence[tuple[float, bool]],
    procedure: Procedure,
    risk: float,
    delta: float,
    seed: int = 7,
) -> Resampled:
    """Choose thresholds on samples, drawn with replacement, of real answers (probability, right).

    The answers given stand for all there are, so that the true risk of a threshold is known here too.
    """
    p = np.array([probability for probability, _ in answers], np.float64)
    right = np.array([flag for _, flag in answers], np.bool_)
    random = np.random.default_rng(seed)
    failed = silent = 0
    coverage = 0.0
    for _ in range(TRIALS):
        drawn = random.integers(len(p), size=len(p))
        threshold = procedure(p[drawn], right[drawn], risk, delta)
        above = p > (np.inf if threshold is None else threshold)
        silent += threshold is None
        coverage += float(above.mean())
        failed += bool(above.any()) and float((~right[above]).mean()) > risk
    return Resampled(failed / TRIALS, coverage / TRIALS, silent / TRIALS)


def most_allowed(delta: float) -> float:
    """Return the upper bound of the share of failures in `TRIALS` samples of a true `delta`, 999 times of 1,000."""
    return float(binom.ppf(0.999, TRIALS, delta)) / TRIALS
