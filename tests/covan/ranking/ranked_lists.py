"""Lists of passages with made-up features: one feature tells the answering passage, the others are noise."""

from __future__ import annotations

import numpy as np

from covan.ranking.examples import Example
from rag.rerank.ranking_model import WEIGHED, RankingModel

PASSAGES = 8


def example(telling: str, seed: int, *, group: str | None = None, noise: float = 0.3) -> Example:
    """Passages with random features, of which the one that answers has the most of `telling`, up to some noise."""
    random = np.random.default_rng(seed)
    values = random.random((PASSAGES, len(WEIGHED)))
    told = values[:, WEIGHED.index(telling)] + noise * random.standard_normal(PASSAGES)
    relevant = np.zeros(PASSAGES, np.bool_)
    relevant[np.argmax(told)] = True
    return Example(group or f"group {seed}", values, relevant)


def ranking_by(**weights: float) -> RankingModel:
    """A model that weighs these features, and no other."""
    count = len(WEIGHED)
    return RankingModel(
        embedder="any",
        names=WEIGHED,
        means=(0.5,) * count,
        scales=(0.3,) * count,
        weights=tuple(weights.get(name, 0.0) for name in WEIGHED),
        bias=0.5,
    )
