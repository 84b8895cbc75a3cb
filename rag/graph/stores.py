"""The graph store that the settings name, and the graph of one version of an index in it."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from pathlib import Path

from rag.graph.ladybug_store import LadybugKind
from rag.graph.store import GraphError, GraphStore, GraphStoreKind
from rag.graph.types import Graph
from rag.settings import settings

logger = logging.getLogger(__name__)

FOLDER, STORE_FILE = "graph", "store.json"
"""The folder of a graph inside a version of an index, and the file in it that names its store."""


@dataclass(frozen=True, slots=True)
class OpenedGraph:
    """The graph of an index: `store` is None when the index has none, or when it cannot be opened for `fault`."""

    store: GraphStore | None = None
    fault: str = ""


def write_graph(graph: Graph, version_folder: Path, version: str) -> None:
    """Write a graph beside the other files of a version. Raises GraphError."""
    folder = version_folder / FOLDER
    folder.mkdir()
    name = settings().graph_store
    _kind(name).write(graph, folder, version)
    (folder / STORE_FILE).write_text(json.dumps({"store": name}), encoding="utf-8")


def open_graph(version_folder: Path, version: str, is_expected: bool) -> OpenedGraph:
    """Return the graph of a version. Never raises: a graph that cannot be opened is logged, and answers go on without.

    `is_expected`: the version was built with a graph.
    """
    folder = version_folder / FOLDER
    if not is_expected:
        return OpenedGraph()
    try:
        name = json.loads((folder / STORE_FILE).read_text(encoding="utf-8"))["store"]
        return OpenedGraph(_kind(str(name)).open(folder, version))
    except (GraphError, OSError, ValueError, KeyError, TypeError) as error:
        logger.warning("The knowledge graph cannot be used, answers go on without it: %s", error)
        return OpenedGraph(fault=str(error))


def _kind(name: str) -> GraphStoreKind:
    """Return the kind of store of a name. Raises GraphError for an unknown one."""
    if name == "ladybug":
        return LadybugKind()
    if name == "neo4j":
        # Only who uses it pays for the driver's import.
        from rag.graph.neo4j_store import Neo4jKind  # noqa: PLC0415

        chosen = settings()
        return Neo4jKind(
            chosen.neo4j_url,
            chosen.neo4j_user,
            chosen.neo4j_password.get_secret_value(),
            chosen.neo4j_database or None,
        )
    raise GraphError(f"there is no graph store {name!r}; there are: ladybug, neo4j")
