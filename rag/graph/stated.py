"""The graph without what a language model has read in it: the part that may be told to a student.

A model's relations lead retrieval to passages (`rag.retrieve.graph_expansion`); no office has stated them. The queries
over several steps leave them out by themselves (`queries.yml`).
"""

from __future__ import annotations

from collections.abc import Iterator

from rag.graph.store import Found, GraphStore, Parameter
from rag.graph.types import Edge, FoundBy, Node, Provenance


class StatedGraph:
    """Implements `GraphStore` over another store."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self.name = store.name
        self.tables = store.tables
        self.relations = store.relations

    def run(self, query: str, **parameters: Parameter) -> list[Found]:
        found = self._store.run(query, **parameters)
        return [row for row in found if _stated(row.node.provenance) and (row.by is None or _stated(row.by))]

    def entities(self) -> Iterator[Node]:
        return (node for node in self._store.entities() if _stated(node.provenance))

    def nodes(self) -> Iterator[Node]:
        return (node for node in self._store.nodes() if _stated(node.provenance))

    def edges(self) -> Iterator[Edge]:
        return (edge for edge in self._store.edges() if _stated(edge.provenance))

    def counts(self) -> tuple[int, int]:
        return sum(1 for _ in self.nodes()), sum(1 for _ in self.edges())

    def close(self) -> None:
        self._store.close()


def _stated(place: Provenance) -> bool:
    return place.found_by is not FoundBy.MODEL
