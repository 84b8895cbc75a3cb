"""The state folder: nobody but its owner reads what students wrote."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

from covan.project import ROOT

FIRST = """
from pathlib import Path
import sys
from covan.state_folder import keep_private
from rag.settings import Settings
folder = keep_private(Settings(state_dir=Path(sys.argv[1])))
(folder / "tracker.sqlite").touch()
(folder / "models").mkdir()
"""
"""In a process of its own: what it changes of the process stays there."""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def first_command(folder: Path) -> None:
    subprocess.run([sys.executable, "-c", FIRST, str(folder)], cwd=ROOT, check=True)


def test_fault_9_folder_and_databases_are_the_owners_from_the_first_command_on(tmp_path: Path) -> None:
    folder = tmp_path / "state"

    first_command(folder)

    assert mode(folder) == 0o700
    assert mode(folder / "tracker.sqlite") == 0o600
    assert mode(folder / "models") == 0o700


def test_fault_9_what_is_open_to_others_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    (folder / "logs").mkdir(parents=True)
    files = ("channels.sqlite", "channels.sqlite-wal", "tracker.sqlite-shm", "secrets.json", "logs/rasa.log")
    for name in files:
        (folder / name).touch()
        (folder / name).chmod(0o664)
    for path in (folder, folder / "logs"):
        path.chmod(0o775)

    first_command(folder)

    assert {mode(folder), mode(folder / "logs")} == {0o700}
    assert {mode(folder / name) for name in files} == {0o600}
