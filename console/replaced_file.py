"""Files that are replaced in one step: a reader, or the next start after a crash, has the old or the new content."""

from __future__ import annotations

import os
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` to the disk, then put it in the place of `path`, whose folder is made and whose mode is kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    with aside.open("wb") as written:
        written.write(content)
        written.flush()
        os.fsync(written.fileno())
    if path.exists():
        aside.chmod(path.stat().st_mode)
    aside.replace(path)
