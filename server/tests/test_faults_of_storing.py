"""Fault 6: what the bot says that it has noted is stored, or the student is told that it is not."""

import asyncio
import sqlite3
import time
from contextlib import closing, contextmanager
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from rasa.core.channels.channel import CollectingOutputChannel, UserMessage
from rasa.core.lock_store import InMemoryLockStore
from rasa.core.tracker_store import FailSafeTrackerStore
from rasa.shared.core.domain import Domain
from rasa.shared.core.events import ActionExecuted, SlotSet, UserUttered

from server.bot import Bot
from server.tracker_store import WindowTrackerStore
from server.turn_execution import execute_turn

DOMAIN = Domain.from_yaml(
    """
    version: "3.1"
    intents: [inform]
    slots:
      profile: {type: text, influence_conversation: false, mappings: [{type: custom}]}
      language: {type: text, influence_conversation: false, mappings: [{type: custom}]}
    """
)
NOTED = "Mình đã ghi nhận"


class Processor:
    """Rasa's message processor with a bot that notes whatever it is told."""

    def __init__(self, tracker_store):
        self.tracker_store = tracker_store
        self.nlg = self

    async def fetch_tracker_and_update_session(self, sender_id, output, metadata):
        return await self.tracker_store.get_or_create_tracker(sender_id)

    async def _handle_message_with_tracker(self, message, tracker):
        tracker.update(UserUttered(message.text, {"name": "inform"}))

    async def run_action_extract_slots(self, output, tracker):
        return tracker

    async def _run_prediction_loop(self, output, tracker):
        tracker.update(SlotSet("profile", tracker.latest_message.text))
        await output.send_text_message(tracker.sender_id, NOTED)
        tracker.update(ActionExecuted("action_listen"))

    async def save_tracker(self, tracker):
        await self.tracker_store.save(tracker)

    async def generate(self, name, tracker, channel, **values):
        return {"text": name}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "tracker.sqlite"


@pytest.fixture
def agent(file):
    store = WindowTrackerStore(domain=DOMAIN, dialect="sqlite", db=str(file))
    # As Rasa's agent wraps it.
    safe = FailSafeTrackerStore(store)

    @sa.event.listens_for(store.engine, "begin")
    def impatient(connection):
        connection.exec_driver_sql("PRAGMA busy_timeout = 200")

    return SimpleNamespace(
        tracker_store=safe,
        processor=Processor(safe),
        lock_store=InMemoryLockStore(),
        action_endpoint=None,
        domain=DOMAIN,
        is_ready=lambda: True,
    )


@contextmanager
def locked(file, how="IMMEDIATE"):
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute(f"BEGIN {how}")
        yield
        other.execute("ROLLBACK")


def turn(agent, text):
    def message():
        return UserMessage(text, CollectingOutputChannel(), "an")

    return execute_turn(agent, message)


def kept(file):
    store = WindowTrackerStore(domain=DOMAIN, dialect="sqlite", db=str(file))
    tracker = asyncio.run(store.retrieve("an"))
    return tracker and tracker.get_slot("profile")


def test_fault_6_while_the_tracker_store_is_locked_nothing_is_said_to_be_noted(file, agent):
    with locked(file):
        told = asyncio.run(turn(agent, "K48"))
    assert (list(told.messages), told.stored) == ([], False)

    told = asyncio.run(turn(agent, "K49"))
    assert ([message["text"] for message in told.messages], told.stored) == ([NOTED], True)
    assert kept(file) == "K49"


@pytest.mark.parametrize("how", ["IMMEDIATE", "EXCLUSIVE"])
def test_fault_6_the_student_is_told(file, agent, how):
    bot = Bot(SimpleNamespace(ctx=SimpleNamespace(agent=agent)))
    with locked(file, how):
        told = asyncio.run(bot.handle_payload("an", "web", "K48"))
        language = asyncio.run(bot.language("an"))
    assert [message["text"] for message in told] == ["utter_not_stored"]
    assert language == "vi"
    assert kept(file) is None


def test_fault_6_a_locked_store_does_not_make_a_conversation_begin_anew(file, agent):
    asyncio.run(turn(agent, "K48"))

    @sa.event.listens_for(agent.tracker_store.engine, "before_cursor_execute")
    def fails(*_):
        raise sa.exc.OperationalError("SELECT", {}, sqlite3.OperationalError("database is locked"))

    assert not asyncio.run(turn(agent, "K49")).stored
    sa.event.remove(agent.tracker_store.engine, "before_cursor_execute", fails)

    assert kept(file) == "K48"


def test_fault_6_while_it_is_locked_other_students_messages_are_read(file, agent):
    async def test():
        began = time.monotonic()
        waiting = asyncio.create_task(turn(agent, "K48"))
        await asyncio.sleep(0.05)
        assert time.monotonic() - began < 0.2
        assert not waiting.done()
        return await waiting

    with locked(file):
        told = asyncio.run(test())
    assert not told.stored
