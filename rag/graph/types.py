"""Nodes and edges of the knowledge graph, each with the place that it rests on. Text is NFC.

The layers are those of REBot (Ma et al., arXiv:2510.01800): categories hold documents, documents hold clauses, and
clauses mention entities. The kinds of nodes and relations are data (`rag/ingest/graph/schema.yml`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

Value = str | int | float
"""The value of a property."""


class FoundBy(StrEnum):
    """The way in which a node or an edge was found, the most reliable first."""

    CATALOG = "catalog"
    TABLE = "table"
    ENTITIES = "entities"
    METADATA = "metadata"
    RULE = "rule"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Provenance:
    """The place that a node or an edge rests on, and its validity.

    `document` is the id of a document or of a `Table`, `locator` the place in it as a student can look it up, `passage`
    the id of the passage, empty for a table. Validity is that of the document; None: unlimited.
    """

    found_by: FoundBy
    document: str
    locator: str = ""
    passage: str = ""
    effective_from: date | None = None
    effective_to: date | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """An entity, a clause, a document or a category.

    `id` is `node_id(type, ...)`; `names` are all names that it is called by, `name` the first of them.
    """

    id: str
    type: str
    name: str
    provenance: Provenance
    names: tuple[str, ...] = ()
    properties: Mapping[str, Value] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Edge:
    """The relation `relation` from the node `source` to the node `target` (ids)."""

    source: str
    relation: str
    target: str
    provenance: Provenance
    properties: Mapping[str, Value] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Table:
    """A published table or list, other than a document, that nodes and edges cite: a course table, the catalogue."""

    id: str
    title: str
    number: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Graph:
    """A whole graph. Ids of nodes are distinct, and every edge joins two of its nodes.

    `relations` are all relations of its schema, used or not.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    tables: tuple[Table, ...] = ()
    relations: tuple[str, ...] = ()


def node_id(kind: str, local: str) -> str:
    """Return the id of the node of type `kind` that the knowledge folder calls `local`."""
    return f"{kind}:{local}"


def local_id(node: str) -> str:
    """Return the id by which the knowledge folder calls a node."""
    return node.partition(":")[2]


def kind_of(node: str) -> str:
    """Return the type of the node with the id `node`."""
    return node.partition(":")[0]
