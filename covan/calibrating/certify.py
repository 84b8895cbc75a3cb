"""A threshold with at most a requested error rate, with stated confidence: Learn then Test.

Angelopoulos, Bates, Candès, Jordan and Lei, "Learn then Test: calibrating predictive algorithms to achieve risk
control" (arXiv:2110.01052): thresholds are hypotheses "the risk here is above alpha", tested one after another in a
fixed order on labelled questions, and the last that was rejected is chosen.

The risk is that of the answers given: among questions whose probability is above the threshold, the share that is
answered wrongly. The candidates are the probabilities of the labelled questions themselves. Given the k-th highest of
n independent questions, those above it are k - 1 independent draws from all questions above it, so that their wrong
answers are binomial with just that risk, and the binomial tail is an exact p-value, whatever the law. (A threshold
must be the probability of the first question left out, not of the last one let in, or this does not hold.)

The order is from the surest down, and ends at the first threshold that fails. Where it begins depends on how many
questions there are, never on their labels (`first_count`). docs/decisions/0006-calibration.md discusses what holds
when, `benchmarks/guarantee.py` measures it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import numpy as np
import numpy.typing as npt

Probabilities = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]

TOLERATED = 5
"""The first test should survive this many wrong answers; one unlucky question must not decide everything."""

FIRST_SHARE = 1 / 5
"""The first test looks at no smaller share of what could be answered: with many questions, not only the very surest."""

MOST_NEEDED = 100_000
"""The number of questions at which the search for `needed` stops."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The certified threshold of one group of questions.

    `threshold`: answer above it; None when none was certified. `proposed` questions had something to answer; with the
    threshold `answered` of them are, `wrong` of those wrongly. `least_risk` is the upper confidence bound of the risk
    among the `first` surest: the lowest risk that these questions can certify.
    """

    threshold: float | None
    proposed: int
    answered: int
    wrong: int
    first: int
    least_risk: float

    @property
    def error(self) -> float:
        """The share of wrong answers among those given, as measured; 0 when none is given."""
        return self.wrong / self.answered if self.answered else 0.0


def certify(probabilities: Probabilities, right: Flags, risk: float, delta: float) -> Certificate:
    """Return the lowest threshold whose risk is at most `risk`, with confidence 1 - `delta`.

    `probabilities` (n,) in [0, 1] must not have been fitted on these questions; `right` (n,). The questions must be
    independent of each other and like those that will come. O(n log n). Raises ValueError for shapes or levels that
    make no sense.
    """
    if probabilities.shape != right.shape or probabilities.ndim != 1:
        raise ValueError("a probability and a label for each question")
    _check_levels(risk, delta)
    count = len(probabilities)
    order = np.argsort(-probabilities, kind="stable")
    ranked = probabilities[order]
    wrong = np.concatenate([[0], np.cumsum(~right[order])])
    first = min(first_count(count, risk, delta), count)
    least = least_risk(first, int(wrong[first]), delta)
    # After the k surest the next one must be less sure: questions of equal probability go together, and a question
    # with probability 0 is never answered.
    below = np.append(ranked[1:], 0.0) if count else ranked
    counts = np.arange(1, count + 1)[ranked > below]
    counts = counts[counts >= first_count(count, risk, delta)]
    passed = wrong[counts] <= allowed_errors(count, risk, delta)[counts]
    reached = int(np.argmin(passed)) if not passed.all() else len(passed)
    if reached == 0:
        return Certificate(None, count, 0, 0, first, least)
    answered = int(counts[reached - 1])
    return Certificate(float(below[answered - 1]), count, answered, int(wrong[answered]), first, least)


@lru_cache(maxsize=64)
def allowed_errors(count: int, risk: float, delta: float) -> Counts:
    """Return the errors among the k surest with which the test passes, for k = 0..count; -1 where it never passes.

    The largest x with P(Binomial(k, risk) <= x) <= delta.
    """
    # The console imports this module at its start and tests nothing then: SciPy's statistics take most of a second.
    from scipy.stats import binom  # noqa: PLC0415

    sizes = np.arange(count + 1)
    most = np.nan_to_num(binom.ppf(delta, sizes, risk))
    most -= binom.cdf(most, sizes, risk) > delta
    # With nothing answered nothing can be shown.
    most[0] = -1
    allowed: Counts = np.asarray(most, np.int64)
    allowed.setflags(write=False)
    return allowed


@lru_cache(maxsize=64)
def first_count(count: int, risk: float, delta: float) -> int:
    """Return the number of surest questions, of `count`, in the first test; above `count` when none can pass.

    A fifth of them, but so many that `TOLERATED` of them may be wrong, or as many fewer as half of them allows. It
    depends on no label.
    """
    at_least = needed(0, risk, delta)
    for errors in range(TOLERATED, 0, -1):
        wanted = needed(errors, risk, delta)
        if 2 * wanted <= count:
            at_least = wanted
            break
    return max(at_least, ceil(FIRST_SHARE * count))


@lru_cache(maxsize=256)
def needed(errors: int, risk: float, delta: float) -> int:
    """Return the least number of answers of which `errors` may be wrong and the test still passes.

    Raises ValueError when it is beyond all questions that anybody will label.
    """
    from scipy.stats import binom  # noqa: PLC0415

    _check_levels(risk, delta)
    low, high = errors + 1, MOST_NEEDED
    if binom.cdf(errors, high, risk) > delta:
        raise ValueError(f"a risk of {risk} cannot be shown with {high} questions")
    while low < high:
        middle = (low + high) // 2
        if binom.cdf(errors, middle, risk) <= delta:
            high = middle
        else:
            low = middle + 1
    return low


def least_risk(count: int, wrong: int, delta: float) -> float:
    """Return the upper Clopper-Pearson bound of the risk, with confidence 1 - `delta`; 1 when nothing is known."""
    from scipy.stats import beta  # noqa: PLC0415

    return float(beta.ppf(1 - delta, wrong + 1, count - wrong)) if wrong < count else 1.0


@dataclass(frozen=True, slots=True)
class ByTopic:
    """Thresholds certified group by group: each topic with enough questions, and all `others` together."""

    topics: Mapping[str, Certificate]
    others: Certificate


def certify_by_topic(
    probabilities: Probabilities, right: Flags, topics: Sequence[str | None], risk: float, delta: float
) -> ByTopic:
    """Return a threshold for each topic that has enough questions, and one for all other topics together.

    `topics` (n,) is what the engine takes each question to be about: it is what a running engine knows. Each of the
    G groups is certified with confidence 1 - delta / G (Bonferroni), so that with confidence 1 - `delta` the risk of
    *every* group is at most `risk`, and with that the risk of all answers. A group that is not certified gets no
    threshold and no answers: the common threshold is not certified for it, since easier topics may have carried it.
    Which topics have enough depends on counts alone.
    """
    chosen = topics_with_enough(topics, risk, delta)
    share = delta / (len(chosen) + 1)
    named = np.array([topic if topic in chosen else "" for topic in topics], dtype=object)

    def group(name: str) -> Certificate:
        members = np.asarray(named == name, dtype=np.bool_)
        return certify(probabilities[members], right[members], risk, share)

    return ByTopic({topic: group(topic) for topic in chosen}, group(""))


def topics_with_enough(topics: Sequence[str | None], risk: float, delta: float) -> tuple[str, ...]:
    """Topics with so many questions that one wrong answer among the surest half need not end it; by name."""
    named = sorted({topic for topic in topics if topic})
    # With as many groups as there may be at most; fewer make each easier.
    enough = 2 * needed(1, risk, delta / (len(named) + 1))
    listed = list(topics)
    return tuple(topic for topic in named if listed.count(topic) >= enough)


def _check_levels(risk: float, delta: float) -> None:
    if not (0 < risk < 1 and 0 < delta < 1):
        raise ValueError(f"risk and delta must lie between 0 and 1, not {risk} and {delta}")
