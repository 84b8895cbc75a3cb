"""Trackers as Rasa posts them, and the engine over the small school."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn
from rasa_sdk import Tracker
from turns import MakeTracker, Respond, responder, tracker_json

from rag.decide.gate import Thresholds
from rag.engine import Engine
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.pipeline import Order, load_pipeline
from rag.settings import settings

SMALL_SCHOOL = Path(__file__).parent.parent / "small_school"


@pytest.fixture(scope="session")
def small_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("actions") / "index"
    build_index(SMALL_SCHOOL, out, EmbedderStandIn())
    return out


@pytest.fixture(scope="session")
def engine(small_index: Path) -> Engine:
    """The default pipeline with gates for the stand-in: the real ones are set for the real embedder.

    Entries answer; passages only when they are chosen, whatever else is like them.
    """
    default = load_pipeline("covan")
    entries = Thresholds(similarity=0.55, margin=0.05, topic=0.02, sure=0.9)
    passages = Thresholds(similarity=0.0, margin=1.0, topic=0.02)
    gated = default.with_gates({"faq": entries, "document": passages})
    clarify = gated.clarify.model_copy(update={"reading_margin": 0.05})
    pipeline = gated.model_copy(update={"clarify": clarify, "order": Order.FIRST_OPEN})
    embedder = EmbedderStandIn()
    return Engine(open_index(small_index, embedder), pipeline, embedder, today=lambda: date(2026, 11, 1))


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Conversations are received by the school's advisors."""
    monkeypatch.setenv("COVAN_ADVISOR_TOKEN", "secret")
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.fixture(autouse=True)
def not_received(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """They are not, whatever the environment of the tests says."""
    monkeypatch.setenv("COVAN_ADVISOR_TOKEN", "")
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.fixture
def make_tracker() -> MakeTracker:
    return lambda *args, **kwargs: Tracker.from_dict(tracker_json(*args, **kwargs))


@pytest.fixture
def respond(engine: Engine) -> Respond:
    """Calls an action as the action server does: by name, with a tracker as JSON; gives events and responses."""
    return responder(lambda: engine)
