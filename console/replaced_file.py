"""Files that are replaced in one step: a reader, or the next start after a crash, has the old or the new content."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
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


def remove_leftovers(path: Path) -> None:
    """Delete what a process that was killed had written beside `path` and not put in its place."""
    for aside in path.parent.glob(f".{path.name}.*"):
        if aside.suffix[1:].isdecimal():
            aside.unlink(missing_ok=True)


def write_contents(folder: Path, contents: Mapping[str, bytes | None]) -> None:
    """Replace files of a folder, one after the other, by their paths in it; one without content is removed."""
    for name, content in contents.items():
        # A link leads to a file that is not this folder's to change.
        if content is None or (folder / name).is_symlink():
            (folder / name).unlink(missing_ok=True)
        if content is not None:
            replace_file(folder / name, content)


def has_contents(folder: Path, hashes: Mapping[str, str | None]) -> bool:
    """Return whether files of a folder have contents with these hashes; None: there is no such file."""
    return hashes_in(folder, hashes) == hashes


def hashes_in(folder: Path, names: Iterable[str]) -> Mapping[str, str | None]:
    """Return the hashes of files of a folder; None: there is no such file."""
    return {name: _hash(_content(folder / name)) for name in names}


def hashes_of(contents: Mapping[str, bytes | None]) -> Mapping[str, str | None]:
    """Return what `hashes_in` returns for files with these contents."""
    return {name: _hash(content) for name, content in contents.items()}


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _hash(content: bytes | None) -> str | None:
    return None if content is None else sha256(content).hexdigest()
