"""What is said is kept as long as the school says, and what still waits for longer."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Iterator
from functools import partial

import pytest
import sqlalchemy as sa
from answerers import Answerer
from wire import Wire, until_within
from words_in_files import files_with

from channels.delivery import delivery_worker, retention
from channels.delivery.changes import InProcess
from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.draft import Draft
from channels.delivery.incoming import Incoming, TextInput
from channels.delivery.message import ADVISOR
from channels.delivery.store import Store
from channels.delivery.tables import HELD, OF_SENDER, REFUSED, SENT, hand_overs, seen
from privacy import scrubber
from rag.settings import Settings

DAY_S = 24 * 3600.0
_numbers = itertools.count()
until = partial(until_within, 30)


class Clock:
    """The time, which the test moves."""

    def __init__(self) -> None:
        self.offset = 0.0

    def __call__(self) -> float:
        return time.time() + self.offset


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def url(request: pytest.FixtureRequest, tmp_path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'channels.sqlite'}"
    return request.getfixturevalue("postgres").new_database()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    opened = Store(url, clock)
    yield opened
    opened.close()


def one_call(message, address):
    return [{"text": message.text}]


def talk(store: Store, sender: str, text: str, state: str = SENT) -> int:
    """Store a question of a student with its answer, whose call ends in a state; return the answer's id."""
    store.incoming.accept("wire", [Incoming(f"delivery-{next(_numbers)}", sender, TextInput(text))])
    turn = store.work.next("wire", sender)[1]
    (answer,) = store.replies.finish(
        "wire", sender, turn, [Draft(f"re: {text}", answer_id="a", buttons=[("more", "/more")])], one_call
    )
    call = store.work.next("wire", sender)[0]
    store.replies.mark(call.id, state)
    return answer.id


def tidied(store: Store, days: float = 180.0) -> int:
    """Tidy to the end; return the number of transactions that deleted something."""
    steps = 0
    while store.deletion.tidy(days):
        steps += 1
    return steps


def texts(store: Store, sender: str) -> list[str]:
    return [message.text for message in store.conversations.history("wire", sender, None, 50)]


def rows(store: Store) -> dict[str, int]:
    with store.database.engine.connect() as connection:
        return {
            table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in (*OF_SENDER, seen)
        }


def test_fault_12_nothing_of_a_student_who_left_long_ago_is_kept(store, clock):
    answer = talk(store, "an", "old")
    assert store.conversations.rate("wire", "an", answer, False, "wrong")
    hand_over = store.hand_overs.open("wire", "an", {"question": "old"}, False, None)
    assert store.notes.add(hand_over, "co Lan", "about the old question")
    assert store.hand_overs.close(hand_over, "co Lan")
    clock.offset += 179 * DAY_S
    tidied(store)
    assert texts(store, "an") == ["old", "re: old"]

    clock.offset += 2 * DAY_S
    tidied(store)

    assert set(rows(store).values()) == {0}


def test_fault_12_old_turns_of_a_conversation_go_and_the_recent_ones_stay(store, clock):
    talk(store, "an", "old")
    clock.offset += 170 * DAY_S
    talk(store, "an", "recent")
    clock.offset += 11 * DAY_S
    tidied(store)

    assert texts(store, "an") == ["recent", "re: recent"]
    assert store.replies.outgoing("wire", "an")[1] > 0.0


def test_fault_12_what_is_not_answered_or_not_delivered_stays(store, clock):
    store.incoming.accept("wire", [Incoming("1", "unanswered", TextInput("old"))])
    talk(store, "held", "old", HELD)
    talk(store, "refused", "old", REFUSED)
    clock.offset += 400 * DAY_S
    tidied(store)

    assert texts(store, "unanswered") == ["old"]
    assert store.work.next("wire", "unanswered")[1].content == TextInput("old")
    assert store.work.waiting("wire", "a process") == ["unanswered"]
    assert texts(store, "held") == ["re: old"]
    assert [each["sender"] for each in store.replies.undelivered()] == ["held"]
    assert texts(store, "refused") == []


