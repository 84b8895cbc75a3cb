"""The embedded store: ladybug, a Cypher database in one file of the index."""

from __future__ import annotations

import csv
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ladybug

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
from rag.graph.types import Edge, Graph, Table

DATABASE, TABLES, RELATIONS = "graph.lbug", "tables.json", "relations.txt"
READING_BYTES, LOADING_BYTES = 128 * 2**20, 1024 * 2**20
"""The most memory for pages of the database, taken as it is needed: loading 100,000 nodes takes more than 64 MB."""

MOST_BYTES = 1 << 36
"""The addresses that each open database reserves. The default, 8 TB, leaves room for fifteen of them in a process."""

_COPY = "(HEADER=true, PARALLEL=false, QUOTE='\"', ESCAPE='\"')"


class LadybugKind:
    """Writes and opens ladybug databases."""

    def write(self, graph: Graph, folder: Path, version: str) -> None:
        del version  # the folder is the version's
        (folder / TABLES).write_text(tables_to_json(graph.tables), encoding="utf-8")
        (folder / RELATIONS).write_text("\n".join(graph.relations), encoding="utf-8")
        try:
            database = ladybug.Database(
                str(folder / DATABASE),
                buffer_pool_size=LOADING_BYTES,
                max_num_threads=1,
                max_db_size=MOST_BYTES,
                # `_load` makes one: after each table it would wait for the disk, twenty times.
                auto_checkpoint=False,
            )
            with database, ladybug.Connection(database) as connection:
                _load(connection, graph)
        except RuntimeError as error:
            raise GraphError(f"the graph cannot be written to {folder}: {error}") from error

    def open(self, folder: Path, version: str) -> LadybugStore:
        del version
        return LadybugStore(folder)


def _load(connection: Any, graph: Graph) -> None:
    """Copy a graph in bulk: row by row it would take minutes."""
    columns = ", ".join(f"{column} STRING" for column in NODE_COLUMNS[1:])
    connection.execute(f"CREATE NODE TABLE Entity(id STRING PRIMARY KEY, {columns})")
    of_edge = ", ".join(f"{column} STRING" for column in EDGE_COLUMNS)
    by_relation: dict[str, list[Edge]] = {relation: [] for relation in graph.relations}
    for edge in graph.edges:
        by_relation[edge.relation].append(edge)
    with TemporaryDirectory() as aside:
        _copy(connection, "Entity", NODE_COLUMNS, map(node_row, graph.nodes), Path(aside))
        for relation, edges in by_relation.items():
            connection.execute(f"CREATE REL TABLE {relation}(FROM Entity TO Entity, {of_edge})")
            rows = ([edge.source, edge.target, *edge_row(edge)] for edge in edges)
            _copy(connection, relation, ("source", "target", *EDGE_COLUMNS), rows, Path(aside))
    connection.execute("CHECKPOINT")


def _copy(
    connection: Any, table: str, columns: Sequence[str], rows: Iterable[Sequence[str]], aside: Path
) -> None:
    path = aside / f"{table}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(columns)
        count = 0
        for row in rows:
            writer.writerow(row)
            count += 1
    if count:
        quoted = str(path).replace("\\", "\\\\").replace("'", "\\'")
        connection.execute(f"COPY {table} FROM '{quoted}' {_COPY}")


class LadybugStore(QueryingStore):
    """An opened database, read only: any number of processes may have it open."""

    name = "ladybug"

    def __init__(self, folder: Path) -> None:
        path = folder / DATABASE
        if not path.is_file():
            raise GraphError(f"{path} is missing")
        try:
            self.tables: Mapping[str, Table] = tables_from_json((folder / TABLES).read_text(encoding="utf-8"))
            self.relations = tuple((folder / RELATIONS).read_text(encoding="utf-8").split())
            self._queries = compiled("ladybug", self.relations)
            self._database = ladybug.Database(
                str(path),
                read_only=True,
                buffer_pool_size=READING_BYTES,
                max_num_threads=1,
                max_db_size=MOST_BYTES,
            )
            self._connection = ladybug.Connection(self._database)
            # One query of a store that cannot be read fails here, not before a student.
            self._rows("count_nodes", {})
        except (RuntimeError, OSError, ValueError, KeyError, TypeError) as error:
            raise GraphError(f"{folder} is damaged ({error})") from error
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            self._connection.close()
            self._database.close()

    def _answered(self, query: str, parameters: Mapping[str, Parameter]) -> list[dict[str, object]]:
        try:
            with self._lock:
                return self._rows(query, parameters)
        except RuntimeError as error:
            raise GraphError(f"the query {query!r} failed: {error}") from error

    def _rows(self, query: str, parameters: Mapping[str, Parameter]) -> list[dict[str, object]]:
        cypher = self._queries[query]
        taken = {name: parameters[name] for name in parameters_of(cypher)}
        result = self._connection.execute(cypher, taken)
        assert isinstance(result, ladybug.QueryResult)  # several statements would have several results
        names, rows = result.get_column_names(), []
        while result.has_next():
            rows.append(dict(zip(names, result.get_next(), strict=True)))
        result.close()
        return rows
