"""Look for erased bytes in the unused parts of an SQLite file. Run as a program: `python -m privacy.residue FILE`.

With `secure_delete`, SQLite overwrites a row that it deletes, but not the copies that it left behind when it moved the
row to a neighbouring page (`rebuildPage` in btree.c): they stand in a page's unused middle. Of a file of 24 MB
with many updates, one of some 500 erased rows had such a copy.

A program of its own, because a process that closes the file loses SQLite's locks on it
(https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
The words come as a JSON list through standard input, since others can read command lines. Exit code: 1 with a residue,
else 0.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

SHORTEST = 6
"""Bytes of a piece that is looked for."""

PIECE = 12
"""Bytes of a piece of a longer text: the beginning of a copy may be overwritten, or its end."""

ROOT = Path(__file__).parents[1]

_FILE_HEADER_BYTES = 100
_HEADER_BYTES = {2: 12, 5: 12, 10: 8, 13: 8}
"""By the first byte of a b-tree page (https://www.sqlite.org/fileformat2.html#b_tree_pages)."""


def has_residue(file: Path, words: Iterable[str]) -> bool:
    """Return whether an unused part of the file holds a piece of `words`; looked up in a process of its own.

    Raises OSError.
    """
    command = [sys.executable, "-m", "privacy.residue", str(file.absolute())]
    ended = subprocess.run(command, input=json.dumps(list(words)).encode(), cwd=ROOT, check=False)
    if ended.returncode not in (0, 1):
        raise OSError(f"the look for erased words ended with code {ended.returncode}")
    return ended.returncode == 1


def pieces(words: Iterable[str]) -> Sequence[bytes]:
    """Return the byte strings to look for: the texts as UTF-8 and as JSON writes them, long ones in pieces."""
    written = {form for word in words for form in (word.encode("utf-8", "replace"), _in_json(word))}
    found: dict[bytes, None] = {}
    for text in written:
        for start in range(0, len(text), PIECE):
            piece = text[start : start + PIECE]
            if len(piece) >= SHORTEST:
                found[piece] = None
    return tuple(found)


def _in_json(word: str) -> bytes:
    return json.dumps(word)[1:-1].encode("ascii")


def unused_parts(file: Path) -> Iterator[bytes]:
    """Yield what stands between the cell pointers and the cells of each b-tree page, unless it is zeroed."""
    with file.open("rb") as opened:
        first = opened.read(_FILE_HEADER_BYTES)
        if len(first) < _FILE_HEADER_BYTES:
            return
        (size,) = struct.unpack(">H", first[16:18])
        size = 65536 if size == 1 else size
        opened.seek(0)
        start = _FILE_HEADER_BYTES
        while page := opened.read(size):
            header = _HEADER_BYTES.get(page[start])
            if header is not None:
                cells, content = struct.unpack(">HH", page[start + 3 : start + 7])
                unused = page[start + header + 2 * cells : content or 65536].strip(b"\0")
                if unused:
                    yield unused
            start = 0


def main() -> int:
    """Look for the words of standard input in the file that is named on the command line."""
    wanted = pieces(json.load(sys.stdin))
    return int(any(piece in part for part in unused_parts(Path(sys.argv[1])) for piece in wanted))


if __name__ == "__main__":
    sys.exit(main())
