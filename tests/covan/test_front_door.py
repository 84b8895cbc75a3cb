"""A command passes its settings on to the processes that it starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from covan.front_door import environment
from rag.settings import Settings


def test_a_process_reads_the_settings_it_was_started_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wanted = Settings(
        _env_file=None,
        knowledge_dir=tmp_path / "school",
        state_dir=tmp_path / "state",
        page_port=8123,
        session_hours=1.5,
        telegram_token="123:the-token",
        telegram_updates="polling",
    )

    for name, value in environment(wanted).items():
        monkeypatch.setenv(name, value)

    assert Settings(_env_file=None) == wanted
