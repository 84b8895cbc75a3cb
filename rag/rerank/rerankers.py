"""Candidates ranked anew by what the first ranking did not look at.

Every way to rerank is a small class behind `Reorder`, made from the rule of the same name in a preset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol, assert_never

from rag.pipeline import CrossEncoderRerank, LearnedRerank, RerankRule, TopicRerank
from rag.query.understanding import Understood
from rag.rerank.cross_encoder_model import Reranker, load_reranker
from rag.rerank.learned import RankingModel, ReorderByFeatures, shipped_ranking
from rag.types import Candidate, Passage
from school.topics import topic_probability


class Reorder(Protocol):
    """Gives candidates new scores, and so a new order. Thread-safe."""

    def reorder(
        self, question: Understood, candidates: Sequence[Candidate], topics: Mapping[str, float]
    ) -> list[Candidate]:
        """The same candidates, best first by their new `score`; `topics` are probabilities, empty when unknown."""
        ...


def reorder_of(rule: RerankRule, ranking: RankingModel | None = None) -> Reorder:
    """The way to rerank that a preset describes; `ranking` is what was learnt, the shipped model when not given.

    Raises SettingsError when a cross-encoder is wanted that cannot be had.
    """
    match rule:
        case TopicRerank():
            return ReorderByTopic(rule)
        case LearnedRerank():
            return ReorderByFeatures(ranking or shipped_ranking())
        case CrossEncoderRerank():
            return ReorderByCrossEncoder(rule, load_reranker(rule.model))
        case _:
            assert_never(rule)


class ReorderByTopic:
    """A linear mix of the score and of how likely the candidate's topic is (ChatCVHT).

    Without probabilities nothing changes; a candidate whose topic is unknown to the classifier fits any.
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
            for likely in (topic_probability(topics, candidate.item.topic),)
        ]
        return sorted(mixed, key=lambda candidate: -candidate.score)


class ReorderByCrossEncoder:
    """A linear mix of the score and of what a cross-encoder says of question and text, for the first few."""

    def __init__(self, rule: CrossEncoderRerank, reranker: Reranker) -> None:
        self._rule = rule
        self._reranker = reranker

    def reorder(
        self, question: Understood, candidates: Sequence[Candidate], topics: Mapping[str, float]
    ) -> list[Candidate]:
        """`scores` gets `cross_encoder`, and `fused`, the score before; those that were not read keep their order."""
        del topics
        weight = self._rule.weight
        read, others = candidates[: self._rule.candidates], candidates[self._rule.candidates :]
        if not read:
            return []
        said = self._reranker.scores(question.asked, [_text(candidate) for candidate in read])
        mixed = [
            replace(
                candidate,
                score=(1 - weight) * candidate.score + weight * float(score),
                scores={**candidate.scores, "cross_encoder": float(score), "fused": candidate.score},
            )
            for candidate, score in zip(read, said, strict=True)
        ]
        mixed.sort(key=lambda candidate: -candidate.score)
        return mixed + [replace(other, score=min(other.score, mixed[-1].score)) for other in others]


def _text(candidate: Candidate) -> str:
    """What a cross-encoder reads: the nearest heading and the passage, or the entry's question and answer."""
    item = candidate.item
    if isinstance(item, Passage):
        return "\n".join((*item.context[-1:], item.text))
    return f"{item.question}\n{item.answer}"
