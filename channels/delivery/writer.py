"""One thread that writes the database; what a platform waits for comes before the rest."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")

_Work = tuple[Future[Any], Callable[[], Any]]


class Urgency(IntEnum):
    """The order in which waiting work runs, the most urgent first."""

    ACKNOWLEDGEMENT = 0
    """A platform waits for it."""
    NOTE_OF_SENDING = 1
    """A process that is killed before it would send the message again."""
    OTHER = 2


class Writer:
    """Runs functions one after the other: the most urgent first, those of one urgency in order.

    `submit` and `end` belong to one thread.
    """

    def __init__(self, name: str) -> None:
        # With a lock that both threads take, the event loop would wait whenever the writer is interrupted holding it.
        self._inbox: SimpleQueue[tuple[Urgency, _Work] | None] = SimpleQueue()
        self._ending = False
        self.progressed_at = time.monotonic()
        """When something last ended well, by the monotonic clock."""
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, function: Callable[[], T], urgency: Urgency = Urgency.OTHER) -> Future[T]:
        """Queue a function; one whose future is cancelled before its turn is left out.

        Raises RuntimeError after `end`.
        """
        if self._ending:
            raise RuntimeError("the writer has ended")
        future: Future[T] = Future()
        self._inbox.put((urgency, (future, function)))
        return future

    def end(self) -> None:
        """Return when all that was queued has run."""
        self._ending = True
        self._inbox.put(None)
        self._thread.join()

    def _run(self) -> None:
        waiting: dict[Urgency, deque[_Work]] = {urgency: deque() for urgency in Urgency}
        ended = False
        while True:
            try:
                while (item := self._inbox.get(block=not (ended or any(waiting.values())))) is not None:
                    waiting[item[0]].append(item[1])
                ended = True
            except Empty:
                pass
            most_urgent = next(filter(None, waiting.values()), None)
            if most_urgent is None:
                return
            self._call(*most_urgent.popleft())

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
