"""A change of several files of a folder that a process may not finish: the next start finishes it.

What is to be written is noted in one file, in one step, before the first file changes, and the note goes when all is
done. So after a crash the folder gets all of a change or, when it was not noted yet, nothing of it.
"""

from __future__ import annotations

import json
import logging
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from console.knowledge_files import is_yaml
from console.replaced_file import (
    has_contents,
    hashes_in,
    hashes_of,
    remove_leftovers,
    replace_file,
    write_contents,
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Change:
    """The files that a change writes, as in `write_contents`, and its version.

    `author` is a name and a login; `action` and `message` as in `console.versions.Versions.commit`.
    """

    contents: Mapping[str, bytes | None]
    author: tuple[str, str]
    action: str
    message: str


class UnfinishedChange:
    """The change of the folder `folder` that is noted in the file `note`, if there is one."""

    def __init__(self, folder: Path, note: Path) -> None:
        self._folder = folder
        self._note = note

    def write(self, change: Change) -> None:
        """Note a change and write its files; it is unfinished until `finished`.

        A YAML file with the line ends of Windows keeps them, whichever the new content has.
        """
        self.finish()
        contents = {name: self._with_line_ends(name, content) for name, content in change.contents.items()}
        told = {
            "before": hashes_in(self._folder, contents),
            "contents": {
                name: None if content is None else b64encode(content).decode()
                for name, content in contents.items()
            },
            "author": change.author,
            "action": change.action,
            "message": change.message,
        }
        replace_file(self._note, json.dumps(told).encode())
        write_contents(self._folder, contents)

    def _with_line_ends(self, name: str, content: bytes | None) -> bytes | None:
        path = self._folder / name
        if content is None or not is_yaml(PurePath(name)) or not path.is_file():
            return content
        is_of_windows = b"\r\n" in path.read_bytes() and b"\r\n" not in content
        return content.replace(b"\n", b"\r\n") if is_of_windows else content

    def finished(self) -> None:
        """Forget the change: all that belongs to it is done."""
        self._note.unlink(missing_ok=True)

    def finish(self) -> Change | None:
        """Write the files of the change that was left unfinished; return it, and None when there is nothing to finish.

        When one of its files is neither as before nor as it was to be, somebody has edited the folder since: it stays.
        """
        try:
            told = json.loads(self._note.read_bytes())
        except FileNotFoundError:
            return None
        name, login = told["author"]
        contents = {
            each: None if content is None else b64decode(content)
            for each, content in told["contents"].items()
        }
        for each in contents:
            remove_leftovers(self._folder / each)
        after = hashes_of(contents)
        edited = _edited(self._folder, told["before"], after)
        if edited:
            logger.error(
                "A change that a crash interrupted is left unfinished: %s was edited since; look at the files of %r",
                ", ".join(edited),
                told["message"],
            )
            self.finished()
            return None
        write_contents(self._folder, contents)
        self.finished()
        return Change(contents, (name, login), told["action"], told["message"])


def _edited(folder: Path, before: Mapping[str, str | None], after: Mapping[str, str | None]) -> Sequence[str]:
    return [
        name
        for name in after
        if not has_contents(folder, {name: before[name]}) and not has_contents(folder, {name: after[name]})
    ]
