"""The engine of the console's database: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from console.schema import migrate

LOCKED_S = 10.0
"""Seconds that SQLite waits for another transaction."""


def open_database(url: str) -> sa.Engine:
    """Return an engine on a database with this release's schema. Raises sqlalchemy.exc.SQLAlchemyError."""
    engine = engine_of(url)
    migrate(engine)
    return engine


def engine_of(url: str) -> sa.Engine:
    """Return an engine whose errors hold no values of statements."""
    if not url.startswith("sqlite"):
        return sa.create_engine(url, hide_parameters=True, pool_pre_ping=True)
    arguments = {"check_same_thread": False, "timeout": LOCKED_S}
    engine = sa.create_engine(url, hide_parameters=True, poolclass=sa.pool.QueuePool, connect_args=arguments)
    sa.event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()
    # SQLite's own knows the letters of ASCII alone.
    connection.create_function("lower", 1, _lower, deterministic=True)
    # PostgreSQL has this one.
    connection.create_function("translate", 3, _translate, deterministic=True)


def _lower(text: Any) -> Any:
    return text.lower() if isinstance(text, str) else text


def _translate(text: Any, letters: str, others: str) -> Any:
    return text.translate(_table(letters, others)) if isinstance(text, str) else text


@lru_cache(maxsize=8)
def _table(letters: str, others: str) -> Mapping[int, int]:
    return str.maketrans(letters, others)
