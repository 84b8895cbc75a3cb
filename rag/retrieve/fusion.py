"""Fusion of rankings by reciprocal ranks (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from school.sentence_embedder import VectorArray

RRF_K = 60
"""The constant of Cormack et al."""


def reciprocal_ranks(rankings: Sequence[VectorArray]) -> VectorArray:
    """Return the sum over rankings of 1 / (RRF_K + rank), ranks from 1; every array of scores has shape (n,).

    An item with a score of 0 or less has no rank. Ties rank in the order of the items.
    """
    total = np.zeros(len(rankings[0]), np.float32)
    for scores in rankings:
        order = np.argsort(-scores, kind="stable")
        found = order[scores[order] > 0]
        total[found] += (1 / (RRF_K + 1 + np.arange(len(found)))).astype(np.float32)
    return total
