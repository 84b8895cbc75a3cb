"""Remove the bytes of erased rows from a database while others go on using it, within seconds.

A DELETE leaves bytes behind. SQLite: in the write-ahead log until it is truncated, which a reader holds up; in the
database where it was moved (`privacy.residue`), until VACUUM. PostgreSQL: in the tables' files until they are rewritten
(VACUUM alone frees space without overwriting it); its own log and replicas are beyond reach (docs/van-hanh.md).
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

from privacy.residue import has_residue

logger = logging.getLogger(__name__)

GATHER_S = 1.0
"""Seconds in which further erasures join the first one."""

AGAIN_S = 1.0
LONGEST_PAUSE_S = 30.0
"""Seconds before another try while a reader or a writer is in the way; they double up to the second."""

SQLITE_WAIT_S = 0.2
"""A checkpoint that waits for a reader holds up all writers."""

POSTGRESQL_WAIT = "1s"
"""VACUUM FULL that waits for its lock holds up all that come after it."""

SNAPSHOTS_WAIT_S = 5.0

REWRITE_EVERY_S = 24 * 3600.0
"""PostgreSQL: seconds between two rewritings for rows that were deleted for their age. They expire every hour, and a
rewriting locks a table of 128 MB for seconds."""

REWRITTEN_BYTES = 128 * 1024 * 1024
"""PostgreSQL: a larger table is not rewritten, which would lock it for seconds, but vacuumed."""


_rewritten_at: dict[tuple[str, ...], float] = {}
"""By the address of a database and tables: when this process last rewrote them, by `time.monotonic`. Rasa makes a new
store, with a new scrubber, for each model."""


class BusyError(Exception):
    """A reader or a writer is in the way."""


class Scrubber:
    """Scrubs one database in a thread that lives as long as there is something to scrub."""

    def __init__(self, engine: sa.engine.Engine, tables: Sequence[str]) -> None:
        """`tables` are those with words, for PostgreSQL."""
        self._engine = engine
        self._tables = tables
        self._place = (repr(engine.url), *tables)
        self._words: set[str] = set()
        self._wanted = False
        # A process that was killed may have deleted rows, but not their bytes.
        self._expired = True
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._closing = threading.Event()

    def expired(self) -> None:
        """Note that a transaction has deleted rows for their age; their bytes are removed with the next `erased`."""
        with self._lock:
            self._expired = True

    def erased(self, words: Iterable[str]) -> None:
        """Start removing the bytes of rows that a committed transaction has deleted.

        `words` are the texts of erased rows. Without any, PostgreSQL's tables are rewritten once in `REWRITE_EVERY_S`
        at most.
        """
        with self._lock:
            self._words.update(words)
            self._wanted = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="scrubber", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Make a last try for what is left, and end."""
        self._closing.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        pause = AGAIN_S
        self._closing.wait(GATHER_S)
        while (words := self._next()) is not None:
            last = self._closing.is_set()
            try:
                self._scrub(words)
                pause = AGAIN_S
                continue
            except (BusyError, sa.exc.OperationalError, OSError) as error:
                logger.info("Erased rows are still in the database's files: %s", type(error).__name__)
            except Exception:  # the thread must survive a fault of its own, or the words stay
                logger.exception("Erased rows could not be removed from the database's files.")
            with self._lock:
                self._words |= words
                self._wanted = True
                if last:
                    self._thread = None
                    return
            self._closing.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    def _next(self) -> set[str] | None:
        with self._lock:
            if not self._wanted:
                self._thread = None
                return None
            words, self._words, self._wanted = self._words, set(), False
            return words

    def _scrub(self, words: set[str]) -> None:
        if self._engine.dialect.name == "sqlite":
            file = Path(self._engine.url.database or "")
            if file.is_file():
                self._scrub_sqlite(file, words)
        elif self._engine.dialect.name == "postgresql" and (words or self._is_due()):
            with self._lock:
                self._expired = False
            try:
                self._rewrite_postgresql()
            except BaseException:
                self.expired()
                raise
            _rewritten_at[self._place] = time.monotonic()

    def _is_due(self) -> bool:
        last = _rewritten_at.get(self._place)
        return self._expired and (last is None or time.monotonic() - last >= REWRITE_EVERY_S)

    def _scrub_sqlite(self, file: Path, words: set[str]) -> None:
        # A connection of its own: that of the engine may be in a transaction, or wait longer.
        with closing(sqlite3.connect(file, timeout=SQLITE_WAIT_S, isolation_level=None)) as connection:
            overwrite_deleted(connection)
            _truncate_log(connection)
            if words and has_residue(file, words):
                began = time.monotonic()
                connection.execute("VACUUM")
                _truncate_log(connection)
                logger.info(
                    "%s was rewritten in %.1f s after an erasure.", file.name, time.monotonic() - began
                )

    def _rewrite_postgresql(self) -> None:
        autocommit = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        with autocommit.connect() as connection:
            _wait_for_older_snapshots(connection)
            connection.exec_driver_sql(f"SET lock_timeout = '{POSTGRESQL_WAIT}'")
            try:
                for table in self._tables:
                    size = connection.execute(
                        sa.text("SELECT pg_total_relation_size(:name)"), {"name": table}
                    )
                    rewritten = "FULL" if size.scalar_one() <= REWRITTEN_BYTES else "TRUNCATE"
                    connection.exec_driver_sql(f'VACUUM ({rewritten}) "{table}"')
            finally:
                connection.exec_driver_sql("RESET lock_timeout")


def overwrite_deleted(connection: sqlite3.Connection) -> None:
    """Make an SQLite connection overwrite what it deletes, also where SQLite was built without that default."""
    connection.execute("PRAGMA secure_delete = ON")


def _wait_for_older_snapshots(connection: sa.engine.Connection) -> None:
    """Return when no transaction sees the erased rows any longer: VACUUM keeps what one may read. Raises BusyError."""
    now = connection.exec_driver_sql("SELECT txid_current()::text::xid::text").scalar_one()
    older = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        " AND datname = current_database() AND age(backend_xmin) > age(CAST(:now AS xid))"
    )
    ends = time.monotonic() + SNAPSHOTS_WAIT_S
    while connection.execute(older, {"now": now}).scalar_one():
        if time.monotonic() > ends:
            raise BusyError
        time.sleep(0.1)


def _truncate_log(connection: sqlite3.Connection) -> None:
    """Move the write-ahead log into the database and empty its file. Raises BusyError."""
    busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise BusyError
