"""How many messages of a sender were erased within the last minute: erasing does not lift the limit of messages."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

WINDOW_S = 60.0
REMEMBERED = 50_000


class ErasedMessages:
    """Numbers, in memory and for a minute: what was erased is not stored in another place."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._counts: OrderedDict[tuple[str, str], list[tuple[float, int]]] = OrderedDict()

    def add(self, channel: str, sender: str, count: int) -> None:
        """Note that so many messages of the last minute were erased."""
        if not count:
            return
        with self._lock:
            self._counts[channel, sender] = [*self._recent(channel, sender), (self._clock(), count)]
            self._counts.move_to_end((channel, sender))
            while self._counts and (len(self._counts) > REMEMBERED or self._is_old()):
                self._counts.popitem(last=False)

    def count(self, channel: str, sender: str) -> int:
        """Return how many messages were erased within the last minute."""
        with self._lock:
            return sum(count for _, count in self._recent(channel, sender))

    def _recent(self, channel: str, sender: str) -> list[tuple[float, int]]:
        since = self._clock() - WINDOW_S
        return [each for each in self._counts.get((channel, sender), ()) if each[0] > since]

    def _is_old(self) -> bool:
        _, counts = next(iter(self._counts.items()))
        return counts[-1][0] <= self._clock() - WINDOW_S
