"""Rate limits of the website's channel for each address and each session; the console's sign-in has one, too.

Each process counts by itself, so that the limits grow with the processes. `channels.delivery` limits the messages of a
student on all channels.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator

from channels.connections import MOST_CONNECTIONS

SESSIONS_PER_MINUTE_OF_AN_ADDRESS = 600
REQUESTS_PER_MINUTE_OF_AN_ADDRESS = 3_000
WRITES_PER_MINUTE_OF_AN_ADDRESS = 600
ERASURES_PER_MINUTE_OF_AN_ADDRESS = 30
STREAMS_OF_AN_ADDRESS = 1_000
"""High, because a whole campus may share one address."""

REQUESTS_PER_MINUTE_OF_A_SESSION = 120
WRITES_PER_MINUTE_OF_A_SESSION = 60
ERASURES_PER_MINUTE_OF_A_SESSION = 5
"""Few, since an erasure writes into every table and rewrites what is free in the file."""

STREAMS_OF_A_SESSION = 4
"""Tabs of one visitor on all devices."""

REMEMBERED = 50_000
"""Addresses or sessions; beyond it the one idle longest is dropped."""


class Rate:
    """A token bucket for each key, refilled by `per_minute`; for any thread."""

    def __init__(
        self, per_minute: int, clock: Callable[[], float] = time.monotonic, most: int | None = None
    ) -> None:
        """`most` are the requests at once after a long silence; None: those of a minute."""
        self._a_second = per_minute / 60.0
        self._most = float(per_minute if most is None else most)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait_s(self, key: str) -> int:
        """Count one request and return 0; over the limit, return the seconds (1 or more) to wait."""
        with self._lock:
            now = self._clock()
            left, at = self._left.pop(key, (self._most, now))
            left = min(self._most, left + (now - at) * self._a_second)
            admitted = left >= 1.0
            self._left[key] = (left - 1.0 if admitted else left, now)
            if len(self._left) > REMEMBERED:
                self._left.popitem(last=False)
        return 0 if admitted else max(1, math.ceil((1.0 - left) / self._a_second))

    def give_back(self, key: str) -> None:
        """Take back the last request that was counted."""
        with self._lock:
            if key in self._left:
                left, at = self._left[key]
                self._left[key] = (min(self._most, left + 1.0), at)


class OpenStreams:
    """The open event streams of each address and each session, and of all together."""

    def __init__(
        self,
        of_a_session: int = STREAMS_OF_A_SESSION,
        of_an_address: int = STREAMS_OF_AN_ADDRESS,
        in_all: int = MOST_CONNECTIONS,
    ) -> None:
        self._of_a_session = of_a_session
        self._of_an_address = of_an_address
        self._in_all = in_all
        self._open: Counter[tuple[str, str]] = Counter()

    @contextlib.contextmanager
    def one_more(self, session: str, address: str) -> Iterator[bool]:
        """Hold a place while entered; yields False when none is free."""
        most = {
            ("session", session): self._of_a_session,
            ("address", address): self._of_an_address,
            ("all", ""): self._in_all,
        }
        if any(self._open[place] >= limit for place, limit in most.items()):
            yield False
            return
        self._open.update(list(most))
        try:
            yield True
        finally:
            self._open.subtract(list(most))
            for place in most:
                if not self._open[place]:
                    del self._open[place]
