"""Both stores answer the same queries in the same way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from rag.graph.store import GraphError, GraphStore, GraphStoreKind
from rag.graph.types import Edge, FoundBy, Graph, Node, Provenance, Table

Stored = Callable[[Graph], GraphStore]
TODAY = "2026-11-20"
RELATIONS = ("prerequisite_of", "taught_by", "mentions", "part_of", "belongs_to")
PLACE = Provenance(FoundBy.TABLE, "courses/cntt", "dòng: CT101")


def course(code: str, **properties: str | int | float) -> Node:
    return Node(f"Course:{code}", "Course", f"Môn {code}", PLACE, (f"Môn {code}", code), properties)


def before(first: str, second: str, **limits: date) -> Edge:
    place = Provenance(FoundBy.TABLE, "courses/cntt", f"dòng: {second}", **limits)
    return Edge(f"Course:{first}", "prerequisite_of", f"Course:{second}", place)


CHAIN = Graph(
    nodes=(course("A", credits=3), course("B"), course("C"), course("D")),
    edges=(before("A", "B"), before("B", "C"), before("A", "C"), before("C", "D")),
    tables=(Table("courses/cntt", "Chương trình đào tạo CNTT", "12/QĐ", "https://example.edu.vn/cntt"),),
    relations=RELATIONS,
)


def test_a_node_is_found_as_it_was_written(stored: Stored) -> None:
    written = Node(
        "Person:an",
        "Person",
        'Nguyễn "An", ThS.\n(khoa)',
        Provenance(
            FoundBy.RULE, "quy-che", "Điều 5, khoản 2", "quy-che#7", date(2025, 9, 1), date(2027, 1, 1)
        ),
        ("Nguyễn An", "thầy An; 'An' \\ x"),
        {"phone": "0200 3800", "hours": "", "days": 3, "rate": 1.5},
    )
    store = stored(Graph((written,), (), (), RELATIONS))

    assert [found.node for found in store.run("node", id="Person:an")] == [written]
    assert list(store.nodes()) == [written]


def test_nothing_is_found_for_an_unknown_node(stored: Stored) -> None:
    store = stored(CHAIN)

    assert store.run("node", id="Course:X") == []
    assert store.run("in.prerequisite_of", id="' OR true //", today=TODAY) == []


def test_a_relation_leads_both_ways_and_names_its_place(stored: Stored) -> None:
    store = stored(CHAIN)

    into = store.run("in.prerequisite_of", id="Course:C", today=TODAY)
    out = store.run("out.prerequisite_of", id="Course:A", today=TODAY)

    assert [found.node.id for found in into] == ["Course:A", "Course:B"]
    assert [found.node.id for found in out] == ["Course:B", "Course:C"]
    assert into[0].by == Provenance(FoundBy.TABLE, "courses/cntt", "dòng: C")


def test_prerequisites_over_several_steps_come_nearest_first(stored: Stored) -> None:
    store = stored(CHAIN)

    found = store.run("before.prerequisite_of", id="Course:D")
    behind = store.run("behind.prerequisite_of", id="Course:A")

    assert [(each.node.id, each.steps) for each in found] == [
        ("Course:C", 1),
        ("Course:A", 2),
        ("Course:B", 2),
    ]
    assert [(each.node.id, each.steps) for each in behind] == [
        ("Course:B", 1),
        ("Course:C", 1),
        ("Course:D", 2),
    ]


def test_a_step_that_a_model_has_read_is_no_step(stored: Stored) -> None:
    read = replace(before("A", "D"), provenance=Provenance(FoundBy.MODEL, "quy-che", "Điều 5"))
    store = stored(replace(CHAIN, edges=(*CHAIN.edges, read)))

    assert [each.steps for each in store.run("before.prerequisite_of", id="Course:D")] == [1, 2, 2]
    assert [each.steps for each in store.run("behind.prerequisite_of", id="Course:A")] == [1, 1, 2]
    assert len(store.run("out.prerequisite_of", id="Course:A", today=TODAY)) == 3


def test_a_cycle_ends(stored: Stored) -> None:
    nodes = (course("A"), course("B"), course("C"))
    store = stored(Graph(nodes, (before("A", "B"), before("B", "C"), before("C", "A")), (), RELATIONS))

    found = store.run("before.prerequisite_of", id="Course:C")

    assert [each.node.id for each in found] == ["Course:B", "Course:A"]


def test_an_edge_counts_on_the_days_of_its_validity_only(stored: Stored) -> None:
    edge = before("A", "B", effective_from=date(2025, 9, 1), effective_to=date(2026, 8, 31))
    store = stored(Graph((course("A"), course("B")), (edge,), (), RELATIONS))

    def on(day: str) -> int:
        return len(store.run("out.prerequisite_of", id="Course:A", today=day))

    assert [on("2025-08-31"), on("2025-09-01"), on("2026-08-31"), on("2026-09-01")] == [0, 1, 1, 0]


def test_edges_keep_their_properties(stored: Stored) -> None:
    edge = Edge("Course:A", "belongs_to", "Course:B", PLACE, {"semester": 3})
    store = stored(Graph((course("A"), course("B")), (edge,), (), RELATIONS))

    assert store.run("out.belongs_to", id="Course:A", today=TODAY)[0].of_edge == {"semester": 3}
    assert list(store.edges()) == [edge]


def test_counts_and_tables(stored: Stored) -> None:
    store = stored(CHAIN)

    assert store.counts() == (4, 4)
    assert store.tables == {"courses/cntt": CHAIN.tables[0]}


def test_clauses_are_no_entities_and_lead_to_what_they_mention(stored: Stored) -> None:
    clause = Node("Clause:q#Điều 1", "Clause", "Điều 1", PLACE)
    edges = tuple(Edge(clause.id, "mentions", target, PLACE) for target in ("Course:A", "Course:B"))
    store = stored(Graph((clause, course("A"), course("B")), edges, (), RELATIONS))

    assert [node.id for node in store.entities()] == ["Course:A", "Course:B"]
    assert [f.node.id for f in store.run("clauses_about", id="Course:A", today=TODAY)] == [clause.id]
    assert [f.node.id for f in store.run("entities_beside", id="Course:A", today=TODAY)] == ["Course:B"]


def test_an_empty_graph_can_be_asked(kind: GraphStoreKind, tmp_path: Path) -> None:
    if kind.__class__.__name__ == "Neo4jKind":
        pytest.skip("an empty graph on a server is a graph that somebody deleted")
    kind.write(Graph((), (), (), RELATIONS), tmp_path, "test")

    assert kind.open(tmp_path, "test").counts() == (0, 0)


def test_a_missing_graph_is_a_fault_with_a_reason(kind: GraphStoreKind, tmp_path: Path) -> None:
    with pytest.raises(GraphError):
        kind.open(tmp_path, "test")
