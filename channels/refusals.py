"""Count refused clients by reason, for the health and the log."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum

logger = logging.getLogger(__name__)

LOG_EVERY_S = 60.0
"""Seconds between two lines in the log about the same reason: a flood must not fill the disk."""


class Reason(StrEnum):
    """Why a client was refused; `/api/health` shows the counts by these names."""

    SLOW = "slow"
    IDLE = "idle"
    HEADERS = "headers_too_large"
    CONNECTIONS = "connections"
    STREAMS = "streams"
    REQUESTS = "requests"
    MESSAGES = "messages"


MEANING: Mapping[Reason, str] = {
    Reason.SLOW: "connections were closed because a request or an answer did not get through in time",
    Reason.IDLE: "idle connections were closed to make room for new ones",
    Reason.HEADERS: "requests had headers that are too large",
    Reason.CONNECTIONS: "connections were refused because too many are open",
    Reason.STREAMS: "pages got no stream of events because too many are open",
    Reason.REQUESTS: "requests were refused because their address or visitor sends too many",
    Reason.MESSAGES: "messages were dropped because their student sends too many",
}


class Refusals:
    """The counts since the start of the process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._counts: Counter[Reason] = Counter()
        self._logged: dict[Reason, tuple[float, int]] = {}

    def count(self, reason: Reason, times: int = 1) -> None:
        """Count a refusal."""
        self._counts[reason] += times
        at, told = self._logged.get(reason, (0.0, 0))
        now = self._clock()
        if not told or now - at >= LOG_EVERY_S:
            self._logged[reason] = now, self._counts[reason]
            logger.warning("%d %s.", self._counts[reason] - told, MEANING[reason])

    def counts(self) -> Mapping[str, int]:
        """Return the count of each reason that has occurred."""
        return {str(reason): count for reason, count in self._counts.items()}
