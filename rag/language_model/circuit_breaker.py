"""A circuit breaker: after failures in a row, calls are refused for a while instead of waiting for each in vain."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

FAILURES = 3
"""Failures in a row that open the circuit."""

PAUSE_S = 30.0
"""Seconds for which an open circuit refuses; then one call tries."""


class CircuitBreaker:
    """Opens after `FAILURES` failures in a row; after `PAUSE_S` one call at a time may try. Thread-safe."""

    def __init__(
        self,
        failures: int = FAILURES,
        pause_s: float = PAUSE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = failures
        self._pause_s = pause_s
        self._clock = clock
        self._lock = threading.Lock()
        self._failed = 0
        self._shut_until = 0.0

    def admits(self) -> bool:
        """Return whether a call may be made now. Of an open circuit, one call in each pause may."""
        with self._lock:
            if self._failed < self._most:
                return True
            now = self._clock()
            if now < self._shut_until:
                return False
            self._shut_until = now + self._pause_s
            return True

    def succeeded(self) -> None:
        """Note a call that was answered: the circuit closes."""
        with self._lock:
            self._failed = 0

    def failed(self) -> None:
        """Note a call that was not answered."""
        with self._lock:
            self._failed += 1
            if self._failed >= self._most:
                self._shut_until = self._clock() + self._pause_s
