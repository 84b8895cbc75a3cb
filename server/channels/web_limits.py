"""How much one address, and one visitor, may ask of the website's channel.

Counted in each process by itself, and forgotten with it: with more processes a visitor may ask for more, which harms
nobody. What a student may ask of the bot is limited for all channels alike, in `server.delivery`.
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
STREAMS_OF_AN_ADDRESS = 1_000
"""A whole campus may stand behind one address."""

REQUESTS_PER_MINUTE_OF_A_SESSION = 120
STREAMS_OF_A_SESSION = 4
"""So many tabs, on all devices."""

REMEMBERED = 50_000
"""Addresses or sessions; of more, the one that has been silent longest begins anew."""

_NETWORK_OF_A_HOUSE = 64
"""Bits of an IPv6 address that one subscriber cannot choose (https://www.rfc-editor.org/rfc/rfc6177)."""


def client_address(peer: str, forwarded_for: str, proxies: int) -> str:
    """The address that a request comes from, as far as it can be known.

    `proxies` is how many reverse proxies of ours stand before this server. Each adds at the end of X-Forwarded-For whom
    it was asked by; what stands further left may be anybody's invention. Of an IPv6 address, its network.
    """
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


class Rate:
    """So many a minute for each key, all at once or spread (a bucket that fills up again)."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, key: str) -> int:
        """Counts one, and says 0; or does not, and says after how many seconds (1 or more) to come back."""
        now = self._clock()
        left, at = self._left.pop(key, (self._most, now))
        left = min(self._most, left + (now - at) * self._most / 60.0)
        admitted = left >= 1.0
        self._left[key] = (left - 1.0 if admitted else left, now)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return 0 if admitted else max(1, math.ceil((1.0 - left) * 60.0 / self._most))


class OpenStreams:
    """How many streams of events are open, of an address and of a session."""

    def __init__(
        self, of_a_session: int = STREAMS_OF_A_SESSION, of_an_address: int = STREAMS_OF_AN_ADDRESS
    ) -> None:
        self._of_a_session = of_a_session
        self._of_an_address = of_an_address
        self._open: Counter[tuple[str, str]] = Counter()

    @contextlib.contextmanager
    def one_more(self, session: str, address: str) -> Iterator[bool]:
        """Holds a place for as long as it is entered; False when there is none."""
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
