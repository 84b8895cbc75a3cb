"""Rerankers rank candidates anew by signals that the first ranking did not use.

Every reranker is a class behind `Reranker`, registered by name (`rag.registry`) and made from the rule of that name in
a preset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

from rag.pipeline import Rule
from rag.registry import registered
from rag.rerank.ranking_model import RankingModel
from rag.types import Candidate
from school.reading import Reading


class Reranker(Protocol):
    """Gives candidates new scores, and so a new order. Thread-safe.

    The class is called with the rule of the preset and the school's own ranking model, None when it has none;
    `rule_type` is the class of its rule.
    """

    rule_type: ClassVar[type[Rule]]

    def rerank(
        self, question: Reading, candidates: Sequence[Candidate], topics: Mapping[str, float]
    ) -> list[Candidate]:
        """Return the same candidates, best first by their new `score`; `topics` are probabilities, empty if unknown."""
        ...


def reranker_of(rule: Rule, ranking: RankingModel | None = None) -> Reranker:
    """Return the reranker that a preset describes; `ranking` is the school's own model.

    Raises SettingsError for an unknown name, or when its model cannot be loaded.
    """
    reranker: Reranker = registered("rerankers", rule.rule)(rule, ranking)
    return reranker
