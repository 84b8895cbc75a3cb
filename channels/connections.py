"""The open connections of the front door: how many there may be, and which gives way to a new one.

A connection waits while its request has not arrived completely. When all places are taken, the connection that has
waited longest is closed for the new one, so that silent or slow clients keep nobody out; when none waits, the new one
is refused. No address but a trusted proxy's may take more than its share.
"""

from __future__ import annotations

import logging
import resource
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from channels.proxies import TrustedProxies
from channels.refusals import Reason, Refusals

logger = logging.getLogger(__name__)

MOST_FILES = 65_536
FILES_WANTED = (MOST_FILES, 10_240)
"""Limits of open files to ask the system for; macOS gives 10,240 at most."""

FEWEST_FILES = 4_096
"""Fewer than so many are told at the start and by `covan doctor`."""

FILES_FOR_OTHERS = 256
"""Files that are no client's connection: database, Redis, Rasa, platforms, the page's files, logs."""

MOST_CONNECTIONS = 10_000

BEYOND = 100
"""Connections over the limit that are held for the moment in which they are told so."""


@dataclass(frozen=True)
class Capacity:
    """How many connections there may be in all and from one address, and how many of all may be streams of events."""

    connections: int
    of_an_address: int
    streams: int

    @classmethod
    def of_files(cls, files: int) -> Capacity:
        """Return the capacity of a process that may have so many files open."""
        most = max(min(files - FILES_FOR_OTHERS, MOST_CONNECTIONS), 8)
        # Streams last for hours: the other half stays free for requests. A whole campus may share one address.
        return cls(most, most // 4, most // 2)


def open_files() -> int:
    """Return how many files this process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft


def raise_open_files() -> int:
    """Raise the limit of open files as far as the system lets us; return it. Many systems begin with 1,024."""
    for wanted in FILES_WANTED:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        possible = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < possible:
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (possible, hard))
    files = open_files()
    if files < FEWEST_FILES:
        logger.warning(
            "This process may have %d files open, which is enough for %d connections. Raise the limit to %d "
            "(LimitNOFILE= of systemd, or ulimit -n).",
            files,
            Capacity.of_files(files).connections,
            MOST_FILES,
        )
    return files


class Place(Enum):
    """Whether a new connection is served, told that there is no place, or closed without a word."""

    FREE = "free"
    NONE = "none"
    NONE_AT_ALL = "none at all"


class Connection(Protocol):
    """The interface used of `channels.http_protocol.HttpProtocol`."""

    def give_way(self) -> None:
        """Close for another connection."""


class Connections:
    """The connections of one server."""

    def __init__(self, capacity: Capacity, proxies: TrustedProxies, refusals: Refusals) -> None:
        self.refusals = refusals
        self._capacity = capacity
        self._proxies = proxies
        self._address: dict[Connection, str] = {}
        self._of_address: Counter[str] = Counter()
        # Dictionaries keep their order: the first has waited longest.
        self._waiting: dict[Connection, None] = {}
        self._waiting_of: dict[str, dict[Connection, None]] = {}

    def enter(self, connection: Connection, peer: str) -> Place:
        """Take a place for a new connection, which waits; closes another one when that is needed."""
        address = "" if self._proxies.trusts(peer) else self._proxies.client(peer, "")
        if address and self._of_address[address] >= self._capacity.of_an_address:
            self._make_room(self._waiting_of.get(address, {}))
        elif len(self._address) >= self._capacity.connections:
            self._make_room(self._waiting)
        place = Place.FREE
        if address and self._of_address[address] >= self._capacity.of_an_address:
            place = Place.NONE
        if len(self._address) >= self._capacity.connections:
            place = Place.NONE
        if place is Place.NONE:
            self.refusals.count(Reason.CONNECTIONS)
            if len(self._address) >= self._capacity.connections + BEYOND or (
                address and self._of_address[address] >= self._capacity.of_an_address + BEYOND
            ):
                return Place.NONE_AT_ALL
        self._address[connection] = address
        self._of_address[address] += 1
        self.wait(connection)
        return place

    def wait(self, connection: Connection) -> None:
        """Note that the connection waits for (the rest of) a request from now on."""
        address = self._address.get(connection)
        if address is None:
            return
        self.serve(connection)
        self._waiting[connection] = None
        self._waiting_of.setdefault(address, {})[connection] = None

    def serve(self, connection: Connection) -> None:
        """Note that the connection's request is complete: it does not give way."""
        address = self._address.get(connection)
        if address is None or connection not in self._waiting:
            return
        del self._waiting[connection]
        del self._waiting_of[address][connection]
        if not self._waiting_of[address]:
            del self._waiting_of[address]

    def leave(self, connection: Connection) -> None:
        """Give the connection's place back."""
        self.serve(connection)
        address = self._address.pop(connection, None)
        if address is not None:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]

    def counts(self) -> Mapping[str, int]:
        """Return how many connections are open, and may be."""
        return {"open": len(self._address), "most": self._capacity.connections}

    def _make_room(self, waiting: Mapping[Connection, None]) -> None:
        longest = next(iter(waiting), None)
        if longest is not None:
            self.refusals.count(Reason.IDLE)
            self.leave(longest)
            longest.give_way()
