"""Which files still hold words that should be gone."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

DEADLINE_S = 30.0


def files_with(words: Sequence[str], *places: Path) -> Sequence[str]:
    """Return the names of the files at or below the places that hold one of the words, sorted.

    Another process looks: SQLite's locks on a file end when a process closes it. A server in use deletes files and puts
    others in their place (PostgreSQL its caches): if one goes between being listed and being read, all are read again.

    Raises:
        AssertionError: The files cannot be read, or go all the time.
    """
    ends = time.monotonic() + DEADLINE_S
    while True:
        looked = subprocess.run(
            ["grep", "-rlaF", "-f", "-", *map(str, places)],
            input="\n".join(words).encode(),
            capture_output=True,
            check=False,
            env=os.environ | {"LC_ALL": "C.UTF-8"},
        )
        faults = looked.stderr.decode().splitlines()
        if not faults:
            return sorted(Path(line).name for line in looked.stdout.decode().splitlines())
        assert all(fault.endswith("No such file or directory") for fault in faults), faults
        assert time.monotonic() < ends, faults
