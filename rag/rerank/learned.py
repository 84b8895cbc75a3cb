"""The learned reranker: passages ranked by a weighted sum of their features (`rag.rerank.ranking_model`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from rag.pipeline import Rule
from rag.rerank.ranking_model import Matrix, RankingModel, shipped_ranking
from rag.types import DOCUMENT_SOURCE, Candidate
from school.reading import Reading


class LearnedRerank(Rule):
    """The school's own ranking model, else the shipped one, ranks passages by their features."""

    sources = frozenset({DOCUMENT_SOURCE})
    rule: Literal["learned"]


class LearnedReranker:
    """Ranks anew the candidates that have features; the others follow in their order."""

    rule_type = LearnedRerank

    def __init__(self, rule: LearnedRerank, ranking: RankingModel | None = None) -> None:
        del rule  # it has no settings
        self._model = ranking or shipped_ranking()

    def rerank(
        self, question: Reading, candidates: Sequence[Candidate], topics: Mapping[str, float]
    ) -> list[Candidate]:
        """Rank candidates with features anew; their `scores` get `fused`, the score before."""
        del question, topics  # the features have both
        known = [candidate for candidate in candidates if looked_at(candidate)]
        if not known:
            return list(candidates)
        scores = self._model.scores(features_of(known, self._model.names))
        least = float(scores.min())
        ranked = [
            candidate.scored(score, {**candidate.scores, "fused": candidate.score})
            for candidate, score in zip(known, scores.tolist(), strict=True)
        ]
        ranked.sort(key=lambda candidate: -candidate.score)
        others = [
            candidate if candidate.score <= least else candidate.scored(least)
            for candidate in candidates
            if not looked_at(candidate)
        ]
        return ranked + others


def looked_at(candidate: Candidate) -> bool:
    """Return whether a passage has all features."""
    return "bigrams" in candidate.scores


def features_of(candidates: Sequence[Candidate], names: Sequence[str]) -> Matrix:
    """Return the named features of candidates, shape (candidates, names)."""
    rows = [[candidate.scores[name] for name in names] for candidate in candidates]
    return np.array(rows, np.float64).reshape(len(candidates), len(names))
