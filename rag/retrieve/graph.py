"""Retrieval from the knowledge graph: the questions that a message asks of it, and the paths that answer.

A message is understood by its entities (`graph_entities`) and its words (`graph_reading`); the queries of the pattern
are then run from the entity (`graph_findings`). Nothing is embedded.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from rag.graph.stated import StatedGraph
from rag.graph.store import Found, GraphError, GraphStore
from rag.graph.types import Node, Table
from rag.index.format import Index
from rag.retrieve.entity_lookup import Link, Word, words_of
from rag.retrieve.graph_entities import GraphEntities
from rag.retrieve.graph_findings import Finding, GraphFinder
from rag.retrieve.graph_patterns import UNEXPLAINED, of_id
from rag.retrieve.graph_reading import GraphReader

logger = logging.getLogger(__name__)

SURELY = 0.9
"""A wording that is understood with this probability needs no other one."""

SURE = 0.6
"""A message that asks something of the graph by itself with this probability goes on with nothing."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The patterns that a message asks of the graph, with the probability that this is meant and answered rightly.

    `question` is the message in full, with what the conversation adds.
    """

    findings: tuple[Finding, ...]
    probability: float
    question: str = ""
    signals: Mapping[str, float] = field(default_factory=dict)


def retriever_of(index: Index) -> GraphRetriever | None:
    """Return the retriever over an index's graph; None, after a warning in the log, when it cannot be read."""
    try:
        return None if index.store is None else GraphRetriever(StatedGraph(index.store))
    except GraphError as error:
        logger.warning("The knowledge graph cannot be used, answers go on without it: %s", error)
        return None


class GraphRetriever:
    """Answers messages from an opened graph. Immutable once made, so thread-safe."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self._entities = GraphEntities(store)
        self._finder = GraphFinder(self._entities)
        self._reader = GraphReader(self._entities, self._finder)

    @property
    def tables(self) -> Mapping[str, Table]:
        return self._store.tables

    def node(self, node: str) -> Node | None:
        """Return a node; a clause is looked up in the store. Raises GraphError."""
        return self._entities.node(node)

    def links(self, said: Sequence[Word], kind: str) -> list[Link]:
        """Return the links of a message to entities of a type, in its order."""
        return [link for link in self._entities.links(said) if link.kind == kind]

    def told(self, pattern: str, subject: Node, today: date) -> Finding | None:
        """Return what the queries of the pattern with this id find from an entity; None when they find nothing.

        Raises GraphError.
        """
        asked = of_id(pattern)
        rows = tuple(self._finder.walk(asked, subject, today))
        return Finding(asked, (subject,), {subject.id: rows}) if rows else None

    def mentioned(self, text: str) -> list[str]:
        """Return the ids of the entities that a text names for sure, each once."""
        links = self._entities.lookup.links(words_of(text))
        return list(dict.fromkeys(n for link in links if link.score >= 0.9 for n in link.nodes))

    def beside(self, entity: str, today: date) -> list[Node]:
        """Return the entities one step away from an entity, or mentioned with it by a clause. Raises GraphError."""
        day = today.isoformat()
        found = self._store.run("entities_beside", id=entity, today=day)
        for query in ("out.belongs_to", "in.responsible_for", "in.prerequisite_of", "out.prerequisite_of"):
            found += self._store.run(query, id=entity, today=day)
        return list({each.node.id: each.node for each in found if each.node.type != "Clause"}.values())

    def clauses_about(self, entity: str, today: date) -> list[Found]:
        """Return the clauses that mention an entity. Raises GraphError."""
        return self._store.run("clauses_about", id=entity, today=today.isoformat())

    def understand(
        self,
        texts: Sequence[str],
        known: Mapping[str, str],
        today: date,
        history: Sequence[str] = (),
    ) -> Understood | None:
        """Return what a message asks, by the likeliest of its wordings `texts`; None when it asks nothing of the graph.

        `known` are the student's values by dimension. `history` are earlier questions of the conversation, the latest
        first: "còn môn này?" goes on with one. Raises GraphError.
        """
        best: Understood | None = None
        read: list[list[str]] = []
        for text in texts:
            said = [word.spelled for word in words_of(text)]
            if said in read or (best is not None and best.probability > SURELY):
                continue
            read.append(said)
            found = self._understood(text, known, today, history)
            if found is not None and (best is None or found.probability > best.probability):
                best = found
        return best

    def named(self, text: str, kind: str) -> tuple[str, ...]:
        """Return the names of the entities of a type that a text surely names, each once."""
        links = (
            link
            for link in self._entities.links(words_of(text))
            if link.kind == kind and len(link.nodes) == 1
        )
        return tuple(dict.fromkeys(self._entities.nodes[link.nodes[0]].name for link in links))

    def leaves_out(self, texts: Sequence[str], kind: str) -> bool:
        """Return whether a wording of a message may ask of an entity of a type that it leaves out."""
        return any(self._reader.leaves_out(words_of(text), kind) for text in texts)

    def _understood(
        self, text: str, known: Mapping[str, str], today: date, history: Sequence[str]
    ) -> Understood | None:
        said: Sequence[Word] = words_of(text)
        chosen = self._reader.chosen(said, today, known)
        question = text
        if history and not (chosen and self._reader.probability(said, chosen) > SURE):
            continued = self._reader.continued(said, history[0], today)
            if continued.fits:
                chosen, said, question = list(continued.fits), continued.said, continued.question
        if not chosen:
            return None
        probability = self._reader.probability(said, chosen)
        fits_of = [
            *chosen,
            *(replace(fit, pattern=of_id(fit.pattern.also)) for fit in chosen if fit.pattern.also),
        ]
        findings = []
        for fit in fits_of:
            finding = self._finder.found(fit, said, known, today)
            if finding is not None:
                findings.append(finding)
        if not findings or len(findings) < len({fit.pattern.id for fit in fits_of if fit.cues}) / 2:
            return None
        titled = " ".join(finding.asked.get("title", "") for finding in findings).split()
        left = [word for word in self._entities.left(said, fits_of) if word not in titled]
        if titled:
            probability = min(fit.subject.score for fit in fits_of) * fits_of[0].pattern.weight
            probability *= UNEXPLAINED ** len(left)
        signals = {
            "link": min(fit.subject.score for fit in fits_of),
            "unexplained": float(len(left)),
            "parts": float(len(findings)),
        }
        return Understood(tuple(findings), probability, question, signals)
