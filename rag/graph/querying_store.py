"""The part of a graph store that is the same for every database with named queries (`queries.yml`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

from rag.graph.store import Found, Parameter, edge_of, found_of, node_of
from rag.graph.types import Edge, Node


class QueryingStore(ABC):
    """Reads a graph by named queries; a database gives the rows (`_answered`)."""

    relations: tuple[str, ...]

    def run(self, query: str, **parameters: Parameter) -> list[Found]:
        return [found_of(row) for row in self._answered(query, parameters)]

    def entities(self) -> Iterator[Node]:
        return (node_of(row) for row in self._answered("all_entities", {}))

    def nodes(self) -> Iterator[Node]:
        return (node_of(row) for row in self._answered("all_nodes", {}))

    def edges(self) -> Iterator[Edge]:
        for relation in self.relations:
            yield from (edge_of(row) for row in self._answered(f"all_edges.{relation}", {}))

    def counts(self) -> tuple[int, int]:
        nodes, edges = (self._answered(name, {})[0]["count"] for name in ("count_nodes", "count_edges"))
        return int(str(nodes)), int(str(edges))

    @abstractmethod
    def _answered(self, query: str, parameters: Mapping[str, Parameter]) -> list[dict[str, object]]:
        """Return the rows of a named query. Raises GraphError when the database does not answer."""
