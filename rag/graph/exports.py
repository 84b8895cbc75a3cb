"""Exports of a graph: GraphML, node-link JSON, and Cypher statements that make it anew in another database."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lxml import etree  # type: ignore[import-untyped]

from rag.graph.store import (
    EDGE_COLUMNS,
    NODE_COLUMNS,
    GraphStore,
    edge_row,
    node_row,
    tables_to_json,
)
from rag.graph.types import Edge, Node

_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
_ESCAPED = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def write_graphml(store: GraphStore, path: Path) -> None:
    """Write a graph as GraphML (http://graphml.graphdrawing.org). Raises GraphError and OSError."""
    with etree.xmlfile(str(path), encoding="utf-8") as file:
        file.write_declaration()
        with file.element("graphml", nsmap={None: _GRAPHML}):
            for kind, columns in (("node", NODE_COLUMNS[1:]), ("edge", ("relation", *EDGE_COLUMNS))):
                for column in columns:
                    key = {"id": f"{kind}_{column}", "for": kind, "attr.name": column, "attr.type": "string"}
                    file.write(etree.Element("key", key))
            with file.element("graph", edgedefault="directed"):
                for node in store.nodes():
                    data = zip(NODE_COLUMNS[1:], node_row(node)[1:], strict=True)
                    file.write(_element("node", {"id": node.id}, data))
                for edge in store.edges():
                    data = zip(("relation", *EDGE_COLUMNS), (edge.relation, *edge_row(edge)), strict=True)
                    file.write(_element("edge", {"source": edge.source, "target": edge.target}, data))


def _element(kind: str, attributes: Mapping[str, str], data: Iterable[tuple[str, str]]) -> Any:
    element = etree.Element(kind, dict(attributes))
    for column, value in data:
        etree.SubElement(element, "data", key=f"{kind}_{column}").text = _in_xml(value)
    return element


def _in_xml(text: str) -> str:
    """Return a text without the control characters that XML cannot hold."""
    return "".join(char for char in text if char in "\t\n\r" or char >= " ")


def write_json(store: GraphStore, path: Path) -> None:
    """Write a graph as JSON: `nodes`, `edges` and the `tables` that they cite. Raises GraphError and OSError."""
    nodes = [_node_json(node) for node in store.nodes()]
    edges = [_edge_json(edge) for edge in store.edges()]
    tables = json.loads(tables_to_json(list(store.tables.values())))
    whole = {"nodes": nodes, "edges": edges, "tables": tables}
    path.write_text(json.dumps(whole, ensure_ascii=False, indent=1), encoding="utf-8")


def _node_json(node: Node) -> dict[str, object]:
    row = dict(zip(NODE_COLUMNS, node_row(node), strict=True))
    return {**row, "names": list(node.names), "properties": dict(node.properties)}


def _edge_json(edge: Edge) -> dict[str, object]:
    row = dict(zip(EDGE_COLUMNS, edge_row(edge), strict=True))
    ends = {"source": edge.source, "relation": edge.relation, "target": edge.target}
    return {**ends, **row, "properties": dict(edge.properties)}


def write_cypher(store: GraphStore, path: Path) -> None:
    """Write a graph as Cypher statements, one a line, for `cypher-shell -f`. Raises GraphError and OSError."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{statement};\n" for statement in _statements(store))


def _statements(store: GraphStore) -> Iterator[str]:
    yield "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE"
    for node in store.nodes():
        yield f"CREATE (:Entity {_map(NODE_COLUMNS, node_row(node))})"
    for edge in store.edges():
        ends = f"(a:Entity {{id: {_literal(edge.source)}}}), (b:Entity {{id: {_literal(edge.target)}}})"
        yield f"MATCH {ends} CREATE (a)-[:{edge.relation} {_map(EDGE_COLUMNS, edge_row(edge))}]->(b)"


def _map(columns: Sequence[str], values: Sequence[str]) -> str:
    pairs = (f"{column}: {_literal(value)}" for column, value in zip(columns, values, strict=True))
    return f"{{{', '.join(pairs)}}}"


def _literal(text: str) -> str:
    return f"'{''.join(_ESCAPED.get(char, char) for char in text)}'"


FORMATS: Mapping[str, Callable[[GraphStore, Path], None]] = {
    "graphml": write_graphml,
    "json": write_json,
    "cypher": write_cypher,
}
"""The writers of a graph by the name of their format."""
