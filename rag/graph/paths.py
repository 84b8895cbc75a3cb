"""Shortest paths between two nodes of a graph, whatever the relations and their directions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from rag.graph.types import Edge

MOST_PATHS = 5
"""The most shortest paths that are returned."""


def shortest_paths(edges: Iterable[Edge], first: str, last: str) -> list[list[Edge]]:
    """Return the shortest paths from a node to another, at most `MOST_PATHS`; empty when none joins them.

    A path lists its edges in order; an edge may be walked against its direction.
    """
    around: dict[str, list[Edge]] = {}
    for edge in edges:
        for end in (edge.source, edge.target):
            around.setdefault(end, []).append(edge)
    steps, waiting = {first: 0}, deque([first])
    while waiting and last not in steps:
        here = waiting.popleft()
        for edge in around.get(here, ()):
            if (there := other_end(edge, here)) not in steps:
                steps[there] = steps[here] + 1
                waiting.append(there)
    if last not in steps or first == last:
        return []
    paths: list[tuple[str, list[Edge]]] = [(last, [])]
    for left in range(steps[last] - 1, -1, -1):
        paths = [
            (before, [edge, *path])
            for there, path in paths
            for edge in around[there]
            if steps.get(before := other_end(edge, there)) == left
        ][:MOST_PATHS]
    return [path for _, path in paths]


def other_end(edge: Edge, node: str) -> str:
    """Return the end of an edge that is not `node`."""
    return edge.target if edge.source == node else edge.source
