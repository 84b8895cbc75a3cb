"""Store what platforms bring, all that waits in one transaction, and each within a time.

In a burst the event loop and the writer's thread share one interpreter: a message costs the loop a future, and a group
of them one wake-up.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from channels.delivery.writer import Urgency, Writer

D = TypeVar("D")
A = TypeVar("A")

MOST_TOGETHER = 250
"""Deliveries of one transaction: some 25 ms, so that the first of a burst does not wait for the last."""

STORED_WITHIN_S = 1.5
"""Seconds without any progress of the database after which a delivery is not waited for any longer."""

STORED_AT_MOST_S = 10.0
"""Seconds for a delivery in a burst: the queue is long, and moves. Half of what Facebook and the website wait."""

LOOK_EVERY_S = 0.25


@dataclass(eq=False)
class _Waiting(Generic[D, A]):
    """A delivery that is not stored yet, since `began` by the monotonic clock."""

    delivery: D
    began: float
    stored: asyncio.Future[A]


class Intake(Generic[D, A]):
    """The deliveries that wait for the writer."""

    def __init__(self, writer: Writer, store_all: Callable[[Sequence[D]], Sequence[A | Exception]]) -> None:
        """`store_all` returns a result for each delivery, or the exception that it raises; it raises for all."""
        self._writer = writer
        self._store_all = store_all
        self._queue: deque[_Waiting[D, A]] = deque()
        self._together: Sequence[_Waiting[D, A]] = ()
        self._storing = False
        # In the order in which they came.
        self._waiting: dict[_Waiting[D, A], None] = {}
        self._watching: asyncio.TimerHandle | None = None

    async def store(self, delivery: D) -> A:
        """Store a delivery. One whose caller is cancelled before its turn is left out.

        Raises:
            TimeoutError: when the writer is stuck or too slow; it may be stored later.
            RuntimeError: after the end of the writer.
        """
        loop = asyncio.get_running_loop()
        waiting: _Waiting[D, A] = _Waiting(delivery, time.monotonic(), loop.create_future())
        self._queue.append(waiting)
        self._waiting[waiting] = None
        if not self._storing:
            self._storing = True
            # Not at once: all that has been read in this step of the event loop comes with it.
            loop.call_soon(self._begin)
        if self._watching is None:
            self._watching = loop.call_later(LOOK_EVERY_S, self._look)
        try:
            return await waiting.stored
        finally:
            del self._waiting[waiting]

    def _begin(self) -> None:
        try:
            work = self._writer.submit(self._store_together, Urgency.ACKNOWLEDGEMENT)
        except RuntimeError as ended:
            self._together, self._storing = tuple(self._queue), False
            self._queue.clear()
            self._tell([ended] * len(self._together))
            return
        asyncio.wrap_future(work).add_done_callback(self._stored)

    def _store_together(self) -> Sequence[A | Exception]:
        """Store what waits now; runs in the writer's thread."""
        together: list[_Waiting[D, A]] = []
        while self._queue and len(together) < MOST_TOGETHER:
            if not (waiting := self._queue.popleft()).stored.done():
                together.append(waiting)
        self._together = together
        return self._store_all([waiting.delivery for waiting in together]) if together else ()

    def _stored(self, work: asyncio.Future[Sequence[A | Exception]]) -> None:
        error = work.exception()
        self._tell(work.result() if error is None else [error] * len(self._together))
        self._storing = bool(self._queue)
        if self._storing:
            self._begin()

    def _tell(self, results: Sequence[A | BaseException]) -> None:
        for waiting, result in zip(self._together, results, strict=True):
            if waiting.stored.done():
                continue
            if isinstance(result, BaseException):
                waiting.stored.set_exception(result)
            else:
                waiting.stored.set_result(result)
        self._together = ()

    def _look(self) -> None:
        """Give up what has waited too long."""
        now = time.monotonic()
        for waiting in self._waiting:
            stuck = now - max(waiting.began, self._writer.progressed_at) > STORED_WITHIN_S
            if not stuck and now - waiting.began <= STORED_AT_MOST_S:
                break
            if not waiting.stored.done():
                waiting.stored.set_exception(TimeoutError("the database takes nothing"))
        loop = asyncio.get_running_loop()
        self._watching = loop.call_later(LOOK_EVERY_S, self._look) if self._waiting else None