@pytest.mark.parametrize("taken", [False, True])
def test_fault_12_a_question_to_an_advisor_stays_with_its_conversation_until_it_is_answered(
    store, clock, taken
):
    talk(store, "an", "old")
    hand_over = store.hand_overs.open("wire", "an", {"question": "old"}, False, None)
    assert store.notes.add(hand_over, "co Lan", "ask the faculty")
    if taken:
        values = {"status": "taken", "taken_by": "co Lan", "taken_at": clock(), "last_at": clock()}
        store.hand_overs.change(hand_over, ("waiting",), **values)
    clock.offset += 400 * DAY_S
    tidied(store)
    assert texts(store, "an") == ["old", "re: old"]
    assert store.hand_overs.open_of("wire", "an")["question"] == "old"
    assert [note["text"] for note in store.notes.of("wire", "an", 10)] == ["ask the faculty"]

    values = {"status": "taken", "taken_by": "co Lan", "taken_at": clock(), "last_at": clock()}
    store.hand_overs.change(hand_over, ("waiting", "taken"), **values)
    store.replies.finish("wire", "an", None, [Draft("by a person", ADVISOR, "co Lan")], lambda *_: [])
    tidied(store)
    assert texts(store, "an") == ["old", "re: old", "by a person"]

    # Nobody has given the conversation back to the bot.
    clock.offset += 181 * DAY_S
    tidied(store)
    assert set(rows(store).values()) == {0}


def test_fault_12_by_default_half_a_year_is_kept_and_with_0_everything(store, clock):
    talk(store, "an", "old")
    clock.offset += 4000 * DAY_S
    tidied(store, 0)

    assert texts(store, "an") == ["old", "re: old"]
    assert Settings(_env_file=None).retention_days == 180


def test_fault_12_a_transaction_deletes_a_few_rows_only(store, clock, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 4)
    for number in range(10):
        talk(store, "an", f"old {number}")
        clock.offset += 61.0
    clock.offset += 200 * DAY_S
    before = sum(rows(store).values())
    while store.deletion.tidy(180.0):
        after = sum(rows(store).values())
        assert before - 4 <= after < before
        before = after

    assert set(rows(store).values()) == {0}


def test_fault_12_messages_are_answered_while_a_backlog_is_deleted(url, clock, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 1)

    class Echo(Answerer):
        async def answer(self, channel, sender, turn, typing):
            return [Draft(f"re: {turn.content.text}")]

    async def test():
        store, wire = Store(url, clock), Wire()
        for number in range(15):
            talk(store, "an", f"old {number}")
        clock.offset += 200 * DAY_S
        delivery = DeliveryWorker(
            Settings(_env_file=None, channels_db=url, retention_days=30), store, InProcess(), clock=clock
        )
        delivery.answering = Echo()
        await delivery.open(wire)
        await delivery.accept("wire", [Incoming("new", "an", TextInput("new"))])
        await until(lambda: wire.sent)
        assert rows(store)["channel_turns"] > 1
        monkeypatch.setattr(delivery_worker, "TIDY_PAUSE_S", 0.0)
        await until(lambda: texts(store, "an") == ["new", "re: new"])
        await delivery.close("wire")

    asyncio.run(test())


def test_fault_12_an_open_hand_over_of_another_student_keeps_nothing(store, clock):
    talk(store, "an", "old")
    store.hand_overs.open("wire", "binh", {"question": "old"}, False, None)
    clock.offset += 181 * DAY_S
    tidied(store)

    assert texts(store, "an") == []
    assert rows(store)[hand_overs.name] == 1


def scrubbed(store: Store) -> None:
    """Return once nothing of deleted rows waits to be removed, and the files hold what PostgreSQL has in memory."""
    ends = time.monotonic() + 30
    while any(thread.name == "scrubber" for thread in threading.enumerate()):
        assert time.monotonic() < ends
        time.sleep(0.05)
    if store.database.engine.dialect.name == "postgresql":
        with store.database.engine.connect() as connection:
            connection.exec_driver_sql("CHECKPOINT")


