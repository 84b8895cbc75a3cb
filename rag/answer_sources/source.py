"""Answer sources: each searches one kind of item, with a gate of its own and its own way to answer.

Every source is a class behind `AnswerSource`, registered by name (`rag.registry`); presets name those they use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol, runtime_checkable

from rag.answer.curated import CuratedAnswers
from rag.decide.gate import Chosen, Gate, Signals, gate_of
from rag.index.format import Index
from rag.pipeline import Pipeline, SourceRule
from rag.registry import registered
from rag.rerank.ranking_model import RankingModel
from rag.rerank.reranker import Reranker, reranker_of
from rag.retrieve.embedder import Embedder
from rag.retrieve.graph import GraphRetriever
from rag.types import Candidate, Citation, FaqEntry, Item, Matter, Passage
from school.dimensions import EVERYBODY, AppliesTo, Profile
from school.reading import Reading
from school.sentence_embedder import VectorArray

WEIGHED = 25
"""The number of candidates of a reading that are weighed within a conversation (`rag.decide.context`)."""


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of a source, best first; `excluded`: none of the items found applies to this student."""

    candidates: tuple[Candidate, ...]
    excluded: bool = False


@dataclass(frozen=True, slots=True)
class Lookup:
    """A search request.

    `vector` is the question's embedding, shape (d,). `topics` are probabilities, empty when unknown; `topic` is the one
    that the question was routed to. `profile` has the values that the question names, too. Items that `admits` accepts
    may answer this student today. `found` has the results of the sources searched before, by their names. `known` and
    `filled` are the values of `Question`; `today` is the day of the question. `history` are the conversation's
    matters, the latest first; `is_behind`: `said` is the message behind words of an earlier one.
    """

    said: Reading
    vector: VectorArray
    topics: Mapping[str, float]
    profile: Profile
    topic: str | None = None
    admits: Callable[[Item], bool] = lambda _: True
    found: Mapping[str, Found] = field(default_factory=dict)
    known: Mapping[str, float | str] = field(default_factory=dict)
    filled: Mapping[str, float | str] = field(default_factory=dict)
    today: date = date.min
    history: tuple[Matter, ...] = ()
    is_behind: bool = False

    def is_routed_to(self, item: Item) -> bool:
        """Return whether the routed topic admits `item`; the classifier cannot rule out a topic that it lacks."""
        return self.topic in (None, item.topic) or (
            item.topic is not None and bool(self.topics) and item.topic not in self.topics
        )


STUDY_ID = "study:"
"""Begins the id of an answer from the material of a course, which the question names: "study:summary:CT201:2"."""

SAID = "said"
"""The key of a candidate's `meta` with a ready answer and its citations."""


@dataclass(frozen=True, slots=True)
class ReadyAnswer:
    """An answer that a source has made while searching (`SAID`).

    `question` is the message in full, with what the conversation adds.
    """

    id: str
    question: str
    topic: str | None = None
    applies_to: AppliesTo = EVERYBODY


@dataclass(frozen=True, slots=True)
class Resources:
    """The arguments that a source is made with; `ranking` is the school's own ranking model, None when it has none.

    `graph` returns the retriever of the index's knowledge graph, the same to all sources; None when there is none.
    """

    index: Index
    pipeline: Pipeline
    embedder: Embedder
    curated: CuratedAnswers
    chosen: Chosen
    ranking: RankingModel | None = None
    graph: Callable[[], GraphRetriever | None] = lambda: None


Answering = Callable[[Sequence[Candidate], str], tuple[str, tuple[Citation, ...]]]
"""Makes an answer and its citations from candidates, best first, and the question."""


class AnswerSource(Protocol):
    """A source of answers with its gate. The class is called with its rule and with `Resources`.

    `curated`: an office has written its answers, each for one question. `specific`: its answers use values of the
    question, which is then not too general for one answer. `searched_after`: names of the sources whose candidates it
    reads, where the preset has them.
    """

    name: str
    curated: bool
    specific: bool
    searched_after: tuple[str, ...]
    gate: Gate

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        """Return the best candidates: `count` of them, or the preset's number."""
        ...

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        """Return the signals for the gate; `rivals` are the candidates with another answer, best first."""
        ...

    def answer(self, candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        """Return the answer of the best candidate to `asked`, and its citations."""
        ...


@runtime_checkable
class SearchesTogether(Protocol):
    """A source that searches for several readings of a message in less time than for one after the other."""

    def search_each(self, lookups: Sequence[Lookup]) -> list[Found]:
        """Return for each of the requests what `AnswerSource.search` does."""
        ...


def search_each(source: AnswerSource, lookups: Sequence[Lookup]) -> list[Found]:
    """Return the best candidates of a source for each of several requests."""
    if isinstance(source, SearchesTogether):
        return source.search_each(lookups)
    return [source.search(lookup) for lookup in lookups]


class RuledSource:
    """Holds the part that the answer sources of this package share: the gate, topic filter and reranker of a rule."""

    name: str
    specific = False

    def __init__(self, rule: SourceRule, resources: Resources) -> None:
        self.gate: Gate = gate_of(rule.gate, self.name, resources.chosen)
        self._rule = rule
        self._reranker: Reranker | None = reranker_of(rule.rerank, resources.ranking) if rule.rerank else None

    def _admits(self, lookup: Lookup, item: Item) -> bool:
        """Return whether `item` may answer this student today, on the routed topic where the rule filters by it."""
        return (not self._rule.topic_filter or lookup.is_routed_to(item)) and lookup.admits(item)

    def _best(self, ranked: Sequence[Candidate], lookup: Lookup, count: int | None) -> tuple[Candidate, ...]:
        """Return the first `count` candidates (the rule's number when None) after reranking."""
        if self._reranker is not None:
            ranked = self._reranker.rerank(lookup.said, ranked, lookup.topics)
        return tuple(ranked[: count or self._rule.candidates])


class ReadySource(RuledSource):
    """A source whose answers are made while searching: `ReadyAnswer`, with the text and its citations under `SAID`."""

    curated = False
    specific = True
    searched_after: tuple[str, ...] = ()

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        del rivals, topics
        probability = candidates[0].score
        return Signals(probability, 1.0, 1.0, likeness=probability)

    def answer(self, candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        del asked  # the search has read it
        text, citations = candidates[0].meta[SAID]
        return text, citations


def source_of(rule: SourceRule, resources: Resources) -> AnswerSource:
    """Return the source that a preset describes. Raises SettingsError for an unknown name."""
    source: AnswerSource = registered("answer_sources", rule.source)(rule, resources)
    return source


def in_search_order(sources: Sequence[AnswerSource]) -> list[AnswerSource]:
    """Return the sources, each behind those of its `searched_after`, else in the order of the preset."""
    waiting, ordered = list(sources), list[AnswerSource]()
    while waiting:
        names = {source.name for source in waiting}
        # Sources that wait for each other are searched in the order of the preset.
        ready = next((one for one in waiting if not names.intersection(one.searched_after)), waiting[0])
        ordered.append(ready)
        waiting.remove(ready)
    return ordered


def documents_of(candidate: Candidate) -> tuple[str, ...]:
    """Return the ids of the documents that a candidate belongs to or cites."""
    match candidate.item:
        case Passage(document_id=document):
            return (document,)
        case FaqEntry(sources=sources):
            return tuple(source.document for source in sources)
    return ()
