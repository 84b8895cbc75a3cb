"""Merges of duplicate nodes: the log of a graph, and the way back to the graph before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from rag.graph.store import GraphError
from rag.graph.types import Edge, Graph, Node

EdgeKey = tuple[str, str, str]
"""An edge's source, relation and target, which no other edge of a graph has."""


@dataclass(frozen=True, slots=True)
class Merge:
    """One merge: the node `dropped` became a part of `kept`, both as they were before.

    `jaccard` (0..1) is that of their neighbourhoods. `removed` are the edges of the dropped node, `added` those
    that the kept node got in their place.
    """

    kept: Node
    dropped: Node
    jaccard: float
    removed: tuple[Edge, ...]
    added: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """A graph without duplicates, and its merges in their order."""

    graph: Graph
    merges: tuple[Merge, ...]


_MERGE = TypeAdapter(Merge)


def undo_merges(merged: Merged) -> Graph:
    """Return the graph as it was before its merges, nodes and edges in the order of their keys."""
    nodes = {node.id: node for node in merged.graph.nodes}
    edges = {edge_key(edge): edge for edge in merged.graph.edges}
    for merge in reversed(merged.merges):
        for edge in merge.added:
            del edges[edge_key(edge)]
        edges |= {edge_key(edge): edge for edge in merge.removed}
        nodes[merge.kept.id] = merge.kept
        nodes[merge.dropped.id] = merge.dropped
    return graph_of(merged.graph, nodes, edges)


def write_merges(merges: Iterable[Merge], path: Path) -> None:
    """Write a log of merges, a line of JSON each. Raises OSError."""
    path.write_bytes(b"\n".join(map(_MERGE.dump_json, merges)))


def read_merges(path: Path) -> tuple[Merge, ...]:
    """Return the merges of a log. Raises GraphError when it is missing or damaged."""
    try:
        return tuple(map(_MERGE.validate_json, path.read_bytes().splitlines()))
    except (OSError, ValidationError) as error:
        raise GraphError(f"{path} cannot be read; run `covan index` again") from error


def edge_key(edge: Edge) -> EdgeKey:
    """Return the key of an edge."""
    return edge.source, edge.relation, edge.target


def graph_of(like: Graph, nodes: Mapping[str, Node], edges: Mapping[EdgeKey, Edge]) -> Graph:
    """Return a graph with other nodes and edges, in the order of their keys."""
    return replace(
        like,
        nodes=tuple(nodes[key] for key in sorted(nodes)),
        edges=tuple(edges[key] for key in sorted(edges)),
    )
