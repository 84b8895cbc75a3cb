"""The whole build of the index, in a process of its own: it follows each change, and begins anew with a further one."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from console.draft_builds import Command
from console.live_index import LiveIndex


class WholeBuild:
    """Begins and ends the build of one knowledge folder, and tells how far it is."""

    def __init__(self, knowledge: Path, live: LiveIndex, command: Command | None) -> None:
        """`command` returns the command that builds the index of a folder; None: nothing is built.

        It begins when its input ends (`prepared`).
        """
        self._knowledge = knowledge
        self._live = live
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._prepared: subprocess.Popen[bytes] | None = None
        self._awaited_since = 0.0
        self._is_of_changes = False
        self._is_restarting = False
        self._brings = True
        self._built_from = ""

    @property
    def is_running(self) -> bool:
        """Whether the whole build runs, or is about to begin anew with a change."""
        return self._is_restarting or (self._process is not None and self._process.poll() is None)

    @property
    def is_bringing(self) -> bool:
        """Whether a build has yet to bring a change of documents, topics or catalogue to students.

        The first version that it makes does so, seconds after its start, and the build goes on.
        """
        is_made = not self._is_restarting and self._live.version != self._built_from
        return self.is_running and self._brings and not is_made

    @property
    def waited_s(self) -> float:
        """For how many seconds the first change that a build has yet to bring is waited for.

        A build that began anew with a further change goes on counting; before such a change it is waited for by nobody.
        """
        return time.monotonic() - self._awaited_since if self.is_bringing else 0.0

    @property
    def is_of_changes(self) -> bool:
        """Whether the build that runs was begun by a change of the folder."""
        return self.is_running and self._is_of_changes

    @property
    def failed(self) -> bool:
        """Whether the last whole build ended with an error."""
        if self._is_restarting or self._process is None:
            return False
        return self._process.poll() not in (None, 0)

    def begin(self) -> None:
        """Begin the build of the folder as it is."""
        self._is_of_changes = False
        self._begin(brings=True)

    def _begin(self, *, brings: bool) -> None:
        if not self.is_bringing:
            self._awaited_since = time.monotonic()
        self._brings, self._built_from = brings, self._live.version
        process, self._prepared = self._prepared or self._started(), None
        if process is not None:
            assert process.stdin is not None
            process.stdin.close()
            self._process = process

    @contextmanager
    def prepared(self) -> Iterator[None]:
        """Start the process of the build that a change is to begin, while the change is checked.

        The process loads its program, which takes as long as the check of a small school, and waits. After a refused
        change it ends.
        """
        self._prepared = self._started()
        try:
            yield
        finally:
            _end(self._prepared)
            self._prepared = None

    def _started(self) -> subprocess.Popen[bytes] | None:
        if self._command is None:
            return None
        command = self._command(self._knowledge, self._live.folder)
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)

    def end(self) -> None:
        """End the build, if it runs."""
        _end(self._process)
        self._process = None

    @contextmanager
    def begun_anew(self, *, brings: bool) -> Iterator[None]:
        """Stop the whole build for a change, and begin it with the change; after a refused one, begin what ran.

        `brings` is what `is_bringing` tells of the build with the change.
        """
        brought, was_of_changes = self.is_bringing, self._is_of_changes
        if not brought:
            self._awaited_since = time.monotonic()
        self._is_restarting, self._brings, self._is_of_changes = self.is_running, brings, True
        try:
            self.end()
            try:
                yield
            except BaseException:
                self._is_of_changes = was_of_changes
                if self._is_restarting:
                    self._begin(brings=brought)
                raise
            self._begin(brings=brings)
        finally:
            self._is_restarting = False


def _end(process: subprocess.Popen[bytes] | None) -> None:
    if process is not None:
        process.terminate()
        process.wait()
        if process.stdin is not None:
            process.stdin.close()
