"""The tiers that a preset names: each searches one kind of thing, and knows how to say what it found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rag.answer.curated import CuratedAnswers
from rag.answer.extract import extract
from rag.decide.gate import Chosen, Gate, Signals, faq_signals, gate_of, passage_signals
from rag.index.index import Index
from rag.pipeline import ExtractLimits, Pipeline, TierRule
from rag.query.understanding import Understood
from rag.rerank.learned import RankingModel
from rag.rerank.rerankers import Reorder, reorder_of
from rag.retrieve.faq import FaqRetriever
from rag.retrieve.passages import PassageRetriever
from rag.types import Candidate, Citation, FaqEntry, Passage, Tier, VectorArray


@dataclass(frozen=True, slots=True)
class Lookup:
    """What a tier is asked for.

    `vector` is the embedding of what is asked, shape (d,). `topics` are probabilities, empty when unknown; `topic` is
    the one that the question was routed to. Only what `admits` lets through can be said to this student today.
    `passages` are what the document tier found, best first.
    """

    said: Understood
    vector: VectorArray
    topics: Mapping[str, float]
    topic: str | None = None
    admits: Callable[[FaqEntry | Passage], bool] = lambda _: True
    passages: Sequence[Candidate] = ()

    def is_routed_to(self, item: FaqEntry | Passage) -> bool:
        """Whether `item` may be what the topic router has chosen: the classifier cannot rule out a topic it lacks."""
        if self.topic in (None, item.topic):
            return True
        return item.topic is not None and bool(self.topics) and item.topic not in self.topics


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of a tier, best first; `excluded` when there were only such as may not be said."""

    candidates: tuple[Candidate, ...]
    excluded: bool = False


Say = Callable[[Sequence[Candidate], str], tuple[str, tuple[Citation, ...]]]
"""The answer that the best of some candidates gives to what was asked, verbatim, and where it stands."""


class AnswerTier(Protocol):
    """One source of answers, with the gate before it. `stage` is what its time is noted as."""

    source: Tier
    stage: str
    gate: Gate

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        """The best candidates; as many as the preset says, or `count`."""
        ...

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        """What the gate is to see; `rivals` are the candidates that would say something else, best first."""
        ...

    @property
    def say(self) -> Say: ...


def tier_of(
    rule: TierRule,
    index: Index,
    pipeline: Pipeline,
    curated: CuratedAnswers,
    chosen: Chosen,
    ranking: RankingModel | None = None,
) -> AnswerTier:
    """The tier that a preset describes; `ranking` is for those that rank by what was learnt, else the shipped one."""
    match rule.source:
        case "faq":
            return FaqTier(rule, index, pipeline, curated, chosen)
        case "document":
            return DocumentTier(rule, index, pipeline, chosen, ranking)


class FaqTier:
    """Answers that an office has written."""

    source = Tier.FAQ
    stage = "faq"

    def __init__(
        self, rule: TierRule, index: Index, pipeline: Pipeline, curated: CuratedAnswers, chosen: Chosen
    ) -> None:
        self.gate: Gate = gate_of(rule.gate, self.source, chosen)
        self._rule = rule
        self._reorder: Reorder | None = reorder_of(rule.rerank) if rule.rerank else None
        self._retriever = FaqRetriever(index, pipeline.faq, rule.fusion)
        self.say = say_curated(curated)

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        asked_for = self._retriever.retrieve(lookup.said.asked, lookup.vector, lookup.passages)
        admitted = [
            candidate
            for candidate in asked_for
            if lookup.admits(candidate.item)
            and (not self._rule.topic_filter or lookup.is_routed_to(candidate.item))
        ]
        best = _best(admitted, count or self._rule.candidates, self._reorder, lookup)
        return Found(best, excluded=bool(asked_for) and not best)

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        return faq_signals(candidates[0], rivals, topics)


class DocumentTier:
    """Extracts of what the school has published."""

    source = Tier.DOCUMENT
    stage = "passages"

    def __init__(
        self,
        rule: TierRule,
        index: Index,
        pipeline: Pipeline,
        chosen: Chosen,
        ranking: RankingModel | None = None,
    ) -> None:
        self.gate: Gate = gate_of(rule.gate, self.source, chosen)
        self._rule = rule
        self._reorder: Reorder | None = reorder_of(rule.rerank, ranking) if rule.rerank else None
        self._retriever = PassageRetriever(index, pipeline.retrieval, rule.fusion)
        self.say = say_extracts(pipeline.extract)
        self._is_empty = not index.passages

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        def admits(passage: Passage) -> bool:
            return lookup.admits(passage) and (not self._rule.topic_filter or lookup.is_routed_to(passage))

        ranked = self._retriever.retrieve(lookup.said, lookup.vector, count, admits, lookup.topics)
        best = _best(ranked, count or self._rule.candidates, self._reorder, lookup)
        return Found(best, excluded=not self._is_empty and not best)

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        del rivals  # among passages they are told by the article
        return passage_signals(candidates, topics)


def say_curated(curated: CuratedAnswers) -> Say:
    """How an FAQ entry is said: as it was written."""

    def say(candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        del asked  # curated text does not depend on how it was asked for
        entry = candidates[0].item
        assert isinstance(entry, FaqEntry)
        return entry.answer, curated.citations(entry)

    return say


def say_extracts(limits: ExtractLimits) -> Say:
    """How passages are said: in the sentences of the document that fit what was asked."""

    def say(candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        return extract(candidates, limits, asked)

    return say


def documents_of(candidate: Candidate) -> tuple[str, ...]:
    """Ids of the documents that a candidate stands in or rests on."""
    if isinstance(candidate.item, Passage):
        return (candidate.item.document_id,)
    return tuple(source.document for source in candidate.item.sources)


def _best(
    ranked: Sequence[Candidate], count: int | None, reorder: Reorder | None, lookup: Lookup
) -> tuple[Candidate, ...]:
    if reorder is not None:
        ranked = reorder.reorder(lookup.said, ranked, lookup.topics)
    return tuple(ranked[:count])
