"""As fast as Telegram lets a bot write, and no faster: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict, deque
from dataclasses import dataclass
from typing import Awaitable, Callable, DefaultDict, Deque, Dict, Iterator, List, Text, Tuple

from server.delivery.platform import TryAgain


@dataclass(frozen=True)
class Limit:
    """At most `calls` within any `seconds`."""

    calls: int
    seconds: float


OVERALL = Limit(30, 1.0)
IN_A_CHAT = Limit(3, 3.0)
"""One message a second, of which "short bursts" may be ahead: an answer in three pieces comes at once."""

IN_A_GROUP = Limit(20, 60.0)

LONGEST_WAIT_S = 5.0
"""Longer waits are the queue's."""

MOST_CHATS = 5_000

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]


class Pace:
    """Of one bot in one process. `clock` gives seconds that only grow."""

    def __init__(self, clock: Clock = time.monotonic, sleep: Sleep = asyncio.sleep) -> None:
        self._clock = clock
        self._sleep = sleep
        self._sent: DefaultDict[Tuple[Text, int], Deque[float]] = defaultdict(deque)
        self._held: Dict[int, float] = {}

    async def turn(self, chat: int) -> None:
        """Waits until a message may be sent to `chat`, and counts it as sent.

        Raises TryAgain when that is long from now.
        """
        while True:
            now = self._clock()
            wait = max((start - now for start in self._earliest(chat, now)), default=0.0)
            if wait > LONGEST_WAIT_S:
                raise TryAgain("Telegram's limits on messages are reached.", wait)
            if wait <= 0:
                break
            await self._sleep(wait)
        for key, _ in self._limits(chat):
            self._sent[key].append(now)
        if len(self._sent) > MOST_CHATS:
            self._forget(now)

    def hold(self, chat: int, seconds: float) -> None:
        """Telegram has asked for a pause."""
        self._held[chat] = max(self._held.get(chat, 0.0), self._clock() + seconds)

    def _earliest(self, chat: int, now: float) -> Iterator[float]:
        if (held := self._held.get(chat)) is not None:
            if held > now:
                yield held
            else:
                del self._held[chat]
        for key, limit in self._limits(chat):
            sent = self._sent[key]
            while sent and sent[0] + limit.seconds <= now:
                sent.popleft()
            if len(sent) >= limit.calls:
                yield sent[-limit.calls] + limit.seconds

    @staticmethod
    def _limits(chat: int) -> List[Tuple[Tuple[Text, int], Limit]]:
        # https://core.telegram.org/bots/api#chat: groups have negative ids.
        group = [(("group", chat), IN_A_GROUP)] if chat < 0 else []
        return [(("all", 0), OVERALL), (("chat", chat), IN_A_CHAT), *group]

    def _forget(self, now: float) -> None:
        longest = max(limit.seconds for limit in (OVERALL, IN_A_CHAT, IN_A_GROUP))
        for key in [key for key, sent in self._sent.items() if not sent or sent[-1] + longest <= now]:
            del self._sent[key]
