"""Which store an index has, and what becomes of an index whose store is away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn
from graph_school import GRAPH_SCHOOL
from reserved_ports import reserve_port

from rag.errors import SettingsError
from rag.graph.merges import Merged
from rag.graph.stores import open_graph, reports_of, write_graph
from rag.graph.types import Graph
from rag.index.versions import current_folder, open_index
from rag.ingest.build import build_index
from rag.settings import settings


@pytest.fixture
def on_a_server_that_is_down(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("COVAN_GRAPH_STORE", "neo4j")
    monkeypatch.setenv("COVAN_NEO4J_URL", f"bolt://127.0.0.1:{reserve_port()}")
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


@pytest.mark.usefixtures("on_a_server_that_is_down")
def test_an_index_is_built_and_opened_while_its_graph_server_is_down(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = EmbedderStandIn()

    build_index(GRAPH_SCHOOL, tmp_path, embedder)
    opened = open_index(tmp_path, embedder)

    assert opened.passages
    assert opened.store is None
    assert opened.graph_fault
    assert "The index has no knowledge graph: the graph cannot be written to bolt://127.0.0.1" in caplog.text


def test_what_was_left_out_is_kept_with_the_version(tmp_path: Path) -> None:
    build_index(GRAPH_SCHOOL, tmp_path, EmbedderStandIn())

    assert any("Quy chế học bổng toàn phần" in line for line in reports_of(current_folder(tmp_path)))


def test_an_index_without_a_graph_has_no_fault(tmp_path: Path) -> None:
    opened = open_graph(tmp_path, "v", is_expected=False)

    assert (opened.store, opened.fault) == (None, "")


def test_an_unknown_store_is_a_wrong_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COVAN_GRAPH_STORE", "paper")
    settings.cache_clear()
    try:
        with pytest.raises(SettingsError, match="there is no graph store 'paper'; there are: ladybug, neo4j"):
            write_graph(Merged(Graph(), ()), (), tmp_path, "v")
    finally:
        monkeypatch.undo()
        settings.cache_clear()
