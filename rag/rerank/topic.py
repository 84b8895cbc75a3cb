"""The topic reranker: ranks by the probability of a candidate's topic (ChatCVHT, doi:10.59715/pntjmp.5.2.12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from rag.pipeline import Rule
from rag.rerank.ranking_model import RankingModel
from rag.types import Candidate
from school.reading import Reading
from school.topics import topic_probability


class TopicRerank(Rule):
    """(1 - weight) x score + weight x the probability of the candidate's topic."""

    rule: Literal["topic"]
    weight: float = Field(ge=0, le=1)


class TopicReranker:
    """Mixes the score with the probability of the candidate's topic; without probabilities, keeps the ranking.

    A topic that the classifier lacks has the probability 1.
    """

    rule_type = TopicRerank

    def __init__(self, rule: TopicRerank, ranking: RankingModel | None = None) -> None:
        del ranking  # its weight stands in the preset
        self._weight = rule.weight

    def rerank(
        self, question: Reading, candidates: Sequence[Candidate], topics: Mapping[str, float]
    ) -> list[Candidate]:
        del question
        if not topics:
            return list(candidates)
        mixed = [
            candidate.scored((1 - self._weight) * candidate.score + self._weight * likely)
            for candidate in candidates
            for likely in (topic_probability(topics, candidate.item.topic),)
        ]
        return sorted(mixed, key=lambda candidate: -candidate.score)
