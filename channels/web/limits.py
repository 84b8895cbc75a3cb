"""Rate limits of the website's channel for each address and each session.

Each process counts by itself, so that the limits grow with the processes. `channels.delivery` limits the messages of a
student on all channels.
"""

from __future__ import annotations

import contextlib
import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator

SESSIONS_PER_MINUTE_OF_AN_ADDRESS = 600
REQUESTS_PER_MINUTE_OF_AN_ADDRESS = 3_000
WRITES_PER_MINUTE_OF_AN_ADDRESS = 600
STREAMS_OF_AN_ADDRESS = 1_000
"""High, because a whole campus may share one address."""

REQUESTS_PER_MINUTE_OF_A_SESSION = 120
WRITES_PER_MINUTE_OF_A_SESSION = 60
STREAMS_OF_A_SESSION = 4
"""Tabs of one visitor on all devices."""

REMEMBERED = 50_000
"""Addresses or sessions; beyond it the one idle longest is dropped."""

_NETWORK_OF_A_HOUSE = 64
"""Bits of the network prefix of one IPv6 subscriber (https://www.rfc-editor.org/rfc/rfc6177)."""


def client_address(peer: str, forwarded_for: str, proxies: int) -> str:
    """Return the client's address; for IPv6, its network.

    `proxies` is the number of trusted reverse proxies; one on this machine is always trusted. Each appends its client's
    address to X-Forwarded-For; entries further left can be forged.
    """
    proxies = max(proxies, 1) if _is_loopback(peer) else proxies
    hops = [hop.strip() for hop in forwarded_for.split(",") if hop.strip()]
    address = hops[max(len(hops) - proxies, 0)] if proxies and hops else peer
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return peer
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((int(parsed), _NETWORK_OF_A_HOUSE), strict=False))
    return str(parsed)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


class Rate:
    """A token bucket for each key, refilled by `per_minute`."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, key: str) -> int:
        """Count one request and return 0; over the limit, return the seconds (1 or more) to wait."""
        now = self._clock()
        left, at = self._left.pop(key, (self._most, now))
        left = min(self._most, left + (now - at) * self._most / 60.0)
        admitted = left >= 1.0
        self._left[key] = (left - 1.0 if admitted else left, now)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return 0 if admitted else max(1, math.ceil((1.0 - left) * 60.0 / self._most))


class OpenStreams:
    """The open event streams of each address and each session."""

    def __init__(
        self, of_a_session: int = STREAMS_OF_A_SESSION, of_an_address: int = STREAMS_OF_AN_ADDRESS
    ) -> None:
        self._of_a_session = of_a_session
        self._of_an_address = of_an_address
        self._open: Counter[tuple[str, str]] = Counter()

    @contextlib.contextmanager
    def one_more(self, session: str, address: str) -> Iterator[bool]:
        """Hold a place while entered; yields False when none is free."""
        places = (("session", session), ("address", address))
        most = (self._of_a_session, self._of_an_address)
        if any(self._open[place] >= limit for place, limit in zip(places, most, strict=False)):
            yield False
            return
        self._open.update(places)
        try:
            yield True
        finally:
            self._open.subtract(places)
            for place in places:
                if not self._open[place]:
                    del self._open[place]
