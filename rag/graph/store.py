"""Graph stores: each holds one version of a graph and answers the named queries of `queries.yml`.

Queries are data and take parameters; no part of a query is ever made from a text of a student.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Protocol

from rag.graph.types import Edge, FoundBy, Graph, Node, Provenance, Table, Value

Parameter = str | int
MOST_ROWS = 500
"""The most rows of one query."""

ALWAYS, NEVER = "0001-01-01", "9999-12-31"
"""The limits of an unlimited validity; dates are ISO 8601 texts, which both stores compare alike."""


class GraphError(Exception):
    """A store cannot be reached, is damaged, or has failed a query; the message says why."""


@dataclass(frozen=True, slots=True)
class Found:
    """A row of a query: the node found, the edge that led to it, and further columns by name.

    `by` is None when the query leads over no edge. `steps` is the number of edges to the node.
    """

    node: Node
    by: Provenance | None = None
    of_edge: Mapping[str, Value] = field(default_factory=dict)
    steps: int = 0


class GraphStore(Protocol):
    """An opened graph. Safe to use from several threads."""

    name: str
    tables: Mapping[str, Table]
    relations: tuple[str, ...]

    def run(self, query: str, **parameters: Parameter) -> list[Found]:
        """Return the rows of a named query, at most `MOST_ROWS`. Raises GraphError, and KeyError for an unknown one."""
        ...

    def entities(self) -> Iterator[Node]:
        """Yield every node but clauses. Raises GraphError."""
        ...

    def counts(self) -> tuple[int, int]:
        """Return the number of nodes and of edges. Raises GraphError."""
        ...

    def edges(self) -> Iterator[Edge]:
        """Yield every edge. Raises GraphError."""
        ...

    def nodes(self) -> Iterator[Node]:
        """Yield every node. Raises GraphError."""
        ...

    def close(self) -> None: ...


NODE_COLUMNS = (
    "id",
    "type",
    "name",
    "names",
    "properties",
    "found_by",
    "document",
    "locator",
    "passage",
    "valid_from",
    "valid_to",
)
EDGE_COLUMNS = ("properties", "found_by", "document", "locator", "passage", "valid_from", "valid_to")


def node_row(node: Node) -> list[str]:
    """Return the values of `NODE_COLUMNS`."""
    names = json.dumps(node.names, ensure_ascii=False)
    return [node.id, node.type, node.name, names, _json(node.properties), *_provenance_row(node.provenance)]


def edge_row(edge: Edge) -> list[str]:
    """Return the values of `EDGE_COLUMNS`."""
    return [_json(edge.properties), *_provenance_row(edge.provenance)]


def found_of(row: Mapping[str, object]) -> Found:
    """Return a row with the columns of `queries.yml`."""
    has_edge = row.get("by_found_by") is not None
    return Found(
        node_of(row),
        _provenance({key.removeprefix("by_"): value for key, value in row.items() if key.startswith("by_")})
        if has_edge
        else None,
        json.loads(str(row["by_properties"])) if has_edge else {},
        int(str(row.get("steps") or 0)),
    )


def node_of(row: Mapping[str, object]) -> Node:
    """Return the node in a row."""
    return Node(
        str(row["id"]),
        str(row["type"]),
        str(row["name"]),
        _provenance(row),
        tuple(json.loads(str(row["names"]))),
        _properties(row["properties"]),
    )


def edge_of(row: Mapping[str, object]) -> Edge:
    """Return the edge in a row that also has its ends and its relation."""
    return Edge(
        str(row["source"]),
        str(row["relation"]),
        str(row["target"]),
        _provenance(row),
        _properties(row["properties"]),
    )


def _properties(column: object) -> dict[str, Value]:
    # Nearly all edges have none: a console reads 100,000 of them at once.
    return json.loads(str(column)) if column != "{}" else {}


def _json(properties: Mapping[str, Value]) -> str:
    return json.dumps(dict(properties), ensure_ascii=False, sort_keys=True)


def _provenance_row(place: Provenance) -> list[str]:
    begins, ends = place.effective_from, place.effective_to
    return [
        place.found_by.value,
        place.document,
        place.locator,
        place.passage,
        ALWAYS if begins is None else begins.isoformat(),
        NEVER if ends is None else ends.isoformat(),
    ]


def _provenance(row: Mapping[str, object]) -> Provenance:
    begins, ends = str(row["valid_from"]), str(row["valid_to"])
    return Provenance(
        FoundBy(str(row["found_by"])),
        str(row["document"]),
        str(row["locator"]),
        str(row["passage"]),
        None if begins == ALWAYS else date.fromisoformat(begins),
        None if ends == NEVER else date.fromisoformat(ends),
    )


def tables_to_json(tables: Sequence[Table]) -> str:
    """Return tables as JSON, for a store that keeps them beside the graph."""
    return json.dumps(
        [{"id": t.id, "title": t.title, "number": t.number, "url": t.url} for t in tables], ensure_ascii=False
    )


def tables_from_json(text: str) -> dict[str, Table]:
    """Return the tables of `tables_to_json` by id."""
    return {each["id"]: Table(**each) for each in json.loads(text)}


class GraphStoreKind(Protocol):
    """A kind of store: it writes graphs and opens them. `folder` is the graph's own folder inside a version."""

    def write(self, graph: Graph, folder: Path, version: str) -> None:
        """Write a graph into an empty folder. Raises GraphError."""
        ...

    def open(self, folder: Path, version: str) -> GraphStore:
        """Open a written graph. Raises GraphError when it is missing, damaged or cannot be reached."""
        ...
