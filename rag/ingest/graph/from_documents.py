"""Documents, their clauses and what the clauses say, as nodes and edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rag.graph.types import FoundBy, Provenance, kind_of, node_id
from rag.ingest.graph.building import At, GraphBuilder
from rag.ingest.graph.linking import DocumentNames, MentionFinder, NodeNames, folded
from rag.ingest.graph.statements import Statement
from rag.messages import Message
from rag.types import Document, Passage
from school.catalog import Catalog

MENTIONED = frozenset(
    {"Course", "Department", "Office", "Person", "Form", "Fee", "Deadline", "Building", "Book", "Policy"}
)
"""The types of entities that clauses mention by name. Cohorts, majors and programmes are what clauses apply to."""

LISTED = frozenset({"Category", "Clause", "Cohort", "Document", "Major", "Program"})
"""The types whose nodes the knowledge folder lists in full: a model names no other ones."""


def add_documents(
    builder: GraphBuilder,
    documents: Sequence[Document],
    aliases: Mapping[str, Sequence[str]],
    catalog: Catalog,
) -> None:
    """Add documents with their topics, those they supersede, and the students they apply to."""
    for document in documents:
        meta, at = document.meta, _at(document, "", FoundBy.METADATA)
        names = (*aliases.get(meta.id, ()), *([meta.number] if meta.number else []))
        properties = {"number": meta.number, "issued": meta.issued, "url": meta.url}
        builder.add_node("Document", meta.id, meta.title, at, names, properties)
    for document in documents:
        meta, at = document.meta, _at(document, "", FoundBy.METADATA)
        source = node_id("Document", meta.id)
        if meta.topic:
            builder.add_named_edge(source, "belongs_to", meta.topic, at)
        for older in meta.supersedes:
            builder.add_named_edge(source, "supersedes", older, at)
        for dimension, kind in (("cohort", "Cohort"), ("major", "Major"), ("program", "Program")):
            if not meta.applies_to.values(dimension):
                continue
            for value in catalog.ids(dimension):
                if meta.applies_to.admits(dimension, value):
                    builder.add_edge(source, "applies_to", node_id(kind, value), at)


def add_clauses(builder: GraphBuilder, passages: Sequence[Passage]) -> None:
    """Add a node for every place that passages stand at, and for the articles above them."""
    for passage in passages:
        document = node_id("Document", passage.document_id)
        at = _of(passage, FoundBy.METADATA)
        heading = passage.context[-1] if passage.context else passage.title
        parts = passage.locator.split(", ")
        above = document
        for length in range(1, len(parts) + 1):
            locator = ", ".join(parts[:length])
            local = f"{passage.document_id}#{locator}"
            clause = node_id("Clause", local)
            if clause not in builder.nodes:
                here = at if length == len(parts) else _of(passage, FoundBy.METADATA, locator, "")
                said = {"heading": heading} if length == 1 else {}
                builder.add_node("Clause", local, locator, here, (), said)
                builder.add_edge(clause, "part_of", above, here)
            above = clause


def add_mentions(builder: GraphBuilder, passages: Sequence[Passage]) -> None:
    """Add an edge from every clause to the entities that it names."""
    finder = MentionFinder(builder.nodes.values(), MENTIONED)
    for passage in passages:
        at = _of(passage, FoundBy.RULE)
        for entity in finder.find(passage.text):
            builder.add_edge(_clause_of(passage), "mentions", entity, at)


class StatementLinker:
    """Adds what extractors have read to a graph; what cannot be linked is reported."""

    def __init__(
        self,
        builder: GraphBuilder,
        documents: Sequence[Document],
        aliases: Mapping[str, Sequence[str]],
    ) -> None:
        self._builder = builder
        self._documents = DocumentNames(documents, aliases)
        self._names = NodeNames(builder.nodes.values())

    def add(self, passage: Passage, statement: Statement, found_by: FoundBy) -> None:
        """Add the edge of a statement, and the fee or deadline that it names.

        The entities of a model's statement are also mentioned by the clause: retrieval finds its passage by them.
        """
        at = _of(passage, found_by)
        document = node_id("Document", passage.document_id)
        if statement.subject_type == "document":
            source: str | None = document
        elif not statement.subject:
            source = _clause_of(passage)
        else:
            kinds = self._allowed(statement.relation, "from")
            source = self._names.named(statement.subject, kinds, prefix=True)
            if source is None and self._tells_type(at, statement.subject_type, kinds):
                source = self._read_entity(statement.subject_type, statement.subject, at)
            # "Hội đồng", "Trung tâm" alone: a body that the document itself defines, or none in particular.
            if source is None:
                self._report(at, statement, statement.subject)
                return
        target = self._target(passage, statement, at)
        if target is None and statement.relation == "issued_by" and found_by is not FoundBy.MODEL:
            # An authority that is no entity ("Hiệu trưởng") is kept by its name.
            issuer = {"issuer": statement.object}
            self._builder.add_node("Document", passage.document_id, "", at, (), issuer)
        elif target is None:
            self._report(at, statement, statement.object)
        elif source is not None and source != target:
            fits = self._builder.add_edge(source, statement.relation, target, at)
            if fits and found_by is FoundBy.MODEL:
                self._mention(passage, (source, target), at)

    def _mention(self, passage: Passage, entities: Sequence[str], at: At) -> None:
        kinds = self._builder.schema.relations["mentions"].targets
        for entity in entities:
            if kind_of(entity) in kinds:
                self._builder.add_edge(_clause_of(passage), "mentions", entity, at)

    def _target(self, passage: Passage, statement: Statement, at: At) -> str | None:
        kind, said = statement.object_type, statement.properties
        if kind == "Clause":
            return self._clause(passage, statement) if statement.object else _clause_of(passage)
        if kind == "Document":
            number = said.get("number")
            named = (
                self._documents.numbered(number, said.get("issued", ""))
                if number
                else self._documents.named(statement.object)
            )
            return node_id("Document", named) if named else None
        if kind in ("Fee", "Deadline", "Threshold") and at.provenance.found_by is not FoundBy.MODEL:
            local = f"{passage.document_id}#{passage.locator}#{statement.object}"
            about = said.get("of") or said.get("about") or statement.quote
            name = about if kind == "Deadline" else statement.object
            return self._builder.add_node(kind, local, name, at, (), said)
        allowed = self._allowed(statement.relation, "to")
        named = self._names.named(statement.object, allowed)
        if named is None and self._tells_type(at, kind, allowed):
            return self._read_entity(kind, statement.object, at)
        return named

    def _tells_type(self, at: At, kind: str, allowed: frozenset[str]) -> bool:
        """Return whether a model tells the type of what it has read; rules know entities of the folder only."""
        return at.provenance.found_by is FoundBy.MODEL and kind in allowed - LISTED

    def _read_entity(self, kind: str, name: str, at: At) -> str | None:
        """Return the node of an entity that a model has read; one that is there stays as it is."""
        local = "-".join(folded(name).split())
        known = node_id(kind, local)
        if not local or known in self._builder.nodes:
            return known if local else None
        return self._builder.add_node(kind, local, name, at)

    def _clause(self, passage: Passage, statement: Statement) -> str | None:
        """Return the node of the place that a clause refers to: the smallest clause that holds it."""
        document = passage.document_id
        if name := statement.properties.get("document"):
            found = self._documents.named(name)
            if found is None:
                return None
            document = found
        parts = statement.object.split(", ")
        for length in range(len(parts), 0, -1):
            clause = node_id("Clause", f"{document}#{', '.join(parts[:length])}")
            if clause in self._builder.nodes:
                return clause
        return None

    def _allowed(self, relation: str, end: str) -> frozenset[str]:
        ends = self._builder.schema.relations.get(relation)
        if ends is None:
            return frozenset()
        return ends.sources if end == "from" else ends.targets

    def _report(self, at: At, statement: Statement, what: str) -> None:
        message = Message(
            "graph_not_linked", relation=statement.relation, text=what, quote=statement.quote[:160]
        )
        self._builder.reports.append(at.problem(message))


def _clause_of(passage: Passage) -> str:
    return node_id("Clause", f"{passage.document_id}#{passage.locator}")


def _of(passage: Passage, found_by: FoundBy, locator: str | None = None, passage_id: str | None = None) -> At:
    place = Provenance(
        found_by,
        passage.document_id,
        passage.locator if locator is None else locator,
        passage.id if passage_id is None else passage_id,
        passage.effective_from,
        passage.effective_to,
    )
    return At(place, f"{passage.document_id}: {place.locator}")


def _at(document: Document, locator: str, found_by: FoundBy) -> At:
    meta = document.meta
    place = Provenance(
        found_by, meta.id, locator, effective_from=meta.effective_from, effective_to=meta.effective_to
    )
    return At(place, meta.id)