def test_fault_12_of_what_is_deleted_for_its_age_no_file_of_the_database_holds_a_word(
    store, url, clock, request, tmp_path, monkeypatch
):
    postgresql = url.startswith("postgresql")
    files = request.getfixturevalue("postgres").table_files if postgresql else tmp_path

    def is_kept_and_deleted(words: str) -> bool:
        """Whether the files still hold the words after their row was deleted."""
        talk(store, "an", words)
        scrubbed(store)
        assert files_with([words], files)
        clock.offset += 181 * DAY_S
        talk(store, "binh", "recent")
        clock.offset += DAY_S
        tidied(store)
        scrubbed(store)
        return bool(files_with([words], files))

    # As at the start of a process: the one before it may have been killed while it deleted.
    assert not is_kept_and_deleted("B2104567")
    assert is_kept_and_deleted("B2104568") is postgresql, (
        "a table is locked while it is rewritten: once a day"
    )
    monkeypatch.setattr(scrubber, "REWRITE_EVERY_S", 0.0)
    assert not is_kept_and_deleted("B2104569")
    assert not files_with(["B2104568"], files)


def plans_of(store: Store, *kinds: str) -> list[str]:
    """Return a list that fills with SQLite's plans of the statements of these kinds."""
    plans: list[str] = []

    def explain(connection, cursor, statement, parameters, context, executemany):
        if statement.startswith(kinds):
            of_one = parameters[0] if executemany else parameters
            explained = cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", of_one)
            plans.extend(detail for *_, detail in explained)

    sa.event.listen(store.database.engine, "before_cursor_execute", explain)
    return plans


def test_fault_12_what_is_asked_every_few_seconds_reads_what_waits_and_not_what_was(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'channels.sqlite'}")
    talk(store, "an", "a question")
    hand_over = store.hand_overs.open("wire", "an", {"question": "a"}, True, None)
    plans = plans_of(store, "SELECT", "UPDATE", "DELETE")
    # A message, the looks of the worker, and those of an advisor's page.
    store.incoming.accept("wire", [Incoming("2", "an", TextInput("b"))])
    store.work.waiting("wire", "a process")
    store.work.hold("wire", "an", "a process")
    store.work.still_here("a process", [("wire", "an")])
    store.work.next("wire", "an")
    store.work.pass_on("wire", "an", 1)
    store.replies.on_its_way("wire", "an")
    store.hand_overs.open_of("wire", "an")
    store.hand_overs.quiet("wire")
    store.hand_overs.with_status(("waiting", "taken"), 50)
    store.hand_overs.by_id(hand_over)
    store.replies.undelivered()
    store.conversations.history("wire", "an", None, 50)
    store.conversations.since("wire", "an", 0)
    store.work.release("wire", "an", "a process")
    store.close()

    assert len(plans) > 20
    # The index of the turns that wait is small; all rows of a channel are many, as are all that a student has written.
    many = [each for each in plans if "ix_channel_turns_open" not in each]
    assert [each for each in many if each.startswith("SCAN channel_")] == []
    assert [each for each in many if each.endswith("(channel=?)")] == []
    queues = ("SEARCH channel_turns", "SEARCH channel_calls")
    assert [
        each for each in many if each.startswith(queues) and each.endswith("(channel=? AND sender=?)")
    ] == []


def test_fault_12_what_is_old_is_found_without_reading_what_is_not(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'channels.sqlite'}")
    plans = plans_of(store, "DELETE")
    store.deletion.tidy(180.0)
    store.close()

    assert len(plans) > 20
    with_every_message = ("seen", "options", "turns", "said", "calls")
    scans = tuple(f"SCAN channel_{name}" for name in with_every_message)
    assert [each for each in plans if each.startswith(scans)] == []
