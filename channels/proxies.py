"""The address of a client, as told by the reverse proxies that are trusted.

Each proxy appends its client's address to X-Forwarded-For. Entries are believed from the right, as long as a trusted
proxy wrote them; everything further left can be forged. Other headers (CF-Connecting-IP, X-Real-IP, Forwarded) are
never read.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from rag.settings import Network

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_NETWORK_OF_A_HOUSE = 64
"""Bits of the network prefix of one IPv6 subscriber (https://www.rfc-editor.org/rfc/rfc6177)."""

PARSED = 10_000
"""Addresses that are not parsed again: a proxy's stands in every request, a student's in each of theirs."""


class TrustedProxies:
    """The networks whose X-Forwarded-For is believed."""

    def __init__(self, networks: Iterable[Network]) -> None:
        self._networks = tuple(networks)

    def trusts(self, address: str) -> bool:
        """Return whether a peer with this address is a trusted proxy."""
        parsed = _parsed(address)
        return parsed is not None and any(parsed in network for network in self._networks)

    def client(self, peer: str, forwarded_for: str) -> str:
        """Return the client's address; for IPv6, its network."""
        address = peer
        hops = [hop.strip() for hop in forwarded_for.split(",") if hop.strip()]
        while hops and self.trusts(address) and _parsed(hop := hops.pop()) is not None:
            address = hop
        return _counted(address)


def is_private(address: str) -> bool:
    """Return whether an address is this machine's or of a private network."""
    parsed = _parsed(address)
    return parsed is not None and parsed.is_private


@lru_cache(maxsize=PARSED)
def _parsed(address: str) -> Address | None:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return mapped or parsed


def _counted(address: str) -> str:
    parsed = _parsed(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((int(parsed), _NETWORK_OF_A_HOUSE), strict=False))
    return address if parsed is None else str(parsed)
