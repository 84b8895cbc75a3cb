"""The front door has the processors first; Rasa and the action server have the rest, and a training what they leave."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from covan import priority, rasa
from covan.commands.up import services
from covan.project import ROOT
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


@pytest.mark.skipif(not hasattr(os, "setpriority"), reason="this system has no priorities")
@pytest.mark.parametrize(("before", "after"), [(0, 2), (2, 2), (3, 3)])
def test_a_process_gives_way_and_never_takes_more_than_it_had(before: int, after: int) -> None:
    asked = (
        "import os; from covan import priority; os.setpriority(os.PRIO_PROCESS, 0, base + %d); "
        "priority.give_way(base + 2); print(os.getpriority(os.PRIO_PROCESS, 0) - base)"
    )
    base = os.getpriority(os.PRIO_PROCESS, 0)
    if base > 16:
        pytest.skip("these tests run with so low a priority that it cannot be lowered")

    command = [sys.executable, "-c", f"base = {base}; {asked % before}"]
    assert int(subprocess.check_output(command, cwd=ROOT)) == after


@needs_nice
def test_covan_up_serves_the_front_door_first() -> None:
    chosen = Settings(internal_token=SecretStr("t" * 16))

    found = {service.name: niceness(list(service.command)) for service in services(chosen)}

    answering = priority.ANSWERING
    assert found == {"actions": answering, "rasa": answering, "console": answering, "channels": 0}


@needs_nice
def test_a_training_comes_after_the_replies() -> None:
    assert niceness(rasa.train("--force")) == priority.TRAINING > priority.ANSWERING
