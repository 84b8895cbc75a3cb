"""The sample school's index and model, made once for all tests, in the project's own state folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from covan import rasa
from covan.project import ROOT
from covan.rasa_model import ensure_model
from rag.settings import Settings

SAMPLE = ROOT / "knowledge"
_MADE = Settings(knowledge_dir=SAMPLE, state_dir=ROOT / ".covan")


def sample_index() -> Path:
    """Return the folder of the index, for reading alone."""
    ensure_model(_MADE)
    return _MADE.index_dir


def copy_into(state_dir: Path) -> None:
    """Put index and model into another state folder: `covan up` finds both current for a copy of the school."""
    to = _MADE.model_copy(update={"state_dir": state_dir})
    shutil.copytree(sample_index(), to.index_dir)
    shutil.copytree(rasa.models_dir(_MADE), rasa.models_dir(to))
