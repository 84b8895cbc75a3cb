"""The versions of a knowledge folder: the commits of its own git repository.

A folder inside the repository of something else keeps none: it must have a `.git` of its own.
"""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from console.version_changes import MOST_CHANGES, ThingChange, changes_of
from rag.errors import CovanError

logger = logging.getLogger(__name__)

GIT_TIMEOUT_S = 20.0
PAGE = 50
MOST_DIFF_CHARS = 200_000
MOST_CHANGED_FILES = 20
"""Files of a version whose things are compared; of more, the raw difference tells."""

COMMIT_PATTERN = r"^[0-9a-f]{40,64}$"

IDENTITY = ("-c", "user.name=Covan", "-c", "user.email=console@covan.invalid")
_RECORD, _FIELD = "\x1e", "\x1f"

ACTION_TRAILER = "Covan-Action"
_ACTION_FORM = f"%(trailers:key={ACTION_TRAILER},valueonly,separator=%x20)"


class NoVersionError(CovanError):
    """There is no such version, or the folder keeps none."""


class LaterChangesError(CovanError):
    """Later versions have changed the same lines as the one that is to be undone, in the files `names`."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"changed again since: {', '.join(names)}")
        self.names = names


class VersionsError(CovanError):
    """git failed; the message is its own."""


@dataclass(frozen=True, slots=True)
class Version:
    """A commit: `at` is in seconds since 1970, `files` are the paths that it changed, relative to the folder.

    `action` is what the console did ("add", "change", "entry_removed", "merged", "rule", "rule_removed", "checked",
    "checked_removed", "restore", "by_hand", "label", "fact", "document", "document_added", "document_replaced",
    "document_removed", "calculator", "topic", "catalogue", "contacts", "drafts",
    "undo"); empty for a commit of somebody else.
    """

    commit: str
    author: str
    at: int
    action: str
    message: str
    files: Sequence[str]


class Versions:
    """The versions of the knowledge folder `knowledge`."""

    def __init__(self, knowledge: Path) -> None:
        self._knowledge = knowledge
        self._committing = threading.Lock()

    @property
    def are_kept(self) -> bool:
        """Whether the folder is a git repository, and git is installed."""
        return (self._knowledge / ".git").exists() and shutil.which("git") is not None

    def page(self, skip: int = 0) -> Sequence[Version]:
        """Return `PAGE` versions after the first `skip`, the newest first. Raises VersionsError."""
        if not self.are_kept or not self._git("rev-list", "--all", "--max-count=1"):
            return []
        form = f"--format={_RECORD}{_FIELD.join(('%H', '%an', '%at', _ACTION_FORM, '%s'))}"
        told = self._git("log", form, "--name-only", f"--skip={skip}", f"--max-count={PAGE}")
        return [_version(each) for each in told.split(_RECORD)[1:]]

    def message(self, commit: str) -> str:
        """Return the first line of a version's message. Raises NoVersionError, VersionsError."""
        self._check(commit)
        return self._git("show", "--no-patch", "--format=%s", commit).strip()

    def diff(self, commit: str) -> str:
        """Return what a version changed, `MOST_DIFF_CHARS` at most. Raises NoVersionError, VersionsError."""
        self._check(commit)
        return self._git("show", "--format=", "--patch", commit)[:MOST_DIFF_CHARS]

    def changes(self, commit: str) -> tuple[Sequence[ThingChange], bool]:
        """Return what a version changed thing by thing, and whether it changed more than is looked at.

        Raises NoVersionError, VersionsError.
        """
        self._check(commit)
        parents = self._git("rev-list", "--parents", "--max-count=1", commit).split()[1:]
        told = self._git(
            *(
                "diff-tree",
                "--root",
                "--no-commit-id",
                "--name-only",
                "--no-renames",
                "--relative",
                "-r",
                "-z",
            ),
            commit,
        )
        files = list(filter(None, told.split("\0")))
        found = [
            change
            for name in files[:MOST_CHANGED_FILES]
            for change in changes_of(
                name, self.content(parents[0], name) if parents else None, self.content(commit, name)
            )
        ]
        return found[:MOST_CHANGES], len(files) > MOST_CHANGED_FILES or len(found) > MOST_CHANGES

    def differing(self, commit: str) -> Sequence[str]:
        """Return the paths of the folder that are not as they were at a version, those that it lacks among them.

        Raises NoVersionError, VersionsError.
        """
        self._check(commit)
        told = self._git("diff", "--name-only", "--no-renames", "--relative", "-z", commit, "--", ".")
        return sorted({*filter(None, told.split("\0")), *self.uncommitted(".")})

    def content(self, commit: str, name: str) -> bytes | None:
        """Return a file as it was at a version, None when it was not there. Raises NoVersionError, VersionsError."""
        self._check(commit)
        if not self._git("ls-tree", "--name-only", commit, "--", name):
            return None
        return self._told("show", f"{commit}:./{name}")

    def undone(self, commit: str) -> Mapping[str, bytes | None]:
        """Return the files as they would be without what a version changed, all later changes kept; None: no file.

        Raises LaterChangesError, NoVersionError (also for the first version), VersionsError.
        """
        self._check(commit)
        parents = self._git("rev-list", "--parents", "--max-count=1", commit).split()[1:]
        if len(parents) != 1:
            raise NoVersionError("there is no version before it")
        told = self._git("diff", "--name-only", "--no-renames", "--relative", "-z", parents[0], commit)
        found: dict[str, bytes | None] = {}
        overlapping = []
        for name in filter(None, told.split("\0")):
            before, after = self.content(parents[0], name), self.content(commit, name)
            path = self._knowledge / name
            now = path.read_bytes() if path.is_file() else None
            try:
                merged = before if now == after else self._merged(now, after, before)
            except _OverlapError:
                overlapping.append(name)
                continue
            if merged != now:
                found[name] = merged
        if overlapping:
            raise LaterChangesError(overlapping)
        return found

    def _merged(self, now: bytes | None, base: bytes | None, other: bytes | None) -> bytes | None:
        """Return `now` with the change from `base` to `other`. Raises _OverlapError, VersionsError."""
        if now == other:
            return now
        if now is None or base is None or other is None:
            raise _OverlapError
        with tempfile.TemporaryDirectory(prefix="covan-console-") as folder:
            files = [Path(folder) / name for name in ("now", "base", "other")]
            for file, content in zip(files, (now, base, other), strict=True):
                file.write_bytes(content)
            # It ends with the number of conflicts, or with 255 for what is no text.
            ran = subprocess.run(
                ["git", "merge-file", "--stdout", "--quiet", *map(str, files)],
                check=False,
                capture_output=True,
                timeout=GIT_TIMEOUT_S,
                stdin=subprocess.DEVNULL,
            )
        return ran.stdout if ran.returncode == 0 else _with_blocks_replaced(now, base, other)

    def commit(self, files: Sequence[str], author: tuple[str, str], action: str, message: str) -> str:
        """Commit some files; return the commit, "" when the folder keeps no versions or git fails.

        `author` is a name and a login, `action` as in `Version`, `message` one line. Other changes, also those that
        are staged, stay as they are.
        """
        if not self.are_kept:
            return ""
        name, login = author
        mail = login if "@" in login else f"{login}@covan.invalid"
        try:
            # git refuses a commit while it makes another one.
            with self._committing:
                self._git("add", "--", *files)
                self._git(
                    *(*IDENTITY, "commit", "--quiet", "--no-verify", "--only"),
                    *(f"--author={name} <{mail}>", "-m", " ".join(message.split())),
                    *("-m", f"{ACTION_TRAILER}: {action}", "--", *files),
                )
                return self._git("rev-parse", "HEAD").strip()
        except VersionsError as error:
            # The edit is published all the same; the files wait for the next commit.
            logger.error("The edit of %s could not be committed: %s", files[0], error)
            return ""

    def uncommitted(self, *parts: str) -> Sequence[str]:
        """Return the paths in `parts` of the folder whose content is in no version. Raises VersionsError."""
        told = self._git("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *parts)
        return [line[3:] for line in told.split("\0") if line]

    def _check(self, commit: str) -> None:
        if not re.fullmatch(COMMIT_PATTERN, commit) or not self.are_kept:
            raise NoVersionError("there is no such version")
        try:
            self._git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
        except VersionsError as error:
            raise NoVersionError("there is no such version") from error

    def _git(self, *arguments: str) -> str:
        """Return what git says, as text. Raises VersionsError."""
        return self._told(*arguments).decode(errors="replace")

    def _told(self, *arguments: str) -> bytes:
        """Return what git says. Raises VersionsError."""
        folder = ("git", "-C", str(self._knowledge), "-c", "core.quotePath=false")
        try:
            ran = subprocess.run(
                [*folder, *arguments],
                check=True,
                capture_output=True,
                timeout=GIT_TIMEOUT_S,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.CalledProcessError as error:
            raise VersionsError(error.stderr.decode(errors="replace").strip()) from error
        except (subprocess.SubprocessError, OSError) as error:
            raise VersionsError(type(error).__name__) from error
        return ran.stdout


class _OverlapError(Exception):
    """Two changes of a file touch the same lines, or one of them made or removed it."""


def _with_blocks_replaced(now: bytes, base: bytes, other: bytes) -> bytes:
    """Return `now` with the blocks of lines of `base` that `other` has not, each replaced by what `other` has there.

    Git takes changes that touch each other for a conflict: an entry and the next one at the end of a file. Here a block
    has to stand in `now` once, word for word. Raises _OverlapError.
    """
    old, new, lines = (text.splitlines(keepends=True) for text in (base, other, now))
    for tag, start, end, begin, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        block, size = old[start:end], end - start
        places = [place for place in range(len(lines) - size + 1) if lines[place : place + size] == block]
        if not block or len(places) != 1:
            raise _OverlapError
        lines[places[0] : places[0] + size] = new[begin:stop]
    return b"".join(lines)


def headline(texts: Sequence[str]) -> str:
    """Return a version's message: the first of some texts, and the number of others."""
    others = f" (+{len(texts) - 1})" if len(texts) > 1 else ""
    return f"{texts[0]}{others}"


def _version(told: str) -> Version:
    head, _, files = told.partition("\n")
    commit, author, at, action, message = head.split(_FIELD, 4)
    return Version(commit, author, int(at), action, message, [each for each in files.split("\n") if each])
