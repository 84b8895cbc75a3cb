"""Databases with all tables and no rows: migrated once for a process, and copied for each test."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from channels.delivery.database import Database
from console.database import open_database


def channels_database(file: Path) -> str:
    """Write the channels' database to `file`; return its address."""
    file.write_bytes(_made(_make_channels))
    return f"sqlite:///{file}"


def console_database(file: Path) -> str:
    """Write the console's database to `file`; return its address."""
    file.write_bytes(_made(_make_console))
    return f"sqlite:///{file}"


def _make_channels(url: str) -> None:
    Database(url).close()


def _make_console(url: str) -> None:
    open_database(url).dispose()


@cache
def _made(make: Callable[[str], None]) -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "made.sqlite"
        make(f"sqlite:///{file}")
        return file.read_bytes()
