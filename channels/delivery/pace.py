"""Keep within a platform's rate limits, in one process."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from channels.delivery.platform import TryAgainError

LONGEST_WAIT_S = 60.0
"""Seconds; a longer pause raises `TryAgainError`, so that the queue waits."""

MOST_CHATS = 5_000


@dataclass(frozen=True)
class Limit:
    """At most `calls` within any `seconds`."""

    calls: int
    seconds: float


Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]
Key = tuple[str, str | int]
"""The subject of a limit: everything, a group, a chat."""

Limits = Callable[[int | str], Sequence[tuple[Key, Limit]]]
"""Returns the limits that hold for a message to a chat."""


class Pace:
    """The rate limits of one bot; waiting calls of a chat keep their order. `clock` is monotonic."""

    def __init__(self, limits: Limits, clock: Clock = time.monotonic, sleep: Sleep = asyncio.sleep) -> None:
        self._limits = limits
        self._clock = clock
        self._sleep = sleep
        self._sent: defaultdict[Key, deque[float]] = defaultdict(deque)
        self._longest_s = 0.0
        self._held: dict[Key, float] = {}
        self._turns: defaultdict[int | str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def turn(self, chat: int | str) -> None:
        """Wait until a message may be sent to `chat`, and count it.

        Raises TryAgainError when the platform asked for a long pause.
        """
        async with self._turns[chat]:
            while (wait := self._wait(chat)) > 0:
                if wait > LONGEST_WAIT_S:
                    raise TryAgainError("The platform has asked for a pause.", wait)
                await self._sleep(wait)
            for key, limit in self._limits(chat):
                self._sent[key].append(self._clock())
                self._longest_s = max(self._longest_s, limit.seconds)
        if len(self._turns) > MOST_CHATS:
            self._forget()

    def hold(self, key: Key, seconds: float) -> None:
        """Pause what `key` counts because the platform asked for it."""
        self._held[key] = max(self._held.get(key, 0.0), self._clock() + seconds)

    def _wait(self, chat: int | str) -> float:
        now = self._clock()
        starts = [now]
        for key, limit in self._limits(chat):
            if (held := self._held.get(key)) is not None:
                starts.append(held)
                if held <= now:
                    del self._held[key]
            sent = self._sent[key]
            while sent and sent[0] + limit.seconds <= now:
                sent.popleft()
            if len(sent) >= limit.calls:
                starts.append(sent[-limit.calls] + limit.seconds)
        return max(starts) - now

    def _forget(self) -> None:
        """Drop the counters of idle chats."""
        long_ago = self._clock() - self._longest_s
        for key in [key for key, sent in self._sent.items() if not sent or sent[-1] <= long_ago]:
            del self._sent[key]
        for chat in [chat for chat, turn in self._turns.items() if not turn.locked()]:
            del self._turns[chat]
