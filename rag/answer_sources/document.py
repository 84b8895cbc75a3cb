"""The answer source of documents: extracts of the school's publications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from rag.answer.extract import extract
from rag.answer_sources.source import WEIGHED, Found, Lookup, Resources, RuledSource
from rag.decide.gate import Signals, passage_signals
from rag.pipeline import SourceRule
from rag.retrieve.graph_expansion import GraphExpansion
from rag.retrieve.passages import LOOKED_AT, PassageRetriever
from rag.types import DOCUMENT_SOURCE, Candidate, Citation

LOOKED_AT_BEHIND = 15
"""The number of passages that get all features for a message behind other words, of those that are weighed. Of 983
turns, none has another answer for it."""


class DocumentSource(RuledSource):
    """Answers with quotations of the passages and sentences that fit the question."""

    name = DOCUMENT_SOURCE
    curated = False
    searched_after: tuple[str, ...] = ()

    def __init__(self, rule: SourceRule, resources: Resources) -> None:
        super().__init__(rule, resources)
        self._retriever = PassageRetriever(resources.index, resources.pipeline.retrieval, rule.fusion)
        self._limits = resources.pipeline.extract
        self._is_empty = not resources.index.passages
        store = resources.index.store
        self._expansion = GraphExpansion(store) if rule.expansion is not None and store is not None else None

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        admits = partial(self._admits, lookup)
        looked_at, closely = count, LOOKED_AT
        if self._expansion is not None:
            looked_at = None
        elif lookup.is_behind:
            looked_at, closely = WEIGHED, LOOKED_AT_BEHIND
        ranked = self._retriever.retrieve(
            lookup.said, lookup.vector, looked_at, admits, lookup.topics, lookup.profile, closely
        )
        ranked = self._expanded(ranked, lookup)
        best = self._best(ranked, lookup, count)
        return Found(best, excluded=not self._is_empty and not best)

    def _expanded(self, ranked: list[Candidate], lookup: Lookup) -> list[Candidate]:
        """Return the candidates with those first that the graph leads to from the entities of the question."""
        rule = self._rule.expansion
        if self._expansion is None or rule is None:
            return ranked
        near = self._expansion.passages(lookup.said.normalized, rule.neighbours, lookup.today)
        if not near:
            return ranked
        raised = (
            replace(
                candidate,
                score=candidate.score + rule.weight * (weight := near.get(candidate.item.id, 0.0)),
                scores={**candidate.scores, "graph": weight},
            )
            for candidate in ranked
        )
        return sorted(raised, key=lambda candidate: -candidate.score)

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        del rivals  # `passage_signals` finds them: passages of one article are no rivals
        return passage_signals(candidates, topics)

    def answer(self, candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        return extract(candidates, self._limits, asked)
