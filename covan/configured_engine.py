"""Open the engine with the index, preset, embedder and language model of the settings."""

from __future__ import annotations

from pathlib import Path

from rag.engine import Engine
from rag.language_model.configured import configured_model
from rag.retrieve.embedder import load_embedder
from rag.settings import settings


def open_engine(index: Path | None = None, preset: str | None = None) -> Engine:
    """Return the engine of `index` (default: the settings'). Raises IndexUnusableError or SettingsError."""
    wanted = settings()
    embedder, model = load_embedder(wanted.embedder), configured_model(wanted)
    return Engine.open(index or wanted.index_dir, preset or wanted.preset, embedder, model=model)
