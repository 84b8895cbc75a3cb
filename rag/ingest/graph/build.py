"""Build the graph of a knowledge folder from everything that is known, in the order of trust."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rag.errors import Problem
from rag.graph.merges import Merge
from rag.graph.types import FoundBy, Graph
from rag.ingest.graph.building import GraphBuilder
from rag.ingest.graph.course_tables import CourseTable
from rag.ingest.graph.entity_files import EntityEntry
from rag.ingest.graph.extraction_cache import ExtractionCache
from rag.ingest.graph.from_catalog import add_catalog, add_course_edges, add_course_nodes, add_locations
from rag.ingest.graph.from_documents import StatementLinker, add_clauses, add_documents, add_mentions
from rag.ingest.graph.from_entities import add_entity_edges, add_entity_nodes
from rag.ingest.graph.merging import merge_duplicates
from rag.ingest.graph.rules import RuleExtractor
from rag.ingest.graph.schema import GraphSchema, base_schema
from rag.ingest.graph.statements import Extractor, Statement
from rag.messages import Message
from rag.types import Document, Passage
from school.catalog import Catalog, Topic

CACHE = "statements.sqlite"


@dataclass(frozen=True, slots=True)
class GraphSources:
    """The parts of a knowledge folder that only the graph reads."""

    schema: GraphSchema = field(default_factory=base_schema)
    tables: tuple[CourseTable, ...] = ()
    entities: tuple[EntityEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class BuiltGraph:
    """A graph without duplicates, a report of everything that was left out, and the merges."""

    graph: Graph
    reports: tuple[Problem, ...]
    merges: tuple[Merge, ...]


def extractors() -> tuple[Extractor, ...]:
    """Return what reads passages: the rules."""
    return (RuleExtractor(),)


def build_graph(
    sources: GraphSources,
    catalog: Catalog,
    topics: Sequence[Topic],
    documents: Sequence[Document],
    aliases: Mapping[str, Sequence[str]],
    passages: Sequence[Passage],
    out: Path,
    of_model: Callable[[Passage], Sequence[Statement]] = lambda _: (),
) -> BuiltGraph:
    """Return the graph. Statements that were read before are taken from the cache in `out`.

    `of_model` are the statements of a passage that a language model has read; they come last.
    """
    builder = GraphBuilder(sources.schema)
    add_catalog(builder, catalog, topics)
    add_documents(builder, documents, aliases, catalog)
    add_course_nodes(builder, sources.tables)
    placed = add_entity_nodes(builder, sources.entities, documents, catalog.school.name)
    add_course_edges(builder, sources.tables, catalog)
    add_entity_edges(builder, placed)
    add_locations(builder)
    add_clauses(builder, passages)
    add_mentions(builder, passages)
    linker = StatementLinker(builder, documents, aliases)
    cache = ExtractionCache(out / CACHE)
    for extractor in extractors():
        for passage, said in zip(passages, cache.statements(extractor, passages), strict=True):
            for statement in said:
                linker.add(passage, statement, extractor.found_by)
    for passage in passages:
        for statement in of_model(passage):
            linker.add(passage, statement, FoundBy.MODEL)
    for node in sorted(frozenset().union(*sources.schema.distinct) - builder.nodes.keys()):
        builder.reports.append(Problem("graph.yml", Message("graph_unknown_node", node=node)))
    merged = merge_duplicates(builder.finished(), sources.schema.distinct)
    return BuiltGraph(merged.graph, tuple(dict.fromkeys(builder.reports)), merged.merges)
