"""A school with a graph that is small enough to know by heart, and its parts made without an index."""

from __future__ import annotations

from pathlib import Path

from rag.graph.ladybug_store import LadybugKind
from rag.graph.store import GraphStore
from rag.ingest.document_texts import split_documents, until_superseded
from rag.ingest.graph.build import BuiltGraph, build_graph
from rag.ingest.load import load_knowledge

GRAPH_SCHOOL = Path(__file__).parents[1] / "graph_school"


def built(folder: Path, out: Path) -> BuiltGraph:
    """Return the graph of a knowledge folder; statements are kept in `out`."""
    knowledge = load_knowledge(folder)
    documents = until_superseded(knowledge.documents)
    passages, _ = split_documents(documents, {})
    return build_graph(
        knowledge.graph,
        knowledge.catalog,
        knowledge.topics,
        documents,
        knowledge.document_aliases,
        [passage for passage, _ in passages],
        out,
    )


def stored(graph: BuiltGraph, folder: Path) -> GraphStore:
    """Return an opened store with a graph."""
    folder.mkdir(parents=True)
    LadybugKind().write(graph.graph, folder, "test")
    return LadybugKind().open(folder, "test")
