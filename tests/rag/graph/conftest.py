"""Graph stores under test: the embedded one, and a Neo4j server where COVAN_TEST_NEO4J names one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from rag.graph.ladybug_store import LadybugKind
from rag.graph.neo4j_store import Neo4jKind
from rag.graph.store import GraphStore, GraphStoreKind
from rag.graph.types import Graph

SERVER = "COVAN_TEST_NEO4J"


@pytest.fixture(params=["ladybug", "neo4j"])
def kind(request: pytest.FixtureRequest) -> GraphStoreKind:
    if request.param == "ladybug":
        return LadybugKind()
    if not (address := os.environ.get(SERVER)):
        pytest.skip(f"{SERVER} names no Neo4j server (as neo4j://USER:PASSWORD@127.0.0.1:7687)")
    parts = urlsplit(address)
    server = f"{parts.scheme}://{parts.hostname}:{parts.port or 7687}"
    return Neo4jKind(server, parts.username or "", parts.password or "")


@pytest.fixture
def stored(kind: GraphStoreKind, tmp_path: Path) -> Iterator[Callable[[Graph], GraphStore]]:
    """Write a graph and open it."""
    with ExitStack() as opened:

        def store(graph: Graph) -> GraphStore:
            folder = tmp_path / "versions" / "test" / "graph"
            folder.mkdir(parents=True)
            kind.write(graph, folder, "test")
            found = kind.open(folder, "test")
            opened.callback(found.close)
            return found

        yield store
