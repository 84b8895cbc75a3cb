"""The pages have a name for every unit of a calculator's inputs."""

from __future__ import annotations

import pytest

from covan.project import ROOT
from vietnamese.written_values import units


@pytest.mark.parametrize("language", ["vi", "en"])
def test_every_unit_has_a_name(language: str) -> None:
    texts = (ROOT / "console" / "ui" / "src" / "locales" / f"{language}.ts").read_text(encoding="utf-8")

    assert [unit for unit in units() if f'"unit.{unit}"' not in texts] == []
