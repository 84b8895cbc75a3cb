"""Files that are replaced in one step: a reader, or the next start after a crash, has the old or the new content."""

from __future__ import annotations

import os
from collections.abc import Mapping
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


def write_contents(folder: Path, contents: Mapping[str, bytes | None]) -> None:
    """Replace files of a folder, one after the other, by their paths in it; one without content is removed."""
    for name, content in contents.items():
        # A link leads to a file that is not this folder's to change.
        if content is None or (folder / name).is_symlink():
            (folder / name).unlink(missing_ok=True)
        if content is not None:
            replace_file(folder / name, content)
