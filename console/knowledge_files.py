"""What the editors of a knowledge folder's files share: reading, edits, conflicts, and YAML parsed once a content."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Generic, Literal, TypeVar

from rag.errors import CovanError
from rag.ingest.marked_yaml import MarkedYamlError, parse
from rag.messages import Message

T = TypeVar("T")
R = TypeVar("R")

SUFFIXES = (".yml", ".yaml")


class ConflictError(CovanError):
    """The entry is not what the editor saw; `theirs` is its text in the file now, empty when it is gone.

    `version` is that of the text, where it can be replaced.
    """

    def __init__(self, entry_id: str, theirs: str, version: str = "") -> None:
        super().__init__(f"{entry_id} was changed meanwhile")
        self.entry_id = entry_id
        self.theirs = theirs
        self.version = version


class KnowledgeFileError(CovanError):
    """A file cannot be read or edited; the message names it."""


UseKind = Literal["entry", "calculator", "document", "topic", "rule", "file"]


@dataclass(frozen=True, slots=True)
class Use:
    """A place that uses what an editor wants to take away; `line` counts from 1.

    `id` is that of its entry, calculator, document or topic, otherwise the file. `name` is the question, title or name.
    """

    kind: UseKind
    id: str
    name: str
    file: str
    line: int | None

    def __str__(self) -> str:
        return f"{self.file}:{self.line} ({self.id})" if self.id != self.file else f"{self.file}:{self.line}"


class InUseError(CovanError):
    """A part cannot go, or have another id, while `uses` name it."""

    def __init__(self, part_id: str, uses: Sequence[Use]) -> None:
        super().__init__(f"{part_id} is still used: {', '.join(map(str, uses))}; change these first")
        self.uses = uses


@dataclass(frozen=True, slots=True)
class Edit:
    """A file's new content (None: it goes), and the hash of what it was made from (empty: there was no file)."""

    file: str
    content: str | None
    made_from: str


def contents_of(edits: Sequence[Edit]) -> Mapping[str, bytes | None]:
    """Return the files that edits make, by their paths (`console.replaced_file.write_contents`)."""
    return {edit.file: None if edit.content is None else edit.content.encode() for edit in edits}


def broken(file: str, content: str, error: Exception) -> KnowledgeFileError:
    """Return the error of a file that is no YAML, with the line and what is wrong there; `error` is the parser's."""
    try:
        parse(content)
    except MarkedYamlError as found:
        what = found.faults[0].placed
    else:
        what = " ".join(str(error).split())
    return KnowledgeFileError(Message("file_broken", file=file, what=what))


def read_text(path: Path) -> str:
    """Return the text of a file. Raises KnowledgeFileError."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise KnowledgeFileError(f"{path.name} cannot be read: {error}") from error


def content_hash(content: str) -> str:
    """Return what `Edit.made_from` is for a content."""
    return sha256(content.encode()).hexdigest()


def text_and_hash(path: Path) -> tuple[str, str]:
    """Return the text of a file and what `Edit.made_from` is for it; both are empty without the file.

    Raises KnowledgeFileError.
    """
    if not path.exists():
        return "", ""
    content = read_text(path)
    return content, content_hash(content)


def is_yaml(path: PurePath) -> bool:
    """Return whether a file is YAML by its path in the knowledge folder, and not hidden."""
    return path.suffix.lower() in SUFFIXES and not any(part.startswith((".", "~$")) for part in path.parts)


def yaml_paths(knowledge: Path, folder: str) -> Sequence[Path]:
    """Return the YAML files of a folder in the knowledge folder, in the order of their paths."""
    found = (knowledge / folder).rglob("*")
    return sorted(path for path in found if is_yaml(path.relative_to(knowledge)) and path.is_file())


class YamlFiles(Generic[T]):
    """The YAML files of one folder in the knowledge folder, parsed once a content: a school's FAQ takes seconds."""

    def __init__(self, knowledge: Path, folder: str, parse: Callable[[str, str], Iterable[T]]) -> None:
        """`parse` yields the parts of a file, whose path in the knowledge folder and content it is given."""
        self._knowledge = knowledge
        self._folder = folder
        self._parse = parse
        self._read: dict[str, tuple[str, tuple[T, ...]]] = {}
        self._reading = threading.Lock()

    def paths(self) -> Sequence[Path]:
        """Return the files in the order of their paths."""
        return yaml_paths(self._knowledge, self._folder)

    def parts(self) -> Sequence[T]:
        """Return the parts of all files, file by file. Raises KnowledgeFileError, and what `parse` raises."""
        return [part for parts in self.by_file().values() for part in parts]

    def by_file(self) -> Mapping[str, tuple[T, ...]]:
        """Return the parts of each file by its path in the knowledge folder; of an unchanged file, the same tuple.

        Raises KnowledgeFileError, and what `parse` raises.
        """
        named = {path.relative_to(self._knowledge).as_posix(): path for path in self.paths()}
        return {name: self._parts_of(name, path) for name, path in named.items()}

    def _parts_of(self, name: str, path: Path) -> tuple[T, ...]:
        content = read_text(path)
        # Whoever comes meanwhile waits for what is being parsed, rather than parsing it, too.
        with self._reading:
            known = self._read.get(name)
            if known is None or known[0] != content:
                self._read[name] = known = content, tuple(self._parse(name, content))
            return known[1]


class PerFile(Generic[T, R]):
    """Keeps the results of `work` on the parts of each file; a file that has changed is worked on again."""

    def __init__(self, work: Callable[[Sequence[T]], R]) -> None:
        self._work = work
        self._made: dict[str, tuple[Sequence[T], R]] = {}

    def of(self, files: Mapping[str, tuple[T, ...]]) -> Sequence[R]:
        """Return it for the files of `YamlFiles.by_file`, in their order."""
        known = self._made
        self._made = {
            name: made
            if (made := known.get(name)) is not None and made[0] is parts
            else (parts, self._work(parts))
            for name, parts in files.items()
        }
        return [made for _, made in self._made.values()]
