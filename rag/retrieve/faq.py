"""The FAQ tier: entries ranked by how like the question is to one of the ways each is asked."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from rag.knowledge.index import Index
from rag.pipeline import FaqWeights
from rag.retrieve.lexical import STOPWORDS, top
from rag.text import fold, words
from rag.types import Candidate, Tier, VectorArray

_FOLDED_STOPWORDS = frozenset(map(fold, STOPWORDS))
_TEXTS = 60
"""How many of the nearest phrasings are compared word by word."""


class FaqRetriever:
    """Ranks the curated entries of an index for a question."""

    def __init__(self, index: Index, weights: FaqWeights) -> None:
        self._index = index
        self._weights = weights
        self._total = len(index.faq_rows)

    def retrieve(self, text: str, vector: VectorArray, count: int = 20) -> list[Candidate]:
        """The best entries, best first, each by its best phrasing.

        `score` is the similarity in 0..1: the cosine scaled from its floor, and the Dice coefficient of the two
        questions' words without diacritics, each word weighed by how rare it is. `scores` has `cosine` and `dice`.
        """
        if not self._total:
            return []
        nearest, _ = self._index.faq_vectors.search(vector, _TEXTS)
        places = np.union1d(nearest, top(self._index.faq_terms.scores(text), _TEXTS)).astype(np.intp)
        cosines = self._index.faq_vectors.cosines(vector, places)
        floor = self._weights.cosine_floor
        asked = self._weighed(text)
        found: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
        for place, cosine in zip(places, cosines, strict=True):
            dice = _dice(asked, self._weighed(self._index.faq_texts[place]))
            dense = min(max((float(cosine) - floor) / (1 - floor), 0.0), 1.0)
            score = self._weights.dense * dense + (1 - self._weights.dense) * dice
            found[self._index.faq_rows[place]].append((score, float(cosine), dice))
        candidates = [
            Candidate(
                source=Tier.FAQ,
                item=self._index.faq[row],
                score=(best := max(scored))[0],
                scores={"cosine": best[1], "dice": best[2]},
            )
            for row, scored in found.items()
        ]
        return sorted(candidates, key=lambda candidate: -candidate.score)[:count]

    def _weighed(self, text: str) -> dict[str, float]:
        folded = self._index.faq_terms.folded
        return {
            token: float(np.log(1 + self._total / (1 + folded.document_frequency(token))))
            for token in map(fold, words(text))
            if token not in _FOLDED_STOPWORDS
        }


def _dice(one: dict[str, float], other: dict[str, float]) -> float:
    whole = sum(one.values()) + sum(other.values())
    return 2 * sum(weight for token, weight in one.items() if token in other) / whole if whole else 0.0
