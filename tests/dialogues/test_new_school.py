"""A school that `covan new` has made trains, in files of its own, and its model knows its one topic."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from covan import rasa
from covan.classifier_fit import trained_topics, untrained_topics
from covan.commands.new import make
from covan.rasa_model import ensure_model
from rag.settings import Settings


@pytest.mark.stack
def test_a_new_school_trains(tmp_path: Path) -> None:
    folder, models = tmp_path / "school", tmp_path / "state" / "models"
    make(folder, "vi", "{folder} is not empty")
    settings = Settings(knowledge_dir=folder, state_dir=tmp_path / "state")
    ensure_model(console=Console(file=io.StringIO()))  # No other process of tests makes it from here on.
    shared = {path: path.stat().st_mtime_ns for path in rasa.generated(Settings()).glob("*")}

    model = ensure_model(settings, console=Console(file=io.StringIO()))

    assert model.parent == models
    assert trained_topics(model) == {"library"}
    assert untrained_topics(folder, models) == []
    assert (tmp_path / "state" / "rasa.env").is_file()
    assert {path: path.stat().st_mtime_ns for path in rasa.generated(Settings()).glob("*")} == shared
