"""The state folder is its owner's alone: conversations of students are kept there."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from covan.project import ROOT
from rag.settings import Settings

OTHERS = stat.S_IRWXG | stat.S_IRWXO

DATABASES = ("*.sqlite", "*.sqlite-wal", "*.sqlite-shm", "*.sqlite-journal")
CLOSED = (*DATABASES, "secrets.json", "logs", "logs/*")
"""Patterns of the files that are closed one by one, too: a backup or a copy may leave the folder."""


def keep_private(settings: Settings) -> Path:
    """Make the state folder and close it, and what it holds, to other users; return it.

    What this process and its children write from now on is closed as well. A file of somebody else's is left as it is;
    `covan doctor` tells of it.
    """
    os.umask(OTHERS)
    folder = ROOT / settings.state_dir
    folder.mkdir(parents=True, exist_ok=True)
    for path in (folder, *_closed(folder)):
        with contextlib.suppress(OSError):
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & OTHERS:
                path.chmod(mode & ~OTHERS)
    return folder


def _closed(folder: Path) -> Iterator[Path]:
    for pattern in CLOSED:
        yield from folder.glob(pattern)
