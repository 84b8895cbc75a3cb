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
from console.draft_checks import DraftChecks
from console.publishing import Publisher

DRAFT = {
    "kind": "topic",
    "topic_id": "language",
    "id": "language",
    "fields": {"name": "Ngoại ngữ", "office": "phong-dao-tao", "assumes": {"cohort": "49"}},
}


def killed(source: Path, out: Path) -> Sequence[str]:
    """Return the command line of a build that kills the console in its middle, and goes on."""
    (out / "versions" / ".partial").mkdir(parents=True)
    return ["sh", "-c", f"test -d {source} && kill -KILL {os.getpid()}"]


if __name__ == "__main__":
    school, index, database, login = sys.argv[1:]
    opened = open_database(f"sqlite:///{database}")
    console = SimpleNamespace(
        publisher=Publisher(Path(school), Path(index), EmbedderStandIn(), rebuild=killed),
        database=opened,
        checks=DraftChecks(opened),
        clock=lambda: 0.0,
    )
    account = cast(Account, SimpleNamespace(login=login))
    check_draft(CheckedDraft.model_validate({"draft": DRAFT}), account, cast(Console, console))
    signal.pause()
