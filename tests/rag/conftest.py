"""A school small enough to know by heart, indexed with an embedder that needs no model."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn

from rag.index.format import Index
from rag.index.versions import open_index
from rag.ingest.build import build_index
from school.reader import Reader

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"


@pytest.fixture(scope="session")
def embedder() -> EmbedderStandIn:
    return EmbedderStandIn()


@pytest.fixture
def counting() -> EmbedderStandIn:
    """Return an embedder of one test that counts its calls."""
    return EmbedderStandIn()


@pytest.fixture
def school(tmp_path: Path) -> Path:
    """A copy of the small school that a test may change."""
    return Path(shutil.copytree(SMALL_SCHOOL, tmp_path / "school"))


@pytest.fixture(scope="session")
def small_index(tmp_path_factory: pytest.TempPathFactory, embedder: EmbedderStandIn) -> Path:
    out = tmp_path_factory.mktemp("small_school") / "index"
    build_index(SMALL_SCHOOL, out, embedder)
    return out


@pytest.fixture(scope="session")
def index(small_index: Path, embedder: EmbedderStandIn) -> Index:
    return open_index(small_index, embedder)


@pytest.fixture(scope="session")
def reader(index: Index) -> Reader:
    return Reader(replace(index.reading, lexicon=None))
