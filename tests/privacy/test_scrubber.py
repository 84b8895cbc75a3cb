"""The bytes of erased rows are gone from an SQLite database while others use it."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from words_in_files import files_with

from privacy.residue import PIECE, has_residue, pieces
from privacy.scrubber import Scrubber, overwrite_deleted

DEADLINE_S = 20.0
SECRET = "điều không ai được đọc nữa"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "some.sqlite"


@pytest.fixture
def own(file: Path) -> Iterator[sqlite3.Connection]:
    """The connection that writes."""
    with closing(connected(file)) as connection:
        connection.execute("PRAGMA secure_delete = OFF")  # SQLite's default, which distributions change
        overwrite_deleted(connection)
        connection.execute("CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT)")
        yield connection


def connected(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    return connection


@pytest.fixture
def scrubber(file: Path) -> Iterator[Scrubber]:
    scrubber = Scrubber(sa.create_engine(f"sqlite:///{file}"), ["words"])
    yield scrubber
    scrubber.close()


def found(file: Path, text: str = SECRET) -> bool:
    return bool(files_with([text], file.parent))


def gone_in_time(file: Path) -> bool:
    ends = time.monotonic() + DEADLINE_S
    while found(file) and time.monotonic() < ends:
        time.sleep(0.05)
    return not found(file)


def test_fault_2_erased_words_are_gone_from_log_and_database(
    file: Path, own: sqlite3.Connection, scrubber: Scrubber
) -> None:
    own.executemany("INSERT INTO words (text) VALUES (?)", [(SECRET,), ("other",)])
    own.execute("DELETE FROM words WHERE id = 1")
    assert found(file)

    scrubber.erased([SECRET])

    assert gone_in_time(file)
    assert own.execute("SELECT text FROM words").fetchall() == [("other",)]


def test_fault_2_a_reader_delays_it_and_prevents_nothing(
    file: Path, own: sqlite3.Connection, scrubber: Scrubber
) -> None:
    own.execute("INSERT INTO words (text) VALUES (?)", (SECRET,))
    with closing(connected(file)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM words").fetchone() == (1,)
        own.execute("DELETE FROM words")
        scrubber.erased([SECRET])
        time.sleep(2.0)
        assert found(file)
        began = time.monotonic()
        own.execute("INSERT INTO words (text) VALUES ('written meanwhile')")
        assert time.monotonic() - began < 1.0
        reader.execute("COMMIT")

        assert gone_in_time(file)


def test_fault_2_writers_go_on_meanwhile(file: Path, own: sqlite3.Connection, scrubber: Scrubber) -> None:
    ending = threading.Event()
    written = []

    def write() -> None:
        with closing(connected(file)) as other:
            while not ending.is_set():
                other.execute("INSERT INTO words (text) VALUES ('of another')")
                written.append(1)
                time.sleep(0.005)

    writing = threading.Thread(target=write)
    writing.start()
    try:
        own.execute("INSERT INTO words (text) VALUES (?)", (SECRET,))
        own.execute("DELETE FROM words WHERE text = ?", (SECRET,))
        scrubber.erased([SECRET])
        assert gone_in_time(file)
    finally:
        ending.set()
        writing.join()
    assert own.execute("SELECT count(*) FROM words").fetchone() == (len(written),)
    assert own.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_fault_2_a_copy_that_sqlite_left_when_it_moved_a_row_is_removed(file: Path) -> None:
    with closing(connected(file)) as connection:
        connection.execute("CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT)")
        connection.execute("INSERT INTO words (text) VALUES ('other')")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as opened:
        # The middle of the table's page, between its one cell and the pointer to it.
        opened.seek(size + size // 2)
        opened.write(SECRET.encode()[5:])
    assert has_residue(file, [SECRET])
    assert not has_residue(file, ["something else", "other"])
    engine = sa.create_engine(f"sqlite:///{file}")
    scrubber = Scrubber(engine, ["words"])
    with engine.connect() as reader:
        assert reader.exec_driver_sql("SELECT text FROM words").scalar_one() == "other"

    scrubber.erased([SECRET])

    scrubber.close()
    assert not found(file, SECRET[5:])
    with engine.connect() as reader:
        assert reader.exec_driver_sql("SELECT text FROM words").scalar_one() == "other"


def test_fault_2_an_end_does_not_wait_for_a_reader(
    file: Path, own: sqlite3.Connection, scrubber: Scrubber
) -> None:
    own.execute("INSERT INTO words (text) VALUES (?)", (SECRET,))
    with closing(connected(file)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM words").fetchall()
        scrubber.erased([SECRET])
        began = time.monotonic()
        scrubber.close()
        assert time.monotonic() - began < 5.0


def test_a_long_text_is_looked_for_in_pieces_and_as_json_writes_it() -> None:
    assert "học phí".encode() in pieces(["học phí"])
    assert rb"h\u1ecdc ph\u00ed"[:PIECE] in pieces(["học phí"])
    assert pieces(["a" * PIECE + "b" * PIECE]) == (b"a" * PIECE, b"b" * PIECE)
    assert pieces(["ok", ""]) == ()
