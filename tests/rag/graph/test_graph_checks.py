"""`covan graph check` tells what cannot be right."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from graph_school import GRAPH_SCHOOL, built, stored

from rag.graph.checks import check_graph
from rag.graph.ladybug_store import LadybugKind
from rag.graph.types import Edge, FoundBy, Graph, Node, Provenance
from rag.types import FaqEntry, Source

TODAY = date(2026, 11, 20)
PLACE = Provenance(FoundBy.CATALOG, "catalog")


def node(kind: str, local: str, place: Provenance = PLACE, **properties: str) -> Node:
    return Node(f"{kind}:{local}", kind, local, place, (local,), properties)


def problems(tmp_path: Path, graph: Graph, *faq: FaqEntry) -> list[tuple[str, str]]:
    LadybugKind().write(graph, tmp_path, "test")
    return [
        (each.check, each.about) for each in check_graph(LadybugKind().open(tmp_path, "test"), faq, TODAY)
    ]


RELATIONS = ("prerequisite_of", "refers_to", "supersedes")


def test_a_sound_graph_has_no_problems(tmp_path: Path) -> None:
    assert check_graph(stored(built(GRAPH_SCHOOL, tmp_path), tmp_path / "store"), (), TODAY) == []


def test_an_office_that_cannot_be_reached_is_told(tmp_path: Path) -> None:
    graph = Graph(
        (node("Office", "a"), node("Office", "b", phone="1"), node("Person", "c")), (), (), RELATIONS
    )

    assert problems(tmp_path, graph) == [("contact", "Office:a")]


def test_courses_that_require_each_other_are_told(tmp_path: Path) -> None:
    nodes = tuple(node("Course", code) for code in "ABC")
    edges = tuple(
        Edge(f"Course:{a}", "prerequisite_of", f"Course:{b}", PLACE)
        for a, b in (("A", "B"), ("B", "C"), ("C", "A"))
    )

    assert [check for check, _ in problems(tmp_path, Graph(nodes, edges, (), RELATIONS))] == ["cycle"]


@pytest.mark.parametrize("rests_on_both", [False, True])
def test_what_rests_on_a_replaced_document_is_told(tmp_path: Path, rests_on_both: bool) -> None:
    nodes = (
        node("Document", "old"),
        node("Document", "new"),
        node("Document", "other"),
        node("Clause", "other#1"),
    )
    edges = (
        Edge("Document:new", "supersedes", "Document:old", PLACE),
        Edge("Clause:other#1", "refers_to", "Document:old", PLACE),
        Edge("Document:new", "refers_to", "Document:old", PLACE),
    )
    places = (Source("old"), Source("new")) if rests_on_both else (Source("old"),)
    entry = FaqEntry("f1", "Q", (), "A", "study", sources=places)

    found = problems(tmp_path, Graph(nodes, edges, (), RELATIONS), entry)

    assert found == [("superseded", "other#1"), *([] if rests_on_both else [("superseded", "faq f1")])]
