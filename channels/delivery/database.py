"""The connections to the channels' database, and what its stores have in common."""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from channels.delivery.schema import migrate
from channels.delivery.tables import seen
from privacy.scrubber import overwrite_deleted

LOCKED_S = 5.0
"""Seconds that SQLite waits for another process's transaction; then the work is tried again later."""

TRIED_ROWS = 200

WAL_TRIES, WAL_PAUSE_S = 100, 0.05

_SQLITE = {"check_same_thread": False, "timeout": LOCKED_S}

_READING = "covan_reading"
"""Execution option of transactions that only read."""


class Database:
    """Transactions on one database, with the schema of channels/delivery/tables.py."""

    def __init__(self, url: str, clock: Callable[[], float] = time.time) -> None:
        """Raises sqlalchemy.exc.SQLAlchemyError when the database cannot be used."""
        self.now = clock
        # By default SQLAlchemy opens a file anew for each transaction, and SQLite syncs it at each close. The last
        # connection that wrote is the next to write: the others would have to read again what it changed.
        pool = (
            {"poolclass": sa.pool.QueuePool, "pool_use_lifo": True, "connect_args": _SQLITE}
            if url.startswith("sqlite")
            else {"pool_pre_ping": True}
        )
        self.engine = sa.create_engine(url, hide_parameters=True, **pool)
        self._reading = self.engine.execution_options(**{_READING: True})
        if self.engine.dialect.name == "sqlite":
            sa.event.listen(self.engine, "connect", _sqlite_durable)
            sa.event.listen(self.engine, "begin", _sqlite_begin)
        migrate(self.engine)

    def close(self) -> None:
        """Close the connections."""
        self.engine.dispose()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Enter a transaction that writes."""
        with self.engine.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Enter a transaction that only reads: on SQLite another process's write does not hold it up."""
        with self._reading.begin() as connection:
            yield connection

    def try_writing(self) -> None:
        """Write and delete rows: raises what a message would, when the database is locked, full or damaged."""
        tried, at = secrets.token_hex(8), self.now()
        # As much as a long message: the file must have room for new pages.
        rows = [{"channel": "", "event_id": f"{tried}-{number}", "at": at} for number in range(TRIED_ROWS)]
        with self.write() as db:
            db.execute(seen.insert(), rows)
            db.execute(sa.delete(seen).where(seen.c.channel == "", seen.c.event_id.startswith(tried)))


def insert_into(dialect: str, table: sa.Table) -> Any:
    """Return the dialect's own INSERT: only that has ON CONFLICT."""
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)


def of_student(statement: Any, table: sa.Table, channel: str, sender: str) -> Any:
    """Restrict a statement to one student's rows."""
    return statement.where(table.c.channel == channel, table.c.sender == sender)


def new_id(result: sa.CursorResult[Any]) -> int:
    """Return the id of the row that an INSERT has made."""
    key = result.inserted_primary_key
    assert key is not None
    return int(key[0])


def _sqlite_durable(connection: Any, _record: Any) -> None:
    # The driver must not begin transactions by itself: `_sqlite_begin` does.
    connection.isolation_level = None
    cursor = connection.cursor()
    _switch_to_wal(cursor)
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()
    overwrite_deleted(connection)


def _switch_to_wal(cursor: sqlite3.Cursor) -> None:
    """Set WAL, in which readers and a writer go side by side. The file is being switched by another process at times,
    and SQLite does not wait for that."""
    for tries_left in reversed(range(WAL_TRIES)):
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if not tries_left:
                raise
            time.sleep(WAL_PAUSE_S)


def _sqlite_begin(connection: Connection) -> None:
    # A transaction that reads first and writes later fails when another process writes in between.
    reading = connection.get_execution_options().get(_READING, False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
