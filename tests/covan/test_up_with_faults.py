"""A knowledge folder with a fault takes no running bot away."""

from __future__ import annotations

import shutil
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from covan import rasa
from covan.commands.up import prepare
from covan.indexing import ensure_index
from rag.errors import KnowledgeError
from rag.settings import Settings

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"


@pytest.fixture
def wanted(tmp_path: Path) -> Settings:
    """Return settings of a school of its own with an unreadable document."""
    folder = shutil.copytree(SMALL_SCHOOL, tmp_path / "school")
    return Settings(knowledge_dir=folder, state_dir=tmp_path / "state", _env_file=None)


def with_a_fault(wanted: Settings) -> None:
    (wanted.knowledge_dir / "documents" / "hong.pdf").write_bytes(b"no PDF")


def test_the_index_and_the_model_of_before_stay_in_use(wanted: Settings) -> None:
    ensure_index(wanted)
    model = rasa.models_dir(wanted) / "covan-before.tar.gz"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"a model")
    with_a_fault(wanted)
    said = StringIO()

    prepare(wanted, Console(file=said, width=200))

    assert "hong.pdf" in said.getvalue()
    assert "stay in use" in said.getvalue()
    assert model.is_file()


def test_without_a_model_of_before_it_is_an_error(wanted: Settings) -> None:
    ensure_index(wanted)
    with_a_fault(wanted)

    with pytest.raises(KnowledgeError, match=r"hong\.pdf"):
        prepare(wanted, Console(file=StringIO()))


def test_without_an_index_of_before_it_is_an_error(wanted: Settings) -> None:
    with_a_fault(wanted)

    with pytest.raises(KnowledgeError, match=r"hong\.pdf"):
        prepare(wanted, Console(file=StringIO()))
