"""The delivery withstands each fault that a hostile night found in it; a test has the name of its fault."""

import asyncio
import contextlib
import json
import logging
import sqlite3
import time
from functools import partial

import httpx
import pytest
import sqlalchemy as sa
from answerers import Answerer
from front_door_server import NO_RASA, open_front_door
from sqlalchemy.exc import OperationalError
from wire import Wire, until_within
from words_in_files import files_with

from channels.delivery import delivery_worker, intake
from channels.delivery.changes import InProcess
from channels.delivery.delivery_worker import DeliveryWorker, StoreBusyError
from channels.delivery.draft import Draft
from channels.delivery.incoming import Incoming, TextInput
from channels.delivery.incoming_store import IncomingStore
from channels.delivery.intake import STORED_WITHIN_S
from channels.delivery.message_rate import MESSAGES_PER_MINUTE
from channels.delivery.platform import TryAgainError
from channels.delivery.store import Store
from channels.front_door import FrontDoor
from privacy.wordless_logs import leave_words_out
from rag.settings import Settings

DEADLINE_S = 40
until = partial(until_within, DEADLINE_S)
SECRET = "a secret of 32 letters and digits"


class Echo(Answerer):
    async def answer(self, channel, sender, turn, typing):
        return [Draft(f"re: {turn.content.text}")]


class Clock:
    """The time, which can be set back."""

    def __init__(self):
        self.offset = 0.0

    def __call__(self):
        return time.time() + self.offset


def typed(number, text="a"):
    return Incoming(f"event-{number}", "an", TextInput(text))


def worker(url, clock=time.time):
    delivery = DeliveryWorker(Settings(channels_db=url), Store(url, clock), InProcess(), clock=clock)
    delivery.answering = Echo()
    return delivery


@pytest.fixture
def file(tmp_path):
    return tmp_path / "channels.sqlite"


@pytest.fixture
def url(file):
    return f"sqlite:///{file}"


def test_fault_1_a_message_whose_end_and_release_both_failed_is_answered_by_the_same_process(
    url, monkeypatch
):
    monkeypatch.setattr(delivery_worker, "LOOK_EVERY_S", 0.3)
    monkeypatch.setattr(delivery_worker, "ALIVE_EVERY_S", 0.1)
    broken = True

    def fails_while_broken(method):
        def whole(*args):
            if broken:
                raise OperationalError("UPDATE", {}, sqlite3.OperationalError("disk I/O error"))
            return method(*args)

        return whole

    async def talk():
        nonlocal broken
        wire, delivery = Wire(), worker(url)
        store = delivery.store
        for part, name in ((store.replies, "finish"), (store.work, "release")):
            monkeypatch.setattr(part, name, fails_while_broken(getattr(part, name)))
        await delivery.open(wire)
        await delivery.accept("wire", [typed(1)])
        # Long enough for the lease to be renewed, were it still renewed.
        await asyncio.sleep(1.0)
        assert not wire.sent
        broken = False
        mended = time.monotonic()
        await until(lambda: wire.sent)
        assert time.monotonic() - mended < 10
        await delivery.close("wire")
        assert wire.sent == ["re: a"]

    asyncio.run(talk())


def test_a_reply_whose_sending_could_not_be_noted_is_not_sent_twice(url, monkeypatch):
    monkeypatch.setattr(delivery_worker, "LOOK_EVERY_S", 0.1)
    failed = []

    async def talk():
        wire, delivery = Wire(), worker(url)
        replies = delivery.store.replies
        mark = replies.mark

        def fails_twice(*args, **kwargs):
            if len(failed) < 2:
                failed.append(args)
                raise OperationalError("UPDATE", {}, sqlite3.OperationalError("server closed the connection"))
            mark(*args, **kwargs)

        monkeypatch.setattr(replies, "mark", fails_twice)
        await delivery.open(wire)
        await delivery.accept("wire", [typed(1)])
        await until(lambda: wire.sent and not replies.on_its_way("wire", "an"))
        await delivery.accept("wire", [typed(2, "b")])
        await until(lambda: wire.sent[-1] == "re: b")
        await delivery.close("wire")
        assert len(failed) == 2
        assert wire.sent == ["re: a", "re: b"]

    asyncio.run(talk())


