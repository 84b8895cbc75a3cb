"""Keep within Telegram's rate limits: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from channels.delivery.platform import TryAgainError


@dataclass(frozen=True)
class Limit:
    """At most `calls` within any `seconds`."""

    calls: int
    seconds: float


OVERALL = Limit(30, 1.0)
IN_A_CHAT = Limit(3, 3.0)
"""One message a second with short bursts: an answer in three pieces is sent at once."""

IN_A_GROUP = Limit(20, 60.0)

LONGEST_WAIT_S = 60.0
"""Seconds; a longer pause raises `TryAgainError`, so that the queue waits."""

MOST_CHATS = 5_000

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]
Key = tuple[str, int]


class Pace:
    """The rate limits of one bot in one process; waiting calls of a chat keep their order. `clock` is monotonic."""

    def __init__(self, clock: Clock = time.monotonic, sleep: Sleep = asyncio.sleep) -> None:
        self._clock = clock
        self._sleep = sleep
        self._sent: defaultdict[Key, deque[float]] = defaultdict(deque)
        self._held: dict[int, float] = {}
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def turn(self, chat: int) -> None:
        """Wait until a message may be sent to `chat`, and count it.

        Raises TryAgainError when Telegram asked for a long pause in this chat.
        """
        async with self._turns[chat]:
            while (wait := self._wait(chat)) > 0:
                if wait > LONGEST_WAIT_S:
                    raise TryAgainError("Telegram has asked for a pause in this chat.", wait)
                await self._sleep(wait)
            for key, _ in self._limits(chat):
                self._sent[key].append(self._clock())
        if len(self._turns) > MOST_CHATS:
            self._forget()

    def hold(self, chat: int, seconds: float) -> None:
        """Pause a chat because Telegram asked for it."""
        self._held[chat] = max(self._held.get(chat, 0.0), self._clock() + seconds)

    def _wait(self, chat: int) -> float:
        now = self._clock()
        starts = [now]
        if (held := self._held.get(chat)) is not None:
            starts.append(held)
            if held <= now:
                del self._held[chat]
        for key, limit in self._limits(chat):
            sent = self._sent[key]
            while sent and sent[0] + limit.seconds <= now:
                sent.popleft()
            if len(sent) >= limit.calls:
                starts.append(sent[-limit.calls] + limit.seconds)
        return max(starts) - now

    @staticmethod
    def _limits(chat: int) -> Sequence[tuple[Key, Limit]]:
        # https://core.telegram.org/bots/api#chat: groups have negative ids.
        group = [(("group", chat), IN_A_GROUP)] if chat < 0 else []
        return [(("all", 0), OVERALL), (("chat", chat), IN_A_CHAT), *group]

    def _forget(self) -> None:
        """Drop the counters of idle chats."""
        long_ago = self._clock() - max(limit.seconds for limit in (OVERALL, IN_A_CHAT, IN_A_GROUP))
        for key in [key for key, sent in self._sent.items() if not sent or sent[-1] <= long_ago]:
            del self._sent[key]
        for chat in [
            chat
            for chat, turn in self._turns.items()
            if not turn.locked() and ("chat", chat) not in self._sent
        ]:
            del self._turns[chat]
