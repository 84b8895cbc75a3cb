"""Fault 11: what Rasa tells of itself, of the action server and of its store, in bounded time."""

import asyncio
import sqlite3
import time
from contextlib import closing
from types import SimpleNamespace

import pytest
from aiohttp import web
from rasa.shared.core.domain import Domain
from rasa.shared.core.events import UserUttered
from rasa.shared.exceptions import RasaException
from rasa.utils.endpoints import EndpointConfig
from served import served

from server import health_check, tracker_store
from server.tracker_store import WindowTrackerStore

DOMAIN = Domain.empty()
GENEROUS_S = 20


class Processor:
    """Rasa's message processor, with a bot that takes its time."""

    def __init__(self, takes_s=0.0, replies=True):
        self.takes_s, self.replies, self.asked = takes_s, replies, []

    async def _handle_message_with_tracker(self, message, tracker):
        self.asked.append(message.text)
        tracker.update(UserUttered(message.text, {"name": "ask"}))

    async def run_action_extract_slots(self, output, tracker):
        return tracker

    async def _run_prediction_loop(self, output, tracker):
        await asyncio.sleep(self.takes_s)
        if self.replies:
            await output.send_text_message(tracker.sender_id, "a reply")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "tracker.sqlite"


@pytest.fixture
def store(file):
    return WindowTrackerStore(domain=DOMAIN, dialect="sqlite", db=str(file))


def actions(answer, status=200, takes_s=0.0):
    """An action server's health."""

    async def health(_request):
        await asyncio.sleep(takes_s)
        return web.json_response(answer, status=status)

    app = web.Application()
    app.router.add_get("/health", health)
    return served(app)


READY = {"status": "ok", "index": "1", "problem": ""}


def checked(url, store, processor, answering=False):
    agent = SimpleNamespace(
        tracker_store=store,
        processor=processor,
        action_endpoint=EndpointConfig(f"{url}/webhook"),
        domain=DOMAIN,
    )
    return asyncio.run(asyncio.wait_for(health_check.check(agent, answering), GENEROUS_S))


def rows(file):
    with closing(sqlite3.connect(file)) as database:
        return [
            database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("events", "conversation_windows")
        ]


def test_a_question_goes_through_and_leaves_nothing_behind(file, store):
    processor = Processor()
    with actions(READY) as url:
        told = checked(url, store, processor)

    assert told == {"actions": READY, "question": True, "store": "", "tidied_at": None}
    assert processor.asked == [health_check.QUESTION]
    assert rows(file) == [0, 0]


def test_fault_11_a_frozen_action_server_is_told_in_time_and_asked_nothing_more(store):
    processor = Processor()
    began = time.monotonic()
    with actions(READY, takes_s=GENEROUS_S) as url:
        told = checked(url, store, processor)

    assert (told["actions"]["status"], told["question"]) == ("silent", False)
    assert processor.asked == []
    assert time.monotonic() - began < GENEROUS_S / 2


def test_fault_11_an_index_that_cannot_be_opened_is_told_with_its_reason(store):
    loading = {"status": "loading", "problem": "There is no index"}
    with actions(loading, status=503) as url:
        told = checked(url, store, Processor())

    assert (told["actions"], told["question"]) == (loading, False)


def test_fault_11_a_question_without_a_reply_is_told(store):
    with actions(READY) as url:
        assert not checked(url, store, Processor(replies=False))["question"]


@pytest.mark.parametrize("answering", [True, False])
def test_fault_11_a_question_that_hangs_is_a_fault_unless_turns_are_being_answered(
    store, monkeypatch, answering
):
    monkeypatch.setattr(health_check, "QUESTION_WITHIN_S", 0.2)
    with actions(READY) as url:
        assert checked(url, store, Processor(takes_s=GENEROUS_S), answering)["question"] is answering


def test_fault_11_conversations_in_memory_alone_are_told():
    with actions(READY) as url:
        assert "memory only" in checked(url, object(), Processor())["store"]


def test_fault_11_a_full_disk_under_the_tracker_store_is_told(store, monkeypatch):
    connect = sqlite3.connect

    def full(*args, **kwargs):
        connection = connect(*args, **kwargs)
        # SQLite takes no page more, as on a full disk: SQLITE_FULL.
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    assert store.fault(1.0) == ""
    # What was deleted leaves pages to be used again.
    with closing(connect(str(store.engine.url.database))) as database:
        database.execute("VACUUM")
    monkeypatch.setattr(tracker_store.sqlite3, "connect", full)

    assert store.fault(1.0) == "database or disk is full"


def test_fault_11_a_locked_tracker_database_is_told(file, store):
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert store.fault(0.2) == "database is locked"
        other.execute("ROLLBACK")
    assert store.fault(0.2) == ""


def test_fault_11_a_damaged_tracker_database_is_told(file, store):
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.engine.dispose()
    whole = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(b"\xff" * (whole - 4096))

    assert "malformed" in store.fault(0.2)


def test_fault_11_a_damaged_tracker_database_at_the_start_is_named_with_the_way_back(file):
    file.write_bytes(b"no database at all, but long enough for its header" * 100)

    with pytest.raises(RasaException) as raised:
        WindowTrackerStore(domain=DOMAIN, dialect="sqlite", db=str(file))

    assert str(file) in str(raised.value)
    assert "backup" in str(raised.value)
