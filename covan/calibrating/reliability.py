"""Reliability of probabilities: of the answers held 80 % probable, are 80 % right?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.stats import beta

MOST_BINS = 10
LEAST_IN_BIN = 10
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of about the same probability: the mean of it, and the share that is right with its 95 % interval."""

    probability: float
    right: float
    low: float
    high: float
    count: int


def reliability(answers: Iterable[tuple[float, bool]]) -> list[Bin]:
    """Bins of equally many answers (probability, right), from the least probable on; at most `MOST_BINS`."""
    ranked = sorted(answers)
    parts = max(1, min(MOST_BINS, len(ranked) // LEAST_IN_BIN))
    bins = []
    for places in np.array_split(np.arange(len(ranked)), parts):
        if len(places):
            some = [ranked[place] for place in places]
            rights = sum(right for _, right in some)
            low, high = _interval(rights, len(some))
            mean = sum(probability for probability, _ in some) / len(some)
            bins.append(Bin(mean, rights / len(some), low, high, len(some)))
    return bins


def _interval(rights: int, count: int) -> tuple[float, float]:
    """Clopper-Pearson."""
    tail = (1 - CONFIDENCE) / 2
    low = float(beta.ppf(tail, rights, count - rights + 1)) if rights else 0.0
    high = float(beta.ppf(1 - tail, rights + 1, count - rights)) if rights < count else 1.0
    return low, high
