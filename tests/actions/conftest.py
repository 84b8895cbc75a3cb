"""Trackers as Rasa posts them, and the engine over the small school."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from rasa_sdk import Tracker
from turns import MakeTracker, Respond, responder, tracker_json

from rag.engine import Engine
from rag.ingest.build import build_index
from rag.retrieve.embedder import load_embedder
from rag.settings import settings

SMALL_SCHOOL = Path(__file__).parent.parent / "small_school"


@pytest.fixture(scope="session")
def small_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an index by the real embedder; the school ships its vectors."""
    out = tmp_path_factory.mktemp("actions") / "index"
    build_index(SMALL_SCHOOL, out, load_embedder())
    return out


@pytest.fixture(scope="session")
def engine(small_index: Path) -> Engine:
    """Return the engine that students have: the shipped pipeline, models and embedder."""
    return Engine.open(small_index, today=lambda: date(2026, 11, 1))


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the school receive hand-overs."""
    monkeypatch.setenv("COVAN_ADVISOR_TOKEN", "secret")
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.fixture(autouse=True)
def not_received(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the school receive no hand-overs, whatever the environment of the tests."""
    monkeypatch.setenv("COVAN_ADVISOR_TOKEN", "")
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.fixture
def make_tracker() -> MakeTracker:
    return lambda *args, **kwargs: Tracker.from_dict(tracker_json(*args, **kwargs))


@pytest.fixture
def respond(engine: Engine) -> Respond:
    """Return a function that runs an action by name on a tracker as JSON and returns events and responses."""
    return responder(lambda: engine, engine.reader)
