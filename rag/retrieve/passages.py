"""Passage retrieval: ranks passages by dense and lexical scores, by default by their weighted sum.

For the sum each score is scaled by question: cosines to 1 for the best and 0 for the average passage, BM25 to 1 for the
best. A passage is as near as its text or as the nearest question that a language model has written for it. Score fusion
beats rank fusion on Vietnamese regulations (docs/decisions/0003).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import islice
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from rag.index.format import Index
from rag.index.lexical import top
from rag.pipeline import Fusion, RetrievalWeights
from rag.rerank.answer_type import offered
from rag.rerank.features import Comparison, PassageWords
from rag.retrieve.fusion import reciprocal_ranks
from rag.types import DOCUMENT_SOURCE, Candidate, Passage
from school.abbreviations import Abbreviations
from school.dimensions import UNKNOWN_STUDENT, Profile
from school.reading import Reading
from school.sentence_embedder import VectorArray

LOOKED_AT = 30
"""The number of best passages that get all features: hardly ever is another one the answer."""

_ALL_AT_ONCE = 4_096
"""Up to this many passages all are scored by every signal; beyond, the best of each signal are."""


class PassageRetriever:
    """Ranks the passages of an index for a question."""

    def __init__(self, index: Index, weights: RetrievalWeights, fusion: Fusion = "weighted") -> None:
        self._index = index
        self._weights = weights
        self._fusion = fusion
        self._articles = np.asarray(index.article_rows, np.intp)
        self._questions = np.asarray(index.question_rows, np.intp)
        abbreviations = Abbreviations(index.reading.abbreviations)
        # Computing these takes longer than comparing them, and the same passages are found again and again.
        self._words = lru_cache(_REMEMBERED)(
            lambda place: PassageWords.of(index.passages[place], abbreviations)
        )

    def retrieve(
        self,
        question: Reading,
        vector: VectorArray,
        count: int | None = None,
        admits: Callable[[Passage], bool] = lambda _: True,
        topics: Mapping[str, float] = MappingProxyType({}),
        profile: Profile = UNKNOWN_STUDENT,
        closely: int = LOOKED_AT,
    ) -> list[Candidate]:
        """Return the best passages for a question, best first.

        `vector` is the question's embedding, shape (d,). Passages that `admits` rejects, such as old versions, take no
        place among the `count`. `topics` are probabilities, empty when unknown. By the fusion, `score` is the weighted
        mean in 0..1 of `dense`, `lexical`, `article` and `coverage`, the sum of reciprocal ranks by `cosine` and
        `lexical`, or one of these two; `cosine` is that of the passage's text alone. The first `closely` have all
        features (`rag.rerank.features`).
        """
        if not self._index.passages:
            return []
        weights = self._weights
        lexical = self._index.passage_terms.scores(question.normalized, question.expansions)
        article = self._index.article_terms.scores(question.normalized, question.expansions)[self._articles]
        asked = self._asked(vector)
        places = self._places(vector, lexical, asked)
        cosines = self._index.passage_vectors.cosines(vector, places)
        nearness = cosines if asked is None else np.maximum(cosines, asked[places])
        mean = self._index.passage_vectors.mean_cosine(vector)
        dense = np.clip((nearness - mean) / max(float(nearness.max()) - mean, 1e-6), 0, 1)
        lexical_part = _share_of_best(lexical)[places]
        article_part = _share_of_best(article)[places]
        match self._fusion:
            case "weighted":
                fused = (
                    weights.dense * dense + weights.lexical * lexical_part + weights.article * article_part
                )
            case "rrf":
                # Cosines above 0 give every passage a rank.
                fused = reciprocal_ranks((nearness + 2, lexical_part))
            case "dense":
                fused = nearness
            case "lexical":
                fused = lexical_part
        ranked = (
            (row, passage)
            for row in top(fused, len(fused))
            if admits(passage := self._index.passages[places[row]])
        )
        comparison = Comparison(question, self._index.passage_terms, topics, profile)
        whole, covering = 1.0, 0.0
        if self._fusion == "weighted":
            covering = weights.coverage
            whole = weights.dense + weights.lexical + weights.article + covering
        found = []
        for rank, (row, passage) in enumerate(islice(ranked, count or weights.candidates)):
            place = int(places[row])
            scores = {
                "cosine": float(cosines[row]),
                "dense": float(dense[row]),
                "lexical": float(lexical_part[row]),
                "lexical_raw": comparison.share_of_bm25(float(lexical[place])),
                "article": float(article_part[row]),
                "coverage": 0.0,
            }
            if rank < closely:
                kinds = offered(self._index.passages[place].text) if comparison.wanted else frozenset()
                scores |= comparison.of(passage, self._words(place), kinds)
            covered = scores["coverage"] if rank < _COVERED else 0.0
            score = (float(fused[row]) + covering * covered) / whole
            found.append(Candidate(DOCUMENT_SOURCE, passage, score, scores))
        return sorted(found, key=lambda candidate: -candidate.score)

    def _asked(self, vector: VectorArray) -> VectorArray | None:
        """Return the best cosine (n,) of the generated questions of each passage; None without any."""
        if self._index.question_vectors is None:
            return None
        best = np.full(len(self._index.passages), -1, np.float32)
        nearest, cosines = self._index.question_vectors.search(vector, self._weights.candidates)
        np.maximum.at(best, self._questions[nearest], cosines)
        return best

    def _places(
        self, vector: VectorArray, lexical: VectorArray, asked: VectorArray | None
    ) -> npt.NDArray[np.intp]:
        total, most = len(self._index.passages), self._weights.candidates
        if total <= _ALL_AT_ONCE:
            return np.arange(total)
        nearest, _ = self._index.passage_vectors.search(vector, most)
        places = np.union1d(nearest, top(lexical, most))
        if asked is not None:
            places = np.union1d(places, np.flatnonzero(asked > -1))
        return places.astype(np.intp)


_COVERED = 10
"""The number of best passages whose fused score counts coverage: none of the others could become the answer."""

_REMEMBERED = 4_096
"""The number of passages whose words are kept, some kilobytes each."""


def _share_of_best(scores: VectorArray) -> VectorArray:
    best = float(scores.max(initial=0))
    return scores / best if best > 0 else scores
