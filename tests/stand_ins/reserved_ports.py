"""Ports for the servers of tests and benchmarks, each reserved for one process of this machine."""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

from covan.ports import is_free

HOST = "127.0.0.1"
PORTS = range(20_000, 32_000)
"""Below the ports that systems give to outgoing connections: from 32768 on Linux, from 49152 on macOS."""

LOCK_FILE = "covan-reserved-ports.lock"


def reserve_port() -> int:
    """Return a port on which nothing listens, and which no other process gets from here while this one lives.

    A process never gets the same port twice. Raises RuntimeError when all are taken.
    """
    for port in _candidates():
        if _lock(port) and is_free(HOST, port):
            return port
    raise RuntimeError(f"no free port between {PORTS.start} and {PORTS.stop - 1}")


@cache
def _candidates() -> Iterator[int]:
    return iter(PORTS)


@cache
def _lock_file() -> BinaryIO:
    # The system releases the locks of a process that ends, however it ends.
    return (Path(tempfile.gettempdir()) / LOCK_FILE).open("ab")


def _lock(port: int) -> bool:
    """Lock the byte of the file that stands for the port."""
    try:
        fcntl.lockf(_lock_file(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except OSError:
        return False
    return True
