"""The front door has the processors first; Rasa and the action server have the rest, and a training what they leave."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from covan import priority, rasa
from covan.commands.up import services
from rag.settings import Settings

needs_nice = pytest.mark.skipif(shutil.which("nice") is None, reason="this system has no `nice`")


def niceness(command: list[str]) -> int:
    """Return the number after `nice -n`; 0 for a command without it."""
    return int(command[2]) if Path(command[0]).name == "nice" else 0


@needs_nice
def test_a_command_runs_with_its_niceness() -> None:
    asked = [sys.executable, "-c", "import os; print(os.nice(0))"]
    plain, lowered = (
        int(subprocess.check_output(command)) for command in (asked, priority.with_niceness(3, asked))
    )

    assert lowered == min(plain + 3, 19)


def test_without_nice_a_command_is_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)

    assert priority.with_niceness(3, ("program", "argument")) == ["program", "argument"]


@needs_nice
def test_covan_up_serves_the_front_door_first() -> None:
    chosen = Settings(internal_token=SecretStr("t" * 16))

    found = {service.name: niceness(list(service.command)) for service in services(chosen)}

    assert found == {"actions": priority.ANSWERING, "rasa": priority.ANSWERING, "channels": 0}


@needs_nice
def test_a_training_comes_after_the_replies() -> None:
    assert niceness(rasa.train("--force")) == priority.TRAINING > priority.ANSWERING
