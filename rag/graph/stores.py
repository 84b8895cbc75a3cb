"""The graph store that the settings name, and the graph of one version of an index in it."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from rag.errors import SettingsError
from rag.graph.ladybug_store import LadybugKind
from rag.graph.merges import Merge, Merged, read_merges, write_merges
from rag.graph.store import GraphError, GraphStore, GraphStoreKind
from rag.registry import registered
from rag.settings import settings

logger = logging.getLogger(__name__)

FOLDER, STORE_FILE, REPORT, MERGES = "graph", "store.json", "report.txt", "merges.jsonl"
"""The folder of a graph inside a version of an index; the file in it that names its store and the hashes of the others;
what was left out of the graph, a line each; and the merges of its nodes."""


@dataclass(frozen=True, slots=True)
class OpenedGraph:
    """The graph of an index: `store` is None when the index has none, or when it cannot be opened for `fault`."""

    store: GraphStore | None = None
    fault: str = ""


def write_graph(merged: Merged, reports: Sequence[str], version_folder: Path, version: str) -> None:
    """Write a graph beside the other files of a version. Raises GraphError."""
    folder = version_folder / FOLDER
    folder.mkdir()
    (folder / REPORT).write_text("\n".join(reports), encoding="utf-8")
    write_merges(merged.merges, folder / MERGES)
    name = settings().graph_store
    _kind(name).write(merged.graph, folder, version)
    hashes = {path.name: _hash(path) for path in sorted(folder.iterdir())}
    (folder / STORE_FILE).write_text(json.dumps({"store": name, "files": hashes}, indent=2), encoding="utf-8")


def open_graph(version_folder: Path, version: str, is_expected: bool) -> OpenedGraph:
    """Return the graph of a version. Never raises: a graph that cannot be opened is logged, and answers go on without.

    `is_expected`: the version was built with a graph.
    """
    folder = version_folder / FOLDER
    if not is_expected:
        return OpenedGraph()
    try:
        written = json.loads((folder / STORE_FILE).read_text(encoding="utf-8"))
        for name, expected in dict(written["files"]).items():
            # A database with a damaged page may end the whole process.
            if _hash(folder / name) != expected:
                raise GraphError(f"{folder / name} is damaged; run `covan index` again")
        return OpenedGraph(_kind(str(written["store"])).open(folder, version))
    except (GraphError, SettingsError, OSError, ValueError, KeyError, TypeError) as error:
        logger.warning("The knowledge graph cannot be used, answers go on without it: %s", error)
        return OpenedGraph(fault=str(error) or repr(error))


def reports_of(version_folder: Path) -> list[str]:
    """Return what was left out of the graph of a version when it was built."""
    try:
        return (version_folder / FOLDER / REPORT).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def merges_of(version_folder: Path) -> tuple[Merge, ...]:
    """Return the merges of nodes in the graph of a version. Raises GraphError."""
    return read_merges(version_folder / FOLDER / MERGES)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        digest = sha256()
        while block := file.read(2**20):
            digest.update(block)
    return digest.hexdigest()


def _kind(name: str) -> GraphStoreKind:
    """Return the kind of store of a name. Raises SettingsError for an unknown one."""
    # By its name: only who uses a server pays for the import of its driver.
    kind: GraphStoreKind = (
        LadybugKind() if name == "ladybug" else registered("graph_stores", name).of(settings())
    )
    return kind
