"""What the stand-ins of platforms have in common: they are served on a loopback port and keep what they were asked."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Generic, TypeVar

from aiohttp import web
from served import served

Json = dict[str, Any]
Asked = TypeVar("Asked")
"""A request as it came, and what became of it."""
Failure = TypeVar("Failure", bound=Exception)


class ChatPlatform(Generic[Asked, Failure]):
    """One platform, in a thread of its own; what it keeps may be read from any thread."""

    path = "/{path:.*}"
    """Of the requests that `_answer` answers."""

    handler_cancellation = True
    """Whether a request comes to nothing when its client goes before the answer."""

    url: str

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._asked: list[Asked] = []
        self._seen: dict[str, list[Json]] = {}
        self._failures: list[Failure] = []
        self._numbers = itertools.count(1)
        self._serving: AbstractContextManager[str] | None = None

    # --- up and down ------------------------------------------------------------------------------------------------

    def start(self) -> str:
        """Listen on a free loopback port. Returns the address."""
        app = web.Application(client_max_size=10_000_000)
        app.router.add_route("*", self.path, self._answer)
        self._serving = served(app, handler_cancellation=self.handler_cancellation)
        self.url = self._serving.__enter__()
        return self.url

    def stop(self) -> None:
        """End it; what was sent may still be read."""
        if self._serving is not None:
            self._serving.__exit__(None, None, None)
            self._serving = None

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        raise NotImplementedError

    # --- what was sent ----------------------------------------------------------------------------------------------

    @property
    def asked(self) -> list[Asked]:
        """Every request so far."""
        with self._lock:
            return list(self._asked)

    def seen_by(self, student: str) -> list[Json]:
        """The messages that a student got, in order."""
        with self._lock:
            return list(self._seen.get(student, ()))

    def wait_for(self, student: str, count: int, timeout_s: float = 60.0) -> list[Json]:
        """What a student got, as soon as it is `count` messages. Raises TimeoutError."""
        with self._lock:
            if not self._lock.wait_for(lambda: len(self._seen.get(student, ())) >= count, timeout_s):
                raise TimeoutError(f"{student} got {self._seen.get(student)}, not {count} messages")
        return self.seen_by(student)

    def wait_until(self, condition: Callable[[list[Asked]], bool], timeout_s: float = 60.0) -> list[Asked]:
        """The requests so far, as soon as they are as `condition` wants them. Raises TimeoutError."""
        with self._lock:
            if not self._lock.wait_for(lambda: condition(list(self._asked)), timeout_s):
                raise TimeoutError(f"of these requests, too few: {self._asked[-20:]}")
            return list(self._asked)

    def forget_failures(self) -> None:
        """Fail no more; what was sent is still known."""
        with self._lock:
            self._failures.clear()
