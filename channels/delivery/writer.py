"""One thread that writes the database; what a platform waits for comes before the rest."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

_Work = tuple[Future[Any], Callable[[], Any]]


class Writer:
    """Runs functions one after the other, the urgent ones first."""

    def __init__(self, name: str) -> None:
        self._urgent: deque[_Work] = deque()
        self._other: deque[_Work] = deque()
        self._changed = threading.Condition()
        self._ending = False
        self.progressed_at = time.monotonic()
        """When a function last ended well, by the monotonic clock."""
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, function: Callable[[], T], *, urgent: bool = False) -> Future[T]:
        """Queue a function. A future that is cancelled before its turn is left out. Raises RuntimeError after `end`."""
        future: Future[T] = Future()
        with self._changed:
            if self._ending:
                raise RuntimeError("the writer has ended")
            (self._urgent if urgent else self._other).append((future, function))
            self._changed.notify()
        return future

    def end(self) -> None:
        """Return when all that was queued has run."""
        with self._changed:
            self._ending = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while (work := self._next()) is not None:
            future, function = work
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = function()
            except BaseException as error:  # whatever it is, it belongs to who asked
                future.set_exception(error)
            else:
                self.progressed_at = time.monotonic()
                future.set_result(result)

    def _next(self) -> _Work | None:
        with self._changed:
            while not (self._urgent or self._other):
                if self._ending:
                    return None
                self._changed.wait()
            return (self._urgent or self._other).popleft()
