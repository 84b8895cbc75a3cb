"""The answer source of the knowledge graph: relational questions about entities that are surely meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag.answer.curated import CuratedAnswers
from rag.answer.graph_answers import GraphAnswers
from rag.answer_sources.source import Found, Lookup, Resources, RuledSource
from rag.decide.gate import Signals
from rag.index.format import Index
from rag.pipeline import SourceRule
from rag.retrieve.graph import GraphRetriever, Understood
from rag.types import GRAPH_SOURCE, Candidate, Citation, Passage
from school.dimensions import EVERYBODY, AppliesTo
from vietnamese.language_detection import Language

UNDERSTOOD, LANGUAGE = "understood", "language"
"""The keys of a candidate's `meta` with what was understood, and the language to answer in."""


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """What the graph says to a message; `question` is the message in full, with what the conversation adds."""

    id: str
    question: str
    topic: str | None = None
    applies_to: AppliesTo = EVERYBODY


class GraphSource(RuledSource):
    """Answers from paths of the graph, rendered by templates. Without a graph it finds nothing."""

    name = GRAPH_SOURCE
    curated = False
    specific = True
    searched_after: tuple[str, ...] = ()

    def __init__(self, rule: SourceRule, resources: Resources) -> None:
        super().__init__(rule, resources)
        index = resources.index
        self._retriever = None if index.store is None else GraphRetriever(index.store)
        self._answers = graph_answers(index, resources.curated)

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        del count  # a message means one thing, or none
        if self._retriever is None or lookup.is_behind:
            return Found(())
        said = lookup.said
        texts = [said.normalized, said.text]
        understood = self._retriever.understand(texts, lookup.profile.values, lookup.today, lookup.history)
        if understood is None:
            return Found(())
        item = GraphAnswer(_id(understood), understood.question)
        language: Language = "en" if said.is_english else "vi"
        scores = {"similarity": understood.probability, **understood.signals}
        meta = {UNDERSTOOD: understood, LANGUAGE: language}
        return Found((Candidate(self.name, item, understood.probability, scores, meta),))

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        del rivals, topics
        probability = candidates[0].score
        return Signals(probability, 1.0, 1.0, likeness=probability)

    def answer(self, candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        del asked  # the retriever has read it
        meta = candidates[0].meta
        findings = meta[UNDERSTOOD].findings
        return self._answers.say(findings, meta[LANGUAGE]), self._answers.citations(findings)


def graph_answers(index: Index, curated: CuratedAnswers) -> GraphAnswers:
    """Return what says the answers from an index's graph."""
    by_document: dict[str, list[Passage]] = {}
    titles = {}
    for passage in index.passages:
        by_document.setdefault(passage.document_id, []).append(passage)
        titles[passage.document_id] = passage.title
    tables = index.store.tables if index.store is not None else {}
    return GraphAnswers(curated, by_document, tables, lambda document: titles.get(document, document))


def _id(understood: Understood) -> str:
    asked = "+".join(finding.pattern.id for finding in understood.findings)
    about = "+".join(node.id for node in understood.findings[0].subjects)
    return f"graph:{asked}:{about}"