def test_fault_1_a_lease_that_nobody_serves_ends_by_itself(url):
    clock = Clock()
    store = Store(url, clock)
    store.incoming.accept("wire", [typed(1)])
    assert store.work.hold("wire", "an", "one")
    clock.offset += 20.0
    store.work.still_here("one", [])
    assert store.work.waiting("wire", "two") == []
    clock.offset += 15.0

    assert store.work.waiting("wire", "two") == ["an"]
    assert store.work.hold("wire", "an", "two")
    store.close()


SECRET_WORDS = ("mã số của em là B2104567", "em bị trầm cảm ạ")


def holds(folder, *texts):
    """Whether a file below the folder holds one of the texts, as they are or as JSON writes them."""
    return bool(files_with([form for text in texts for form in (text, json.dumps(text)[1:-1])], folder))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def database(request, tmp_path):
    """The address of a database, and the folder of its files."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'channels.sqlite'}", tmp_path
    postgres = request.getfixturevalue("postgres")
    return postgres.new_database(), postgres.table_files


def test_fault_2_erased_words_are_in_no_file_of_the_database_while_it_is_used(database):
    url, folder = database

    async def talk():
        wire, delivery = Wire(), worker(url)
        other = Store(url)
        await delivery.open(wire)
        for number, text in enumerate(SECRET_WORDS * 3):
            await delivery.accept("wire", [typed(number, text)])
            await delivery.accept("wire", [Incoming(f"other-{number}", "binh", TextInput("of another"))])
        request = {"question": SECRET_WORDS[0], "topic": "study"}
        await delivery.run(delivery.store.hand_overs.open, "wire", "an", request, False, None)
        await until(lambda: len(wire.sent) == 12 and not delivery._tasks)
        on_disk(url)
        assert holds(folder, *SECRET_WORDS)

        await delivery.erase("wire", "an")

        # Another process reads and writes on.
        async def gone():
            other.incoming.accept("wire", [Incoming(f"later-{time.monotonic()}", "binh", TextInput("later"))])
            other.conversations.history("wire", "binh", None, 50)
            on_disk(url)
            return not await asyncio.to_thread(holds, folder, *SECRET_WORDS)

        ends = time.monotonic() + DEADLINE_S
        while not await gone():
            assert time.monotonic() < ends
            await asyncio.sleep(0.5)
        await delivery.close("wire")
        assert other.conversations.history("wire", "an", None, 50) == []
        assert other.conversations.history("wire", "binh", None, 50)[0].text == "of another"
        other.close()

    asyncio.run(talk())


def on_disk(url):
    """Make PostgreSQL write what it keeps in memory."""
    if url.startswith("postgresql"):
        engine = sa.create_engine(
            url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT"
        )
        with engine.connect() as connection:
            connection.exec_driver_sql("CHECKPOINT")
        engine.dispose()


@contextlib.contextmanager
def locked(file):
    """Another program holds the database."""
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.store_limit
def test_fault_5_a_locked_database_is_a_503_in_time_and_holds_nothing_else_up(file, url):
    async def test():
        door = FrontDoor(Settings(channels_db=url, web_secret=SECRET, rasa_urls=NO_RASA))
        door.delivery.answering = Echo()
        async with (
            open_front_door(door) as address,
            httpx.AsyncClient(base_url=address, trust_env=False, timeout=DEADLINE_S) as client,
        ):
            session = await client.post("/webhooks/web/session", json={})
            client.headers["Authorization"] = f"Bearer {session.json()['token']}"
            message = {"id": "client-id-0001", "text": "xin chào"}
            with locked(file):
                began = time.monotonic()
                writing = asyncio.create_task(client.post("/webhooks/web/messages", json=message))
                await asyncio.sleep(0.1)
                history = await client.get("/webhooks/web/messages")
                school = await client.get("/api/school")
                at_once = time.monotonic() - began
                refused = await writing
                took = time.monotonic() - began
                health = await client.get("/api/health")
            assert (history.status_code, school.status_code) == (200, 200)
            assert at_once < 1.0
            assert (refused.status_code, refused.json()["error"]) == (503, "unavailable")
            assert int(refused.headers["retry-after"]) > 0
            assert STORED_WITHIN_S <= took < STORED_WITHIN_S + 1.0
            assert (health.status_code, health.json()["database"]) == (503, False)

            async def taken():
                return (await client.post("/webhooks/web/messages", json=message)).status_code == 202

            while not await taken():
                await asyncio.sleep(0.2)
            assert door.health.report()["database"]
            said = []
            while len(said) < 2:
                said = [
                    each["text"] for each in (await client.get("/webhooks/web/messages")).json()["messages"]
                ]
                await asyncio.sleep(0.1)
            await asyncio.sleep(0.5)
            assert said == ["xin chào", "re: xin chào"]

    asyncio.run(asyncio.wait_for(test(), DEADLINE_S))


def test_fault_7_a_clock_that_is_set_back_drops_no_message(url):
    clock = Clock()
    store = Store(url, clock)
    store.incoming.accept("wire", [typed(number) for number in range(MESSAGES_PER_MINUTE)])
    clock.offset -= 3600.0

    accepted = store.incoming.accept("wire", [typed("after", "b")])

    assert (accepted.senders, accepted.too_fast) == (("an",), ())
    store.close()


def test_fault_7_who_is_too_fast_after_the_clock_was_set_back_is_told(url):
    clock = Clock()
    store = Store(url, clock)
    flood = [typed(number) for number in range(MESSAGES_PER_MINUTE + 1)]
    assert store.incoming.accept("wire", flood).too_fast == ("an",)
    clock.offset -= 3600.0
    again = [typed(f"again-{number}") for number in range(MESSAGES_PER_MINUTE + 1)]

    assert store.incoming.accept("wire", again).too_fast == ("an",)
    store.close()


def test_fault_7_a_lease_from_the_future_holds_nobody_up(url):
    clock = Clock()
    store = Store(url, clock)
    store.incoming.accept("wire", [typed(1)])
    assert store.work.hold("wire", "an", "one")
    clock.offset -= 3600.0

    assert store.work.hold("wire", "an", "two")
    store.close()


def test_fault_7_a_call_that_was_put_off_before_the_clock_was_set_back_is_sent(url):
    async def talk():
        clock = Clock()
        wire, delivery = Wire(), worker(url, clock)
        wire.trouble = [TryAgainError("busy", 1.0)]
        await delivery.open(wire)
        await delivery.accept("wire", [typed(1)])
        await until(lambda: not wire.trouble)
        clock.offset -= 30 * 24 * 3600.0
        await until(lambda: wire.sent)
        await delivery.close("wire")

    asyncio.run(talk())


def test_what_is_said_right_after_an_erasure_is_sent(url):
    async def talk():
        wire, delivery = Wire(), worker(url)
        await delivery.open(wire)
        await delivery.accept("wire", [typed(1)])
        await until(lambda: wire.sent and not delivery._tasks)
        await delivery.erase("wire", "an")
        await delivery.say("wire", "an", [Draft("erased")])
        await until(lambda: len(wire.sent) == 2)
        await delivery.close("wire")

    asyncio.run(talk())


def test_a_burst_is_waited_for_while_the_database_moves(url, monkeypatch):
    async def talk():
        accept_all = IncomingStore.accept_all

        def slow(store, deliveries):
            time.sleep(0.2)
            return accept_all(store, deliveries)

        monkeypatch.setattr(IncomingStore, "accept_all", slow)
        monkeypatch.setattr(intake, "MOST_TOGETHER", 1)
        delivery = worker(url)
        await delivery.open(Wire())
        await asyncio.gather(*(delivery.accept("wire", [typed(number)]) for number in range(12)))
        assert delivery.fault is None
        await delivery.close("wire")

    asyncio.run(talk())


class Failing(Answerer):
    """Fails with the student's words in its exception, as `KeyError` does."""

    async def answer(self, channel, sender, turn, typing):
        raise KeyError(turn.content.text)


@pytest.mark.store_limit
def test_fault_13_no_log_holds_a_students_words_after_faults(file, url, caplog, monkeypatch):
    monkeypatch.setattr(logging, "_logRecordFactory", logging.getLogRecordFactory())
    leave_words_out()
    caplog.set_level(logging.DEBUG)
    words = SECRET_WORDS[0]

    async def talk():
        wire, delivery = Wire(), worker(url)
        await delivery.open(wire)
        with locked(file), pytest.raises(StoreBusyError):
            await delivery.accept("wire", [typed(1, words)])
        delivery.answering = Failing()
        wire.trouble = [ValueError(words)]
        await delivery.accept("wire", [typed(2, words)])
        await until(lambda: wire.sent)
        await delivery.close("wire")

    asyncio.run(talk())

    store = Store(url)
    with store.database.engine.connect() as connection, pytest.raises(sa.exc.DBAPIError) as failed:
        connection.execute(sa.text("INSERT INTO nowhere VALUES (:words)"), {"words": words})
    store.close()
    assert words not in str(failed.value)
    assert "KeyError" in caplog.text
    assert words not in caplog.text
