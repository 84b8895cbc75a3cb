"""The answer source of the knowledge graph: relational questions about entities that are surely meant."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache

from rag.answer.curated import CuratedAnswers
from rag.answer.graph_answers import GraphAnswers
from rag.answer_sources.source import SAID, STUDY_ID, Found, Lookup, ReadyAnswer, ReadySource, Resources
from rag.decide.gate import ENTRY_FIRST, NAMED, STRUCTURAL, LinkedRule
from rag.index.format import Index
from rag.pipeline import SourceRule
from rag.retrieve.graph import GraphRetriever, Understood
from rag.retrieve.graph_findings import Finding
from rag.retrieve.graph_frame import points_back
from rag.types import GRAPH_SOURCE, Candidate, Matter, Passage
from vietnamese.language_detection import Language
from vietnamese.text import fold

logger = logging.getLogger(__name__)

_ID = "graph:"
"""Begins the id of a path's answer."""

_SAID_OF_ONE = frozenset({"Course", "Person", "Office", "Department"})
"""The types of entities of which an entry that does not name them says nothing; a major is a value of the student."""


class GraphSource(ReadySource):
    """Answers from paths of the graph, rendered by templates. Without a graph it finds nothing."""

    name = GRAPH_SOURCE

    def __init__(self, rule: SourceRule, resources: Resources) -> None:
        super().__init__(rule, resources)
        index = resources.index
        self._retriever = resources.graph()
        self._answers = graph_answers(index, resources.curated)
        self._papers_of = lru_cache(maxsize=None)(self._papers)
        self._answer_texts = {entry.id: f"{entry.question} {entry.answer}" for entry in index.faq}

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        del count  # a message means one thing, or none
        if self._retriever is None or lookup.is_behind:
            return Found(())
        try:
            return self._found(self._retriever, lookup)
        except Exception:
            # Whatever is wrong with a graph, the other sources answer; the log tells the operator.
            logger.exception("The knowledge graph has failed, answers go on without it")
            return Found(())

    def _found(self, retriever: GraphRetriever, lookup: Lookup) -> Found:
        said = lookup.said
        texts = [said.normalized, said.text]
        earlier = [matter.question for matter in lookup.history if self._goes_on_with(matter)]
        known, today = lookup.profile.values, lookup.today
        follows_an_entry = self._follows_an_entry(lookup)
        understood = self._of_last(retriever, lookup, texts) if follows_an_entry else None
        if understood is None:
            understood = retriever.understand(texts, known, today, earlier)
        if understood is None and lookup.history and not follows_an_entry:
            understood = self._of_last(retriever, lookup, texts)
        if understood is None:
            return Found(())
        item = ReadyAnswer(_id(understood), understood.question)
        language: Language = "en" if said.is_english else "vi"
        findings = understood.findings
        scores = {
            "similarity": understood.probability,
            ENTRY_FIRST: float(all(finding.pattern.entry_first for finding in findings)),
            STRUCTURAL: float(all(finding.pattern.structural for finding in findings)),
            **understood.signals,
        }
        meta = {
            SAID: (self._answers.say(findings, language), self._answers.citations(findings)),
            NAMED: _named(findings),
        }
        return Found((Candidate(self.name, item, understood.probability, scores, meta),))

    def _follows_an_entry(self, lookup: Lookup) -> bool:
        """Return whether the last matter was answered by an entry, which may speak of a paper."""
        return bool(lookup.history) and (lookup.history[0].answer_id or "") in self._answer_texts

    def _papers(self, entry_id: str) -> tuple[str, ...]:
        """Return the names of the papers that an entry speaks of; none without such an entry."""
        text = self._answer_texts.get(entry_id)
        return self._retriever.named(text, "Form") if text is not None and self._retriever is not None else ()

    def _of_last(self, retriever: GraphRetriever, lookup: Lookup, texts: Sequence[str]) -> Understood | None:
        """Return what a message asks of the one paper that the last matter is about: "ai ký giấy đó", "còn ai ký".

        Entries do not tell it. The paper is named in the question before or in its answer.
        """
        last = lookup.history[0]
        # To look for the papers of an entry takes half as long as an embedding.
        papers = self._papers_of(last.answer_id or "") if retriever.leaves_out(texts, "Form") else ()
        before = [last.question] if points_back(lookup.said.text) else []
        for earlier in (*before, *(papers if len(papers) == 1 else ())):
            found = retriever.understand(texts, lookup.profile.values, lookup.today, [earlier])
            if found is not None and all(finding.pattern.structural for finding in found.findings):
                return found
        return None

    def _goes_on_with(self, matter: Matter) -> bool:
        """Return whether a message may go on with a matter.

        As the last resort, it goes on only with what a path has answered, or the material of a course.
        """
        rule = self._rule.gate
        is_last = isinstance(rule, LinkedRule) and rule.last
        return not is_last or (matter.answer_id or "").startswith((_ID, STUDY_ID))


def graph_answers(index: Index, curated: CuratedAnswers) -> GraphAnswers:
    """Return what says the answers from an index's graph."""
    by_document: dict[str, list[Passage]] = {}
    titles = {}
    for passage in index.passages:
        by_document.setdefault(passage.document_id, []).append(passage)
        titles[passage.document_id] = passage.title
    tables = index.store.tables if index.store is not None else {}
    return GraphAnswers(curated, by_document, tables, lambda document: titles.get(document, document))


def asked_about(answer_id: str) -> tuple[str, ...]:
    """Return the ids of the nodes that the question of a path's answer was about; none for another answer."""
    if not answer_id.startswith(_ID):
        return ()
    _, _, nodes = answer_id.removeprefix(_ID).partition(":")
    return tuple(nodes.split("+"))


def _id(understood: Understood) -> str:
    asked = "+".join(finding.pattern.id for finding in understood.findings)
    about = "+".join(node.id for node in understood.findings[0].subjects)
    return f"{_ID}{asked}:{about}"


def _named(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the names of the courses, persons and offices that a message asks about, folded."""
    subjects = [subject for finding in findings for subject in finding.subjects]
    told = [subject for subject in subjects if subject.type in _SAID_OF_ONE]
    return tuple(
        dict.fromkeys(fold(name).lower() for subject in told for name in (subject.name, *subject.names))
    )
