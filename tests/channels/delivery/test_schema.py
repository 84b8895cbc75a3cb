"""The database's schema: new, from the release before migrations, and by several processes at once."""

from __future__ import annotations

import json
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from real_postgres import RealPostgres

from channels.delivery import schema
from channels.delivery.incoming import Incoming, TextInput
from channels.delivery.schema import VERSION_TABLE
from channels.delivery.store import Store
from channels.delivery.tables import metadata, traces
from rag.settings import Settings

BEFORE_MIGRATIONS = Path(__file__).with_name("before_migrations.sql")
"""A dump of a SQLite database of the release before migrations, with a student's turn that waits."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'channels.sqlite'}"
    return str(request.getfixturevalue("postgres").new_database())


def differences(url: str) -> list[object]:
    """Return the differences between the database and channels/delivery/tables.py."""
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        found: list[object] = compare_metadata(context, metadata)
    engine.dispose()
    return found


def test_the_migrations_end_at_the_tables_of_the_code(url: str) -> None:
    Store(url).close()

    assert differences(url) == []


@pytest.mark.services
def test_fault_14_a_database_is_opened_and_migrated_with_any_password(postgres: RealPostgres) -> None:
    user, place, name = postgres.new_database_with_password("p@ss:w/o%rd#?&'1")
    written = Settings(channels_db=f"postgresql://{user}:p@ss:w/o%rd#?&'1@{place}/{name}").channels_database
    store = Store(written)
    store.incoming.accept("web", [Incoming("event-1", "an", TextInput("học phí?"))])

    assert store.work.next("web", "an")[1] is not None
    store.close()
    assert differences(written) == []


def test_fault_14_covan_may_stand_in_a_folder_with_a_percent_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "100%(x)s"
    shutil.copytree(Path(schema.__file__).with_name("migrations"), folder / "migrations")
    monkeypatch.setattr(schema, "__file__", str(folder / "schema.py"))

    Store(f"sqlite:///{tmp_path / 'channels.sqlite'}").close()


def test_a_database_of_the_release_before_is_migrated_with_its_content(tmp_path: Path) -> None:
    file = tmp_path / "channels.sqlite"
    with sqlite3.connect(file) as before:
        before.executescript(BEFORE_MIGRATIONS.read_text(encoding="utf-8"))
    before.close()

    store = Store(f"sqlite:///{file}")
    _, turn = store.work.next("web", "an")
    history = store.conversations.history("web", "an", None, 10)
    repeated = store.incoming.accept("web", [Incoming("event-1", "an", TextInput("x"))])
    store.close()

    assert differences(f"sqlite:///{file}") == []
    assert turn is not None
    assert turn.content == TextInput("học phí?")
    assert [message.text for message in history] == ["học phí?"]
    assert not repeated.senders, "a delivery that was accepted before is still known"


def test_small_talk_that_was_stored_as_a_refusal_becomes_talk(url: str) -> None:
    store = Store(url)
    reasons = {"hihi": ["small_talk"], "?": ["empty_question"], "Có hồ bơi không?": ["nothing_found"]}
    told = {"at": 1.0, "source": "none", "topic": "", "intent": "", "confidence": 0.1, "answer_id": ""}
    with store.database.write() as db:
        for turn, (typed, why) in enumerate(reasons.items()):
            of = {"channel": "web", "sender": "an", "turn_id": turn, "question": typed, **told}
            trace = json.dumps({"reasons": why, "normalized": '"reasons": ["small_talk"]'})
            db.execute(traces.insert().values(**of, decision="no_answer", trace=trace))
        db.execute(sa.text("ALTER TABLE channel_turns DROP COLUMN passed_on"))
        db.execute(sa.text(f"UPDATE {VERSION_TABLE} SET version_num = '0008'"))
    store.close()

    store = Store(url)
    with store.database.read() as db:
        found = {row.question: row.decision for row in db.execute(sa.select(traces))}
    store.close()

    assert found == {"hihi": "", "?": "", "Có hồ bơi không?": "no_answer"}
    assert differences(url) == []


def test_processes_that_start_together_do_not_disturb_each_other(url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        for store in list(pool.map(lambda _: Store(url), range(4))):
            store.close()

    assert differences(url) == []
