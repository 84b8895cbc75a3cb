"""The store for scale: a Neo4j server over Bolt.

Versions of a graph stand side by side under a label each, so that a new one is swapped in with its index; versions that
the index no longer keeps are deleted when the next one is written. The folder inside the index names the label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from rag.graph.queries import compiled, parameters_of
from rag.graph.querying_store import QueryingStore
from rag.graph.store import (
    EDGE_COLUMNS,
    NODE_COLUMNS,
    GraphError,
    Parameter,
    edge_row,
    node_row,
    tables_from_json,
    tables_to_json,
)
from rag.graph.types import Graph, Table
from rag.settings import Settings

TABLES, RELATIONS, LABEL = "tables.json", "relations.txt", "label.txt"
BATCH = 2_000
TIMEOUT_S = 5.0
"""The longest wait for a server that is down."""

_LABEL = re.compile(r"Entity_\w{1,64}", re.ASCII)
_FAILED = (Neo4jError, DriverError, OSError, ValueError)


class Neo4jKind:
    """Writes graphs to a server and opens them. `user` may be empty for a server without authentication."""

    def __init__(self, address: str, user: str = "", password: str = "", database: str | None = None) -> None:
        self._address = address
        self._auth = (user, password) if user else None
        self._database = database

    @classmethod
    def of(cls, chosen: Settings) -> Neo4jKind:
        """Return the server of the settings."""
        password = chosen.neo4j_password.get_secret_value()
        return cls(chosen.neo4j_url, chosen.neo4j_user, password, chosen.neo4j_database or None)

    def _driver(self) -> neo4j.Driver:
        return neo4j.GraphDatabase.driver(
            self._address,
            auth=self._auth,
            connection_timeout=TIMEOUT_S,
            connection_acquisition_timeout=TIMEOUT_S,
            max_transaction_retry_time=TIMEOUT_S,
        )

    def write(self, graph: Graph, folder: Path, version: str) -> None:
        label = f"Entity_{version}"
        if not _LABEL.fullmatch(label):
            raise GraphError(f"no label can be made of the version {version!r}")
        try:
            with self._driver() as driver:
                _delete(driver, self._database, label)
                _load(driver, self._database, label, graph)
                _delete_others(driver, self._database, {label, *_labels_in(folder)})
        except _FAILED as error:
            raise GraphError(f"the graph cannot be written to {self._address}: {error}") from error
        (folder / TABLES).write_text(tables_to_json(graph.tables), encoding="utf-8")
        (folder / RELATIONS).write_text("\n".join(graph.relations), encoding="utf-8")
        (folder / LABEL).write_text(label, encoding="utf-8")

    def open(self, folder: Path, version: str) -> Neo4jStore:
        del version
        try:
            label = (folder / LABEL).read_text(encoding="utf-8")
            if not _LABEL.fullmatch(label):
                raise GraphError(f"{folder / LABEL} names no label")
            tables = tables_from_json((folder / TABLES).read_text(encoding="utf-8"))
            relations = (folder / RELATIONS).read_text(encoding="utf-8").split()
            driver = self._driver()
            store = Neo4jStore(driver, self._database, label, relations, tables)
            nodes, _ = store.counts()
        except GraphError:
            raise
        except (*_FAILED, KeyError, TypeError) as error:
            raise GraphError(f"the graph at {self._address} cannot be opened: {error}") from error
        if not nodes:
            store.close()
            raise GraphError(f"the graph at {self._address} is empty under {label}")
        return store


def _labels_in(folder: Path) -> set[str]:
    """Return the labels of the versions beside `folder` (versions/NAME/graph), which are kept."""
    found = set()
    for path in folder.parent.parent.glob(f"*/{folder.name}/{LABEL}"):
        with suppress(OSError):
            found.add(path.read_text(encoding="utf-8"))
    return found


def _load(driver: neo4j.Driver, database: str | None, label: str, graph: Graph) -> None:
    driver.execute_query(
        f"CREATE CONSTRAINT {label} IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE",
        database_=database,
    )
    nodes = [dict(zip(NODE_COLUMNS, node_row(node), strict=True)) for node in graph.nodes]
    for rows in _batches(nodes):
        driver.execute_query(
            f"UNWIND $rows AS row CREATE (n:{label}) SET n = row",
            rows=rows,
            database_=database,
        )
    by_relation: dict[str, list[dict[str, Any]]] = {}
    for edge in graph.edges:
        row = {
            "source": edge.source,
            "target": edge.target,
            "properties": dict(zip(EDGE_COLUMNS, edge_row(edge), strict=True)),
        }
        by_relation.setdefault(edge.relation, []).append(row)
    for relation, edges in by_relation.items():
        for rows in _batches(edges):
            driver.execute_query(
                f"UNWIND $rows AS row MATCH (a:{label} {{id: row.source}}) MATCH (b:{label} {{id: row.target}}) "
                f"CREATE (a)-[r:{relation}]->(b) SET r = row.properties",
                rows=rows,
                database_=database,
            )


def _delete(driver: neo4j.Driver, database: str | None, label: str) -> None:
    with driver.session(database=database) as session:
        session.run(
            f"MATCH (n:{label}) CALL {{ WITH n DETACH DELETE n }} IN TRANSACTIONS OF {BATCH} ROWS"
        ).consume()
        session.run(f"DROP CONSTRAINT {label} IF EXISTS").consume()


def _delete_others(driver: neo4j.Driver, database: str | None, kept: set[str]) -> None:
    """Delete the graphs of versions that are not `kept`."""
    rows, _, _ = driver.execute_query("CALL db.labels() YIELD label RETURN label", database_=database)
    for row in rows:
        if _LABEL.fullmatch(label := str(row["label"])) and label not in kept:
            _delete(driver, database, label)


def _batches(rows: Sequence[Mapping[str, Any]]) -> Iterator[Sequence[Mapping[str, Any]]]:
    return (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))


class Neo4jStore(QueryingStore):
    """An opened graph on a server."""

    name = "neo4j"

    def __init__(
        self,
        driver: neo4j.Driver,
        database: str | None,
        label: str,
        relations: Sequence[str],
        tables: Mapping[str, Table],
    ) -> None:
        self.tables = tables
        self._driver = driver
        self._database = database
        self.relations = tuple(relations)
        self._queries = compiled("neo4j", relations, label)

    def close(self) -> None:
        self._driver.close()

    def _answered(self, query: str, parameters: Mapping[str, Parameter]) -> list[dict[str, object]]:
        cypher = self._queries[query]
        taken = {name: parameters[name] for name in parameters_of(cypher)}
        try:
            rows, _, _ = self._driver.execute_query(
                cypher,
                parameters_=taken,
                database_=self._database,
                routing_=neo4j.RoutingControl.READ,
            )
        except _FAILED as error:
            raise GraphError(f"the query {query!r} failed: {error}") from error
        return [row.data() for row in rows]
