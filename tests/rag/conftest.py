"""A school small enough to know by heart, indexed with an embedder that needs no model."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn

from rag.decide.gate import Thresholds
from rag.engine import Engine
from rag.index.format import Index
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.pipeline import Order, Pipeline, load_pipeline
from school.reader import Reader

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
TODAY = date(2026, 11, 1)

MakeEngine = Callable[..., Engine]


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


@pytest.fixture(scope="session")
def pipeline() -> Pipeline:
    """The default pipeline with a gate for the stand-in: the real thresholds are set for the real embedder."""
    default = load_pipeline("covan")

    entries = Thresholds(similarity=0.55, margin=0.05, topic=0.02, sure=0.9)
    passages = Thresholds(similarity=0.4, margin=0.0, topic=0.02, sure=0.9)
    gated = default.with_gates({"faq": entries, "document": passages})
    clarify = gated.clarify.model_copy(update={"reading_margin": 0.05, "despite_ambiguity": None})
    return gated.model_copy(update={"clarify": clarify, "order": Order.FIRST_OPEN})


@pytest.fixture(scope="session")
def engine(index: Index, pipeline: Pipeline, embedder: EmbedderStandIn) -> Engine:
    return Engine(index, pipeline, embedder, today=lambda: TODAY)


@pytest.fixture
def engine_of(tmp_path: Path, pipeline: Pipeline, embedder: EmbedderStandIn) -> MakeEngine:
    """An engine over a knowledge folder, on a day."""

    def make(source: Path, today: date = TODAY) -> Engine:
        out = tmp_path / "index"
        build_index(source, out, embedder)
        return Engine(open_index(out, embedder), pipeline, embedder, today=lambda: today)

    return make
