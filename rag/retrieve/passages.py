"""The document tier: passages ranked by a weighted sum of dense and lexical scores.

Each score is scaled for the question at hand: cosines so that the best passage has 1 and the average one 0, BM25 so
that the best has 1. Score fusion beats rank fusion on Vietnamese regulations (measured; docs/decisions/0003).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import numpy as np
import numpy.typing as npt

from rag.knowledge.abbreviations import Abbreviations
from rag.knowledge.index import Index
from rag.pipeline import RetrievalWeights
from rag.retrieve.coverage import Coverage, Said
from rag.retrieve.lexical import top
from rag.types import Candidate, Passage, Tier, VectorArray
from rag.understand.question import Understood

_ALL_AT_ONCE = 4_096
"""Up to so many passages every one is scored by every signal; beyond, only the best of each signal."""


class PassageRetriever:
    """Ranks the passages of an index for a question."""

    def __init__(self, index: Index, weights: RetrievalWeights) -> None:
        self._index = index
        self._weights = weights
        self._articles = np.asarray(index.article_rows, np.intp)
        self._abbreviations = Abbreviations(index.dictionaries.abbreviations)

    def retrieve(
        self,
        question: Understood,
        vector: VectorArray,
        count: int | None = None,
        admits: Callable[[Passage], bool] = lambda _: True,
    ) -> list[Candidate]:
        """The best passages for a question, best first.

        `vector` is the embedding of what is asked, shape (d,). Only what `admits` lets through is taken: however many
        old versions rank higher, they take no place.
        `score` is the fused score in 0..1; `scores` has `cosine`, `dense`, `lexical`, `article` and `coverage`.
        """
        if not self._index.passages:
            return []
        weights = self._weights
        lexical = self._index.passage_terms.scores(question.plain, question.also)
        article = self._index.article_terms.scores(question.plain, question.also)[self._articles]
        places = self._places(vector, lexical)
        cosines = self._index.passage_vectors.cosines(vector, places)
        mean = self._index.passage_vectors.mean_cosine(vector)
        dense = np.clip((cosines - mean) / max(float(cosines.max()) - mean, 1e-6), 0, 1)
        lexical_part = _share_of_best(lexical)[places]
        article_part = _share_of_best(article)[places]
        fused = weights.dense * dense + weights.lexical * lexical_part + weights.article * article_part
        coverage = Coverage(question.asked, self._index.passage_terms)
        ranked = (
            (row, passage)
            for row in top(fused, len(fused))
            if admits(passage := self._index.passages[places[row]])
        )
        return [
            Candidate(
                source=Tier.DOCUMENT,
                item=passage,
                score=float(fused[row]),
                scores={
                    "cosine": float(cosines[row]),
                    "dense": float(dense[row]),
                    "lexical": float(lexical_part[row]),
                    "article": float(article_part[row]),
                    "coverage": coverage.of(self._searched(passage)) if rank < _COVERED else 0.0,
                },
            )
            for rank, (row, passage) in enumerate(islice(ranked, count or weights.candidates))
        ]

    def _places(self, vector: VectorArray, lexical: VectorArray) -> npt.NDArray[np.intp]:
        total = len(self._index.passages)
        if total <= _ALL_AT_ONCE:
            return np.arange(total)
        nearest, _ = self._index.passage_vectors.search(vector, self._weights.candidates)
        return np.union1d(nearest, top(lexical, self._weights.candidates)).astype(np.intp)

    def _searched(self, passage: Passage) -> Said:
        return Said.by(self._abbreviations.expand("\n".join((passage.title, *passage.context, passage.text))))


_COVERED = 3
"""Coverage is reckoned for the first few only: the gate looks at no more."""


def _share_of_best(scores: VectorArray) -> VectorArray:
    best = float(scores.max(initial=0))
    return scores / best if best > 0 else scores
