"""Free ports, and the processes on busy ones."""

from __future__ import annotations

import socket
from collections.abc import Collection
from dataclasses import dataclass

import psutil

from rag.errors import SettingsError

HIGHEST_PORT = 65_535
TRIES = 100
"""Ports after the wanted one that are tried."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that listens on a port."""

    pid: int
    name: str

    def __str__(self) -> str:
        return f"{self.name} (process {self.pid})"


def is_free(host: str, port: int) -> bool:
    """Return whether a server could listen on the port now."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            # Servers set this too: a port whose last connections are still closing is free for them.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError:
        return False
    return True


def holder(port: int) -> Holder | None:
    """Return the process that listens on the port, when the system tells (macOS tells only the administrator)."""
    try:
        for connection in psutil.net_connections(kind="tcp"):
            if (
                connection.status == psutil.CONN_LISTEN
                and connection.laddr
                and connection.laddr.port == port
                and connection.pid
            ):
                return Holder(connection.pid, psutil.Process(connection.pid).name())
    except (psutil.Error, OSError):
        pass
    return None


def next_free(host: str, port: int, taken: Collection[int] = ()) -> int:
    """Return the first free port after `port` that is not in `taken`.

    Raises SettingsError when there is none among the next hundred.
    """
    for candidate in range(port + 1, min(port + TRIES, HIGHEST_PORT) + 1):
        if candidate not in taken and is_free(host, candidate):
            return candidate
    raise SettingsError(f"no free port between {port + 1} and {port + TRIES} on {host}; choose one yourself")
