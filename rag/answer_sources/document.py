"""The answer source of documents: extracts of the school's publications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from rag.answer.extract import extract
from rag.answer_sources.source import Found, Lookup, Resources, RuledSource
from rag.decide.gate import Signals, passage_signals
from rag.pipeline import SourceRule
from rag.retrieve.passages import PassageRetriever
from rag.types import DOCUMENT_SOURCE, Candidate, Citation


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

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        admits = partial(self._admits, lookup)
        ranked = self._retriever.retrieve(
            lookup.said, lookup.vector, count, admits, lookup.topics, lookup.profile
        )
        best = self._best(ranked, lookup, count)
        return Found(best, excluded=not self._is_empty and not best)

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        del rivals  # `passage_signals` finds them: passages of one article are no rivals
        return passage_signals(candidates, topics)

    def answer(self, candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        return extract(candidates, self._limits, asked)
