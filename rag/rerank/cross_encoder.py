"""The cross-encoder reranker: ranks the first few candidates anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import Field

from rag.pipeline import Rule
from rag.rerank.cross_encoder_model import CrossEncoderModel, load_cross_encoder
from rag.rerank.ranking_model import RankingModel
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, Candidate, FaqEntry, Passage
from school.reading import Reading


class CrossEncoderRerank(Rule):
    """(1 - weight) x score + weight x a cross-encoder's score ranks the first `candidates`.

    `model` is "sentence-transformers:NAME_OR_PATH".
    """

    sources = frozenset({FAQ_SOURCE, DOCUMENT_SOURCE})
    rule: Literal["cross_encoder"]
    model: str
    candidates: int = Field(default=10, ge=1, le=100)
    weight: float = Field(default=0.5, ge=0, le=1)


class CrossEncoderReranker:
    """Mixes the score with a cross-encoder's score of question and text, for the first few candidates."""

    rule_type = CrossEncoderRerank

    def __init__(
        self,
        rule: CrossEncoderRerank,
        ranking: RankingModel | None = None,
        model: CrossEncoderModel | None = None,
    ) -> None:
        del ranking  # the cross-encoder is the preset's choice
        self._rule = rule
        self._model = model or load_cross_encoder(rule.model)

    def rerank(
        self, question: Reading, candidates: Sequence[Candidate], topics: Mapping[str, float]
    ) -> list[Candidate]:
        """Rank the first candidates anew; their `scores` get `cross_encoder` and `fused`, the score before."""
        del topics
        weight = self._rule.weight
        read, others = candidates[: self._rule.candidates], candidates[self._rule.candidates :]
        if not read:
            return []
        said = self._model.scores(question.asked, [_text(candidate) for candidate in read])
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
    """Return the text for a cross-encoder: nearest heading and passage, or an entry's question and answer."""
    item = candidate.item
    if isinstance(item, Passage):
        return "\n".join((*item.context[-1:], item.text))
    assert isinstance(item, FaqEntry)
    return f"{item.question}\n{item.answer}"
