"""A copy of a knowledge folder in which several edits are made, one on top of the other, before any is published."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from pathlib import Path

from console.checked_folder import CheckedFolder
from console.folder_parts import FolderParts
from console.knowledge_files import ConflictError, Edit, contents_of
from console.replaced_file import hashes_in, write_contents
from console.uses import Gone, UseFinder
from rag.index.format import Index
from rag.ingest.load import Curated, Knowledge


class EditedCopy:
    """The copy `folder` of the folder `knowledge`: `parts` are its parts with the edits that were made."""

    def __init__(self, knowledge: Path, folder: Path, uploads: Path) -> None:
        self.parts = FolderParts.of(folder, uploads)
        self._knowledge = knowledge
        self._folder = folder
        parts = self.parts
        uses = UseFinder(parts.files, parts.calculators, parts.documents, parts.dictionaries)
        self._checked = CheckedFolder(folder, uses)
        self._made_from: dict[str, str | None] = {}
        self._calculators: set[str] = set()
        self._gone: list[Gone] = []
        self._tries_all = False

    def take(
        self,
        contents: Mapping[str, bytes | None],
        calculators: Set[str] = frozenset(),
        *,
        gone: Gone | None = None,
        tries_all: bool = False,
    ) -> None:
        """Write other contents of some files.

        `calculators` are the ids of those that the edit concerns, `tries_all`: it may concern all of them. `gone` has
        no id any longer.
        """
        new = [name for name in contents if name not in self._made_from]
        self._made_from.update(hashes_in(self._knowledge, new))
        write_contents(self._folder, contents)
        self._calculators |= calculators
        self._gone += [gone] if gone is not None else []
        self._tries_all |= tries_all

    def take_edits(
        self,
        edits: Sequence[Edit | None],
        calculators: Set[str] = frozenset(),
        *,
        gone: Gone | None = None,
        tries_all: bool = False,
    ) -> None:
        """Make the edits of some files, as `take` does; None is no edit."""
        made = [edit for edit in edits if edit is not None]
        self.take(contents_of(made), calculators, gone=gone, tries_all=tries_all)

    @property
    def contents(self) -> Mapping[str, bytes | None]:
        """The files that the edits change, by their paths, as in `write_contents`."""
        paths = {name: self._folder / name for name in self._made_from}
        return {name: path.read_bytes() if path.is_file() else None for name, path in paths.items()}

    @property
    def calculators(self) -> Set[str]:
        """The ids of the calculators that the edits concern, as far as they are named."""
        return self._calculators

    def curated(self, before: Index) -> Curated:
        """Return FAQ, calculators and facts with the edits. Raises KnowledgeError."""
        return self._checked.curated({}, self._calculators, before)

    def whole(self) -> Knowledge:
        """Return the whole folder with the edits; nothing may name what is gone. Raises KnowledgeError, InUseError."""
        return self._checked.whole_without(self._gone, {}, None if self._tries_all else self._calculators)

    def refuse_edited(self) -> None:
        """Raises ConflictError when a file of the folder is not what the edits were made from."""
        now = hashes_in(self._knowledge, self._made_from)
        edited = [name for name, made_from in self._made_from.items() if now[name] != made_from]
        if edited:
            raise ConflictError(", ".join(edited), "")


@contextmanager
def edited_copy(knowledge: Path, uploads: Path, whole: CheckedFolder) -> Iterator[EditedCopy]:
    """Yield a copy of the folder that `whole` checks, with links to files that no edit has changed."""
    with tempfile.TemporaryDirectory(prefix="covan-console-") as folder:
        staged = Path(folder) / "knowledge"
        whole.stage(staged, {})
        yield EditedCopy(knowledge, staged, uploads)
