"""The entities of `entities/*.yml` as nodes and edges."""

from __future__ import annotations

from collections.abc import Sequence

from rag.graph.types import FoundBy, Provenance, Table, node_id
from rag.ingest.graph.building import At, GraphBuilder
from rag.ingest.graph.entity_files import EntityEntry, texts_of
from rag.ingest.graph.rules import directory_title
from rag.messages import Message
from rag.types import Document

Placed = tuple[EntityEntry, At]
"""An entity with the place that it rests on."""


def add_entity_nodes(
    builder: GraphBuilder, entries: Sequence[EntityEntry], documents: Sequence[Document], school: str
) -> list[Placed]:
    """Add the entities without their relations, and return each with its place.

    A `source` that is no document of the folder is reported; the entity then cites its own file.
    """
    known = {document.meta.id: document for document in documents}
    places = []
    for entry in entries:
        at = _at(builder, entry, known, school)
        places.append(at)
        properties = {key: value for key, value in entry.said.items() if key not in builder.schema.relations}
        flat = {key: _text(value, key, at, builder) for key, value in properties.items()}
        kind = _kind(builder, entry)
        own = {key: value for key, value in flat.items() if key != "chapters"}
        builder.add_node(kind, entry.record.id, entry.record.name, at, entry.record.aliases, own)
        for number, chapter in enumerate(texts_of(entry.said.get("chapters")) or (), 1):
            _add_chapter(builder, node_id(kind, entry.record.id), number, chapter, at)
    return list(zip(entries, places, strict=True))


def add_entity_edges(builder: GraphBuilder, placed: Sequence[Placed]) -> None:
    """Add the relations of the entities, once all nodes are there."""
    for entry, at in placed:
        source = node_id(_kind(builder, entry), entry.record.id)
        if source not in builder.nodes:
            continue
        for relation, ends in entry.said.items():
            if relation not in builder.schema.relations:
                continue
            named = texts_of(ends)
            if named is None:
                builder.reports.append(at.problem(Message("field_is_wrong", what=relation, **_WANTS_LIST)))
            for local in named or ():
                builder.add_named_edge(source, relation, local, at)


_WANTS_LIST: dict[str, object] = {"why": Message("wants_list"), "found": ""}


def _kind(builder: GraphBuilder, entry: EntityEntry) -> str:
    """Return the type of an entity; that of the catalogue for an office which a file calls a department."""
    office = node_id("Office", entry.record.id)
    return "Office" if entry.record.type == "Department" and office in builder.nodes else entry.record.type


def _text(value: object, key: str, at: At, builder: GraphBuilder) -> str:
    texts = texts_of(value)
    if texts is None:
        why = {"why": Message("wants_text"), "found": ""}
        builder.reports.append(at.problem(Message("field_is_wrong", what=key, **why)))
    return "; ".join(texts or ())


def _add_chapter(builder: GraphBuilder, book: str, number: int, name: str, at: At) -> None:
    local = f"{book.partition(':')[2]}-{number}"
    chapter = builder.add_node("Chapter", local, name, at, (), {"number": number})
    if chapter is not None and book in builder.nodes:
        builder.add_edge(chapter, "part_of", book, at)


def _at(builder: GraphBuilder, entry: EntityEntry, documents: dict[str, Document], school: str) -> At:
    record, file = entry.record, entry.place.file
    source = record.source
    line = entry.place.line()
    begins, ends = record.effective_from, record.effective_to
    if source is not None and (document := documents.get(source.document)) is not None:
        meta = document.meta
        place = Provenance(
            FoundBy.ENTITIES,
            meta.id,
            source.locator,
            effective_from=begins or meta.effective_from,
            effective_to=ends or meta.effective_to,
        )
        return At(place, file, line)
    if source is not None and source.document not in builder.tables:
        message = Message("unknown_id", kind="document", value=source.document, hint="")
        builder.reports.append(entry.place.problem(message, "source"))
    table = source.document if source is not None and source.document in builder.tables else file
    locator = source.locator if source is not None and source.document in builder.tables else record.name
    if table == file:
        builder.tables.setdefault(file, Table(file, directory_title(school)))
    return At(Provenance(FoundBy.ENTITIES, table, locator, "", begins, ends), file, line)
