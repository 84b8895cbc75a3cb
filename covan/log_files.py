"""Keep the servers' logs small while they are written.

A server holds its log open, so that the content is copied and the file emptied. What the server writes in between, some
microseconds, may be lost. The server must append, or it would leave a hole as long as what it wrote before.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

MAX_BYTES = 10_000_000
"""A log that has grown beyond this is put aside; one generation is kept."""

DAY_S = 24 * 3600.0


def put_aside(log: Path) -> None:
    """Copy a log that has grown too large to `.log.1` and empty it. Raises OSError."""
    if not log.exists() or log.stat().st_size <= MAX_BYTES:
        return
    with log.open("rb") as written, log.with_suffix(".log.1").open("wb") as aside:
        shutil.copyfileobj(written, aside)
        os.truncate(log, 0)


def delete_old(folder: Path, days: float) -> None:
    """Delete the logs put aside that nothing was added to for `days` (0: none). Raises OSError."""
    for aside in folder.glob("*.log.1") if days else ():
        if aside.stat().st_mtime < time.time() - days * DAY_S:
            aside.unlink()
