"""Exports hold the whole graph, whatever its texts contain."""

from __future__ import annotations

import json
from pathlib import Path

import ladybug
import pytest
from lxml import etree

from rag.graph.exports import write_cypher, write_graphml, write_json
from rag.graph.ladybug_store import LadybugKind
from rag.graph.store import EDGE_COLUMNS, NODE_COLUMNS, GraphStore
from rag.graph.types import Edge, FoundBy, Graph, Node, Provenance, Table

HOSTILE = "Phòng \"A\" 'B' \\ <b> & {}\n$1 ]]>"
PLACE = Provenance(FoundBy.CATALOG, "catalog", HOSTILE)
GRAPH = Graph(
    (
        Node("Office:a", "Office", HOSTILE, PLACE, (HOSTILE,), {"phone": "1"}),
        Node("Office:b", "Office", "Phòng B", PLACE),
    ),
    (Edge("Office:a", "part_of", "Office:b", PLACE),),
    (Table("catalog", "Danh bạ"),),
    ("part_of",),
)


@pytest.fixture
def store(tmp_path: Path) -> GraphStore:
    folder = tmp_path / "store"
    folder.mkdir()
    LadybugKind().write(GRAPH, folder, "test")
    return LadybugKind().open(folder, "test")


def test_graphml_has_every_node_and_edge_with_its_data(store: GraphStore, tmp_path: Path) -> None:
    write_graphml(store, tmp_path / "g.graphml")

    names = {"g": "http://graphml.graphdrawing.org/xmlns"}
    root = etree.parse(tmp_path / "g.graphml").getroot()
    keys = {key.get("id"): key.get("attr.name") for key in root.findall("g:key", names)}
    nodes = {
        node.get("id"): {keys[data.get("key")]: data.text for data in node}
        for node in root.findall("g:graph/g:node", names)
    }
    edge = root.find("g:graph/g:edge", names)
    assert edge is not None
    assert nodes.keys() == {"Office:a", "Office:b"}
    assert nodes["Office:a"]["name"] == HOSTILE
    assert (edge.get("source"), edge.get("target")) == ("Office:a", "Office:b")
    assert {keys[data.get("key")]: data.text for data in edge}["relation"] == "part_of"


def test_json_has_every_node_edge_and_table(store: GraphStore, tmp_path: Path) -> None:
    write_json(store, tmp_path / "g.json")

    said = json.loads((tmp_path / "g.json").read_text(encoding="utf-8"))
    assert [(node["id"], node["name"]) for node in said["nodes"]] == [
        ("Office:a", HOSTILE),
        ("Office:b", "Phòng B"),
    ]
    assert said["nodes"][0]["properties"] == {"phone": "1"}
    assert [(e["source"], e["relation"], e["target"]) for e in said["edges"]] == [
        ("Office:a", "part_of", "Office:b")
    ]
    assert said["tables"][0]["title"] == "Danh bạ"


def test_cypher_makes_the_graph_anew_in_a_database(store: GraphStore, tmp_path: Path) -> None:
    write_cypher(store, tmp_path / "g.cypher")

    constraint, *statements = (tmp_path / "g.cypher").read_text(encoding="utf-8").splitlines()
    assert constraint.startswith("CREATE CONSTRAINT")
    with ladybug.Database(":memory:") as database, ladybug.Connection(database) as connection:
        columns = ", ".join(f"{column} STRING" for column in NODE_COLUMNS[1:])
        connection.execute(f"CREATE NODE TABLE Entity(id STRING PRIMARY KEY, {columns})")
        of_edge = ", ".join(f"{column} STRING" for column in EDGE_COLUMNS)
        connection.execute(f"CREATE REL TABLE part_of(FROM Entity TO Entity, {of_edge})")
        for statement in statements:
            connection.execute(statement.rstrip(";"))
        found = connection.execute("MATCH (a)-[r:part_of]->(b) RETURN a.name, r.locator, b.id")
        assert isinstance(found, ladybug.QueryResult)
        assert found.get_next() == [HOSTILE, HOSTILE, "Office:b"]
