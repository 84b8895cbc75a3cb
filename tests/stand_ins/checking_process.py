"""Begins a check of a draft in a console of its own, which is killed while the school is read with the draft.

.venv/bin/python tests/stand_ins/checking_process.py SCHOOL INDEX DATABASE LOGIN
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from embedder_stand_in import EmbedderStandIn

from console.accounts import Account
from console.api.dependencies import Console
from console.api.draft_checks import check_draft
from console.api.models import CheckedDraft
from console.database import open_database
from console.draft_builds import Command
from console.draft_checks import DraftChecks
from console.publishing import Publisher

DRAFT = {
    "kind": "topic",
    "topic_id": "language",
    "id": "language",
    "fields": {"name": "Ngoại ngữ", "office": "phong-dao-tao", "assumes": {"cohort": "49"}},
}


KILL = """
import os, pathlib, signal, sqlite3, sys, time
source, database, console = sys.argv[1:]
assert pathlib.Path(source).is_dir()
while not sqlite3.connect(database).execute("SELECT count(*) FROM console_draft_checks").fetchone()[0]:
    time.sleep(0.05)
os.kill(int(console), signal.SIGKILL)
"""
"""Ends a console, once the check is kept."""


def killing(database: str) -> Command:
    """Return the command of a build that kills the console in its middle, and goes on."""

    def command(source: Path, out: Path) -> Sequence[str]:
        (out / "versions" / ".partial").mkdir(parents=True)
        return [sys.executable, "-c", KILL, str(source), database, str(os.getpid())]

    return command


if __name__ == "__main__":
    school, index, database, login = sys.argv[1:]
    opened = open_database(f"sqlite:///{database}")
    console = SimpleNamespace(
        publisher=Publisher(Path(school), Path(index), EmbedderStandIn(), rebuild=killing(database)),
        database=opened,
        checks=DraftChecks(opened),
        clock=lambda: 0.0,
    )
    account = cast(Account, SimpleNamespace(login=login))
    check_draft(CheckedDraft.model_validate({"draft": DRAFT}), account, cast(Console, console))
    signal.pause()
