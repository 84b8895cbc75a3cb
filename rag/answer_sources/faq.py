"""The answer source of the FAQ: answers as an office has written them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rag.answer_sources.source import Found, Lookup, Resources, RuledSource
from rag.decide.gate import Signals, faq_signals
from rag.pipeline import SourceRule
from rag.retrieve.faq import FaqRetriever
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, Candidate, Citation


class FaqSource(RuledSource):
    """Answers with curated entries. An entry that rests on a passage found for the question ranks higher."""

    name = FAQ_SOURCE
    curated = True
    searched_after = (DOCUMENT_SOURCE,)

    def __init__(self, rule: SourceRule, resources: Resources) -> None:
        super().__init__(rule, resources)
        self._retriever = FaqRetriever(resources.index, resources.pipeline.faq, rule.fusion)
        self._rival_topic = resources.pipeline.faq.rival_topic
        self._curated = resources.curated

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        return self._admitted(lookup, self._ranked([lookup])[0], count)

    def search_each(self, lookups: Sequence[Lookup]) -> list[Found]:
        every = self._ranked(lookups)
        return [self._admitted(lookup, ranked) for lookup, ranked in zip(lookups, every, strict=True)]

    def _ranked(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        none = Found(())
        passages = [lookup.found.get(DOCUMENT_SOURCE, none).candidates for lookup in lookups]
        vectors = np.stack([lookup.vector for lookup in lookups])
        return self._retriever.retrieve_each([lookup.said.asked for lookup in lookups], vectors, passages)

    def _admitted(self, lookup: Lookup, ranked: Sequence[Candidate], count: int | None = None) -> Found:
        admitted = [candidate for candidate in ranked if self._admits(lookup, candidate.item)]
        best = self._best(admitted, lookup, count)
        return Found(best, excluded=bool(ranked) and not best)

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        return faq_signals(candidates[0], rivals, topics, self._rival_topic)

    def answer(self, candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        return self._curated.answer(candidates, asked)
