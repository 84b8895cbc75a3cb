"""One thread that writes the database; the deliveries that a platform waits for come before the rest, and together.

What must not wait, the note that a platform has a message, comes before other functions.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

D = TypeVar("D")
A = TypeVar("A")
T = TypeVar("T")

MOST_TOGETHER = 250
"""Deliveries of one transaction: some 25 ms, so that the first of a burst does not wait for the last."""


class Writer(Generic[D, A]):
    """Runs functions one after the other, but first stores the deliveries that wait, many in one transaction."""

    def __init__(self, name: str, store_all: Callable[[Sequence[D]], Sequence[A | Exception]]) -> None:
        """`store_all` returns a result for each delivery, or the exception that it raises; it raises for all."""
        self._store_all = store_all
        self._deliveries: deque[tuple[Future[A], D]] = deque()
        self._functions: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._changed = threading.Condition()
        self._ending = False
        self.progressed_at = time.monotonic()
        """When something last ended well, by the monotonic clock."""
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def deliver(self, delivery: D) -> Future[A]:
        """Queue a delivery. A future that is cancelled before its turn is left out. Raises RuntimeError after `end`."""
        return self._add(self._deliveries, delivery)

    def submit(self, function: Callable[[], T], *, first: bool = False) -> Future[T]:
        """Queue a function, with `first` before the other functions; as `deliver`."""
        return self._add(self._functions, function, first=first)

    def end(self) -> None:
        """Return when all that was queued has run."""
        with self._changed:
            self._ending = True
            self._changed.notify()
        self._thread.join()

    def _add(self, queue: deque[tuple[Future[Any], Any]], work: Any, *, first: bool = False) -> Future[Any]:
        future: Future[Any] = Future()
        with self._changed:
            if self._ending:
                raise RuntimeError("the writer has ended")
            if first:
                queue.appendleft((future, work))
            else:
                queue.append((future, work))
            self._changed.notify()
        return future

    def _run(self) -> None:
        while self._wait():
            with self._changed:
                waiting = len(self._deliveries)
                together = [self._deliveries.popleft() for _ in range(min(waiting, MOST_TOGETHER))]
                one = self._functions.popleft() if not together else None
            if together:
                self._store(together)
            elif one is not None:
                self._call(*one)

    def _wait(self) -> bool:
        """Return whether there is work; False when there is none any more."""
        with self._changed:
            while not (self._deliveries or self._functions):
                if self._ending:
                    return False
                self._changed.wait()
            return True

    def _store(self, together: Sequence[tuple[Future[A], D]]) -> None:
        asked = [(future, each) for future, each in together if future.set_running_or_notify_cancel()]
        if not asked:
            return
        try:
            results = self._store_all([each for _, each in asked])
        except BaseException as error:  # whatever it is, it belongs to who asked
            for future, _ in asked:
                future.set_exception(error)
            return
        self.progressed_at = time.monotonic()
        for (future, _), result in zip(asked, results, strict=True):
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)

    def _call(self, future: Future[Any], function: Callable[[], Any]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            result = function()
        except BaseException as error:  # whatever it is, it belongs to who asked
            future.set_exception(error)
        else:
            self.progressed_at = time.monotonic()
            future.set_result(result)
