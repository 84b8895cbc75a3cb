"""Fusion of rankings: a weighted sum of scores, or reciprocal ranks (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from school.sentence_embedder import VectorArray

RRF_K = 60
"""The constant of Cormack et al."""


def weighted_sum(parts: Sequence[tuple[float, VectorArray]]) -> VectorArray:
    """Return the sum of weight x scores; every array has shape (n,)."""
    first, *rest = parts
    total = first[0] * first[1]
    for weight, scores in rest:
        total = total + weight * scores
    return total


def reciprocal_ranks(rankings: Sequence[VectorArray], k: int = RRF_K) -> VectorArray:
    """Return the sum over rankings of 1 / (k + rank), ranks from 1; every array of scores has shape (n,).

    An item with a score of 0 or less has no rank. Ties rank in the order of the items.
    """
    total = np.zeros(len(rankings[0]), np.float32)
    for scores in rankings:
        order = np.argsort(-scores, kind="stable")
        found = order[scores[order] > 0]
        total[found] += (1 / (k + 1 + np.arange(len(found)))).astype(np.float32)
    return total
