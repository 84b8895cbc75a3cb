"""The shortest ways between two nodes."""

from __future__ import annotations

from rag.graph.paths import MOST_PATHS, shortest_paths
from rag.graph.types import Edge, FoundBy, Provenance

PLACE = Provenance(FoundBy.TABLE, "courses")


def edges(*pairs: str) -> list[Edge]:
    return [Edge(pair[0], "prerequisite_of", pair[1], PLACE) for pair in pairs]


def ways(graph: list[Edge], first: str, last: str) -> list[str]:
    return sorted(
        " ".join(edge.source + edge.target for edge in way) for way in shortest_paths(graph, first, last)
    )


def test_a_path_may_walk_edges_backwards() -> None:
    assert ways(edges("AB", "CB"), "A", "C") == ["AB CB"]


def test_all_shortest_paths_are_found_and_no_longer_one() -> None:
    assert ways(edges("AB", "BD", "AC", "CD", "AE", "EF", "FD"), "A", "D") == ["AB BD", "AC CD"]


def test_parallel_paths_are_limited() -> None:
    graph = edges(*(f"A{middle}" for middle in "bcdefgh"), *(f"{middle}Z" for middle in "bcdefgh"))

    assert len(shortest_paths(graph, "A", "Z")) == MOST_PATHS


def test_nothing_joins_strangers_nor_a_node_itself() -> None:
    assert shortest_paths(edges("AB", "CD"), "A", "C") == []
    assert shortest_paths(edges("AB"), "A", "A") == []
    assert shortest_paths(edges("AB"), "A", "Z") == []
