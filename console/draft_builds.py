"""Indexes of drafts that only a whole build brings in: of a document, a topic, or a part of the catalogue.

    FOLDER/<key>/contents.json   a hash of each file that the draft changes, null for one that goes
    FOLDER/<key>/knowledge/      the knowledge folder with the draft, while it is built
    FOLDER/<key>/index/          the index, current when the build has ended well

The school's own index stays as it is. Each build is a process of its own; one runs at a time, because it takes a
processor for a minute or more.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import closing
from enum import StrEnum
from pathlib import Path

from console.replaced_file import has_contents, hashes_of, replace_file
from rag.errors import CovanError
from rag.index.versions import current_version

MOST = 10
"""Indexes of drafts that are kept; each is as large as the school's own."""

Command = Callable[[Path, Path], Sequence[str]]
"""Returns the command line that builds the index of a knowledge folder in another folder."""

_CONTENTS = "contents.json"


class DraftBuildError(CovanError):
    """A draft cannot be chatted with; `code` is draft_building, draft_failed or too_many_drafts."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class BuildState(StrEnum):
    """How far the index of a draft is."""

    NONE = ""
    BUILDING = "building"
    READY = "ready"
    FAILED = "failed"


class DraftBuilds:
    """Builds indexes of drafts, by a key of each, in `folder`.

    Vectors and texts beside the school's index `index` are taken over, so that nothing is embedded twice.
    """

    def __init__(self, folder: Path, index: Path, command: Command | None) -> None:
        self._folder = folder
        self._index = index
        self._command = command
        self._states: dict[str, BuildState] = {}
        self._changing = threading.Lock()
        self._one_at_a_time = threading.Lock()
        self._process: tuple[str, subprocess.Popen[bytes]] | None = None
        self._threads: list[threading.Thread] = []
        self._is_closed = False

    def state(self, key: str) -> BuildState:
        """Return how far the build of a draft is; after a stop of the console it has to be begun again."""
        with self._changing:
            return self._state(key)

    def _state(self, key: str) -> BuildState:
        if key in self._states:
            return self._states[key]
        return BuildState.READY if current_version(self.index_of(key)) else BuildState.NONE

    def index_of(self, key: str) -> Path:
        """Return the folder of the index of a draft."""
        return self._folder / key / "index"

    def begin(self, key: str, contents: Mapping[str, bytes | None], stage: Callable[[Path], None]) -> None:
        """Begin the build of the folder that `stage` makes, unless it runs or is there. Raises DraftBuildError."""
        with self._changing:
            if self._state(key) in (BuildState.BUILDING, BuildState.READY):
                return
            if self._command is None or self._is_closed:
                raise DraftBuildError("draft_failed", "no index can be built here")
            kept = {path.name for path in self._folder.glob("*")} | set(self._states)
            if len(kept - {key}) >= MOST:
                raise DraftBuildError(
                    "too_many_drafts",
                    f"{MOST} drafts of documents, topics or the catalogue are tested or checked; delete some",
                )
            self._states[key] = BuildState.BUILDING
        place = self._folder / key
        try:
            shutil.rmtree(place, ignore_errors=True)
            replace_file(place / _CONTENTS, json.dumps(hashes_of(contents)).encode())
            stage(place / "knowledge")
            self._take_over(self.index_of(key))
        except BaseException:
            self._end(key, BuildState.FAILED)
            raise
        thread = threading.Thread(target=self._run, args=(key,), name="draft build", daemon=True)
        self._threads = [each for each in self._threads if each.is_alive()] + [thread]
        thread.start()

    def is_in(self, key: str, knowledge: Path) -> bool:
        """Return whether a knowledge folder has the files as the draft has them: it was published."""
        try:
            hashes: Mapping[str, str | None] = json.loads((self._folder / key / _CONTENTS).read_bytes())
        except (OSError, ValueError):
            return False
        return has_contents(knowledge, hashes)

    def keep_only(self, keys: Set[str]) -> Set[str]:
        """Delete the indexes of all other drafts, and end their builds; return their keys."""
        with self._changing:
            gone = ({path.name for path in self._folder.glob("*")} | set(self._states)) - keys
            for key in gone:
                self._states.pop(key, None)
                self._end_process(key)
        for key in gone:
            shutil.rmtree(self._folder / key, ignore_errors=True)
        return gone

    def close(self) -> None:
        """End the build that runs; it is begun again when somebody asks for it."""
        with self._changing:
            self._is_closed = True
            if self._process is not None:
                self._end_process(self._process[0])
        for thread in self._threads:
            thread.join()

    def _run(self, key: str) -> None:
        with self._one_at_a_time:
            place = self._folder / key
            with self._changing:
                if self._is_closed or key not in self._states:
                    return
                assert self._command is not None
                process = subprocess.Popen(
                    self._command(place / "knowledge", self.index_of(key)),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
                self._process = key, process
            failed = process.wait() != 0
            with self._changing:
                self._process = None
                is_wanted = key in self._states and not self._is_closed
            shutil.rmtree(place if not is_wanted else place / "knowledge", ignore_errors=True)
            if is_wanted:
                for copied in ("vectors.sqlite", "classifiers.sqlite"):
                    (self.index_of(key) / copied).unlink(missing_ok=True)
                self._end(key, BuildState.FAILED if failed else BuildState.READY)

    def _end(self, key: str, state: BuildState) -> None:
        with self._changing:
            if key in self._states:
                self._states[key] = state

    def _end_process(self, key: str) -> None:
        if self._process is not None and self._process[0] == key:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process[1].pid, signal.SIGTERM)

    def _take_over(self, out: Path) -> None:
        """Copy the databases beside the school's index: made vectors, generated texts, statements that were read."""
        out.mkdir(parents=True)
        for path in self._index.glob("*.sqlite"):
            with closing(sqlite3.connect(path)) as ours, closing(sqlite3.connect(out / path.name)) as copy:
                ours.backup(copy)
