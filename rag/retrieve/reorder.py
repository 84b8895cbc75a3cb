"""Candidates ranked anew by what the first ranking did not look at.

Every way to rerank is a small class behind `Reorder`, made from the rule of the same name in a preset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from rag.pipeline import RerankRule, TopicRerank
from rag.types import Candidate
from rag.understand.question import Understood


class Reorder(Protocol):
    """Gives candidates new scores, and so a new order. Thread-safe."""

    def reorder(
        self, question: Understood, candidates: Sequence[Candidate], topics: Mapping[str, float]
    ) -> list[Candidate]:
        """The same candidates, best first by their new `score`; `topics` are probabilities, empty when unknown."""
        ...


def reorder_of(rule: RerankRule) -> Reorder:
    """The way to rerank that a preset describes."""
    return ReorderByTopic(rule)


class ReorderByTopic:
    """A linear mix of the score and of how likely the candidate's topic is (ChatCVHT).

    Without probabilities nothing changes; a candidate that has no topic fits any.
    """

    def __init__(self, rule: TopicRerank) -> None:
        self._weight = rule.weight

    def reorder(
        self, question: Understood, candidates: Sequence[Candidate], topics: Mapping[str, float]
    ) -> list[Candidate]:
        del question
        if not topics:
            return list(candidates)
        mixed = [
            replace(candidate, score=(1 - self._weight) * candidate.score + self._weight * likely)
            for candidate in candidates
            for likely in (1.0 if candidate.item.topic is None else topics.get(candidate.item.topic, 0.0),)
        ]
        return sorted(mixed, key=lambda candidate: -candidate.score)
