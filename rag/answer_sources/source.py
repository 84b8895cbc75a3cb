"""An answer source: one kind of thing that is searched, with the gate before it and its way to answer.

Every source is a small class behind `AnswerSource`, registered by name (`rag.registry`); presets name those they use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rag.answer.curated import CuratedAnswers
from rag.decide.gate import Chosen, Gate, Signals
from rag.index.format import Index
from rag.pipeline import Pipeline, SourceRule
from rag.registry import registered
from rag.rerank.ranking_model import RankingModel
from rag.rerank.reranker import Reranker
from rag.retrieve.embedder import Embedder
from rag.types import Candidate, Citation, FaqEntry, Item, Passage
from school.dimensions import UNKNOWN_STUDENT, Profile
from school.reading import Reading
from school.sentence_embedder import VectorArray


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of a source, best first; `excluded` when all that it found does not apply to this student."""

    candidates: tuple[Candidate, ...]
    excluded: bool = False


@dataclass(frozen=True, slots=True)
class Lookup:
    """What a source is asked for.

    `vector` is the embedding of what is asked, shape (d,). `topics` are probabilities, empty when unknown; `topic` is
    the one that the question was routed to. Only items that `admits` lets through may answer this student today.
    `found` is what the sources found that are searched before this one, by their names.
    """

    said: Reading
    vector: VectorArray
    topics: Mapping[str, float]
    topic: str | None = None
    profile: Profile = UNKNOWN_STUDENT
    admits: Callable[[Item], bool] = lambda _: True
    found: Mapping[str, Found] = field(default_factory=dict)

    def is_routed_to(self, item: Item) -> bool:
        """Whether `item` may be what the topic router has chosen: the classifier cannot rule out a topic it lacks."""
        return self.topic in (None, item.topic) or (
            item.topic is not None and bool(self.topics) and item.topic not in self.topics
        )


@dataclass(frozen=True, slots=True)
class Resources:
    """Everything a source may be made from; `ranking` is the school's own ranking model, None when it has none."""

    index: Index
    pipeline: Pipeline
    embedder: Embedder
    curated: CuratedAnswers
    chosen: Chosen
    ranking: RankingModel | None = None


Answering = Callable[[Sequence[Candidate], str], tuple[str, tuple[Citation, ...]]]
"""Makes the answer that the best of some candidates gives to a question, and its citations."""


class AnswerSource(Protocol):
    """One source of answers, with the gate before it. The class is called with its rule and with `Resources`.

    `curated`: its answers are written by an office, for just one question each. `searched_after`: names of the sources
    whose candidates it wants to see, where the preset has them.
    """

    name: str
    curated: bool
    searched_after: tuple[str, ...]
    gate: Gate

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        """Return the best candidates; as many as the preset says, or `count`."""
        ...

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        """Return what the gate is to see; `rivals` are the candidates that would say something else, best first."""
        ...

    def answer(self, candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        """Return the answer that the best candidate gives to what was asked, and where it stands."""
        ...


def source_of(rule: SourceRule, resources: Resources) -> AnswerSource:
    """Return the source that a preset describes. Raises SettingsError when nobody knows its name."""
    source: AnswerSource = registered("answer_sources", rule.source)(rule, resources)
    return source


def in_search_order(sources: Sequence[AnswerSource]) -> list[AnswerSource]:
    """Return the sources so that each stands behind those it is searched after, else in the order of the preset."""
    waiting, ordered = list(sources), list[AnswerSource]()
    while waiting:
        names = {source.name for source in waiting}
        # Sources that wait for each other are searched in the order of the preset.
        ready = next((one for one in waiting if not names.intersection(one.searched_after)), waiting[0])
        ordered.append(ready)
        waiting.remove(ready)
    return ordered


def documents_of(candidate: Candidate) -> tuple[str, ...]:
    """Return the ids of the documents that a candidate stands in or rests on."""
    match candidate.item:
        case Passage(document_id=document):
            return (document,)
        case FaqEntry(sources=sources):
            return tuple(source.document for source in sources)
    return ()


def best_of(
    ranked: Sequence[Candidate], count: int | None, reranker: Reranker | None, lookup: Lookup
) -> tuple[Candidate, ...]:
    """Return the first `count` candidates (all when None) after reranking."""
    if reranker is not None:
        ranked = reranker.rerank(lookup.said, ranked, lookup.topics)
    return tuple(ranked[:count])
