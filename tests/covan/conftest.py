"""The command line as it is used: the real embedder, a small school, an index made by the command itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import Result
from command_line import SMALL_SCHOOL, covan


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """Return the index of the small school, and the output of building it."""
    out = tmp_path_factory.mktemp("covan") / "index"
    return out, covan("index", SMALL_SCHOOL, "--out", out)


@pytest.fixture(scope="session")
def school_index(built: tuple[Path, Result]) -> Path:
    index, result = built
    assert result.exit_code == 0, result.output
    return index


@pytest.fixture
def school(tmp_path: Path) -> Path:
    """A copy of the small school that a test may change."""
    return Path(shutil.copytree(SMALL_SCHOOL, tmp_path / "school"))
