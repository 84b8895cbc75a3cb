"""Conversations in a real database: all of it kept, the last turns given to Rasa, sessions that end."""

import asyncio
import json
import subprocess
import threading
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from rasa.core.tracker_store import SQLTrackerStore
from rasa.shared.core.domain import Domain
from rasa.shared.core.events import ActionExecuted, ActiveLoop, SessionStarted, SlotSet, UserUttered
from real_postgres import RealPostgres

from privacy import scrubber
from server import tidying, tracker_store
from server.history_window import TURNS
from server.tracker_store import WindowTrackerStore

LISTEN = "action_listen"
DOMAIN = Domain.from_yaml(
    """
    version: "3.1"
    intents: [ask]
    slots:
      profile: {type: text, influence_conversation: false, mappings: [{type: custom}]}
      pending_question: {type: text, influence_conversation: false, mappings: [{type: custom}]}
    forms:
      profile_form: {required_slots: []}
    """
)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def database(request, tmp_path):
    """Return database settings in the form of endpoints.yml."""
    if request.param == "sqlite":
        return {"dialect": "sqlite", "db": str(tmp_path / "tracker.sqlite")}
    address = sa.engine.make_url(request.getfixturevalue("postgres").new_database())
    return {
        "dialect": "postgresql",
        "host": address.host,
        "port": address.port,
        "username": address.username,
        "db": address.database,
    }


def opened(database, kind=WindowTrackerStore, **settings):
    return kind(domain=DOMAIN, **database, **settings)


@contextmanager
def beside(database):
    """Another hand on the same database."""
    engine = sa.create_engine(
        SQLTrackerStore.get_db_url(
            database["dialect"],
            database.get("host"),
            database.get("port"),
            database["db"],
            database.get("username"),
        )
    )
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def run(work):
    return asyncio.run(work)


async def say(store, sender, text, *events):
    """One turn, as Rasa's processor takes it."""
    tracker = await store.get_or_create_tracker(sender, append_action_listen=False)
    if not tracker.events:
        for event in (ActionExecuted("action_session_start"), SessionStarted(), ActionExecuted(LISTEN)):
            tracker.update(event)
    for event in (UserUttered(text, {"name": "ask"}), *events, ActionExecuted(LISTEN)):
        tracker.update(event)
    await store.save(tracker)


async def chat(store, sender, turns):
    for number in range(turns):
        await say(store, sender, f"message {number}")


def stored(database, sender):
    with beside(database) as connection:
        rows = connection.execute(
            sa.text("SELECT data FROM events WHERE sender_id = :sender ORDER BY id"), {"sender": sender}
        ).fetchall()
    return [json.loads(data) for (data,) in rows]


def messages(tracker):
    return [event.text for event in tracker.events if isinstance(event, UserUttered)]


def test_every_event_is_kept_once_and_the_last_turns_are_given(database):
    store = opened(database)
    run(chat(store, "student", 40))

    assert [event["text"] for event in stored(database, "student") if event["event"] == "user"] == [
        f"message {number}" for number in range(40)
    ]
    assert messages(run(store.retrieve("student"))) == [
        f"message {number}" for number in range(40 - TURNS, 40)
    ]
    assert len(messages(run(store.retrieve_full_tracker("student")))) == 40


def test_the_number_of_events_given_does_not_grow(database):
    store = opened(database)
    run(say(store, "student", "em k48", SlotSet("profile", "48")))
    lengths = []
    for _ in range(4):
        run(chat(store, "student", 20))
        lengths.append(len(run(store.retrieve("student")).events))

    assert len(set(lengths)) == 1


def test_slots_and_a_form_outlast_the_window_and_a_restart(database):
    store = opened(database)
    run(
        say(
            store,
            "student",
            "em k48",
            SlotSet("profile", "48"),
            ActionExecuted("profile_form"),
            ActiveLoop("profile_form"),
        )
    )
    run(chat(store, "student", 3 * TURNS))

    after = run(opened(database).retrieve("student"))
    assert after.get_slot("profile") == "48"
    assert after.active_loop_name == "profile_form"
    assert after.latest_action_name == LISTEN


def test_a_conversation_of_rasas_own_store_goes_on(database):
    run(say(opened(database, SQLTrackerStore), "student", "em k48", SlotSet("profile", "48")))
    run(chat(opened(database, SQLTrackerStore), "student", 30))

    store = opened(database)
    run(say(store, "student", "one more"))
    tracker = run(store.retrieve("student"))
    assert messages(tracker)[-2:] == ["message 29", "one more"]
    assert tracker.get_slot("profile") == "48"
    assert len(stored(database, "student")) == len(
        {json.dumps(event) for event in stored(database, "student")}
    )


def test_what_another_hand_has_stored_is_seen(database):
    store = opened(database)
    run(chat(store, "student", 20))
    with beside(database) as connection:
        event = json.dumps({"event": "slot", "name": "profile", "value": "49", "timestamp": time.time()})
        connection.execute(
            sa.text("INSERT INTO events (sender_id, type_name, data) VALUES ('student', 'slot', :data)"),
            {"data": event},
        )

    assert run(store.retrieve("student")).get_slot("profile") == "49"


def test_conversations_do_not_mix(database):
    store = opened(database)
    for sender in ("one", "other"):
        run(say(store, sender, f"I am {sender}", SlotSet("profile", sender)))
        run(chat(store, sender, 20))

    assert run(store.retrieve("one")).get_slot("profile") == "one"
    assert run(store.retrieve("other")).get_slot("profile") == "other"
    assert run(store.retrieve("nobody")) is None


def test_a_session_that_is_over_leaves_the_profile(database):
    store = opened(database, session_hours="0.00001")
    run(say(store, "student", "em k48", SlotSet("profile", "48"), SlotSet("pending_question", "học phí")))
    time.sleep(0.05)

    tracker = run(store.retrieve("student"))
    assert tracker.get_slot("profile") == "48"
    assert tracker.get_slot("pending_question") is None
    assert tracker.get_slot("profile") == run(store.retrieve_full_tracker("student")).get_slot("profile")


@pytest.mark.parametrize(("hours", "minutes"), [("12", 720.0), (0, 0.0), (0.5, 30.0)])
def test_the_setting_decides_how_long_a_session_lasts_whatever_the_domain_says(database, hours, minutes):
    store = opened(database, session_hours=hours)
    store.domain = Domain.from_yaml("{version: '3.1', session_config: {session_expiration_time: 7}}")

    assert store.domain.session_config.session_expiration_time == minutes
    assert store.domain.session_config.carry_over_slots


def test_a_session_that_never_ends_keeps_what_is_pending(database):
    store = opened(database, session_hours=0)
    run(say(store, "student", "học phí", SlotSet("pending_question", "học phí")))
    with beside(database) as connection:
        for number, data in connection.execute(sa.text("SELECT id, data FROM events")).fetchall():
            aged = json.dumps({**json.loads(data), "timestamp": 1.0})
            connection.execute(
                sa.text("UPDATE events SET data = :data WHERE id = :id"), {"data": aged, "id": number}
            )

    assert run(store.retrieve("student")).get_slot("pending_question") == "học phí"


def test_a_conversation_can_be_erased(database):
    store = opened(database)
    for sender in ("one", "other"):
        run(chat(store, sender, 20))
    run(store.forget("one"))

    assert run(store.retrieve("one")) is None
    assert stored(database, "one") == []
    assert len(messages(run(store.retrieve("other")))) == TURNS


@pytest.mark.parametrize("method", ["retrieve", "retrieve_full_tracker"])
def test_fault_12_a_conversation_is_read_beside_the_event_loop(database, monkeypatch, method):
    store = opened(database)
    run(chat(store, "student", 3))
    in_the_loop, scope = [], store.session_scope

    def watched():
        in_the_loop.append(asyncio._get_running_loop() is not None)
        return scope()

    monkeypatch.setattr(store, "session_scope", watched)
    tracker = run(getattr(store, method)("student"))

    assert in_the_loop == [False]
    assert messages(tracker) == [f"message {number}" for number in range(3)]


DAY_S = 24 * 3600


def age(database, sender, days, turns=None):
    """Make the first turns of a conversation older, or all of it."""
    with beside(database) as connection:
        rows = connection.execute(
            sa.text("SELECT id, data FROM events WHERE sender_id = :sender ORDER BY id"), {"sender": sender}
        ).fetchall()
        said = 0
        for number, data in rows:
            event = json.loads(data)
            said += event["event"] == "user"
            if turns is not None and said > turns:
                break
            event["timestamp"] -= days * DAY_S
            connection.execute(
                sa.text("UPDATE events SET data = :data, timestamp = :at WHERE id = :id"),
                {"data": json.dumps(event), "at": event["timestamp"], "id": number},
            )


def tidied(store):
    """Tidy to the end; return the number of steps that deleted something."""
    steps = 0
    while run(store.tidy()):
        steps += 1
    return steps


def test_fault_12_nothing_of_a_conversation_that_ended_long_ago_is_kept(database, monkeypatch):
    monkeypatch.setattr(tracker_store, "BATCH", 3)
    store = opened(database)
    run(say(store, "old", "em k48", SlotSet("profile", "48")))
    run(chat(store, "old", TURNS + 4))
    run(chat(store, "recent", 3))
    age(database, "old", 181)
    age(database, "recent", 179)
    events = len(stored(database, "old"))

    assert tidied(store) == -(-events // 3)
    assert stored(database, "old") == []
    assert run(store.retrieve("old")) is None
    with beside(database) as connection:
        windows = connection.execute(sa.text("SELECT sender_id FROM conversation_windows")).fetchall()
    assert [sender for (sender,) in windows] == ["recent"]
    assert [event["text"] for event in stored(database, "recent") if event["event"] == "user"] == [
        f"message {number}" for number in range(3)
    ]


@pytest.mark.parametrize("recent", [2, TURNS + 2])
def test_fault_12_a_conversation_that_goes_on_loses_its_old_turns_and_keeps_its_slots(
    database, monkeypatch, recent
):
    monkeypatch.setattr(tracker_store, "BATCH", 3)
    store = opened(database, session_hours=0)
    run(say(store, "student", "em k48", SlotSet("profile", "48")))
    run(chat(store, "student", recent + 3))
    age(database, "student", 181, turns=4)
    tidied(store)

    left = [f"message {number}" for number in range(3, recent + 3)]
    assert [event["text"] for event in stored(database, "student") if event["event"] == "user"] == left
    tracker = run(store.retrieve("student"))
    assert messages(tracker) == left[-TURNS:]
    assert tracker.get_slot("profile") == "48"
    run(say(store, "student", "later"))
    assert messages(run(store.retrieve("student"))) == [*left, "later"][-TURNS:]
    assert run(store.retrieve("student")).get_slot("profile") == "48"


def test_fault_12_the_setting_decides_how_long_events_are_kept(database):
    store = opened(database)
    run(chat(store, "student", 2))
    age(database, "student", 100)

    assert tidied(store) == 0
    assert tidied(opened(database, retention_days="0")) == 0
    assert tidied(opened(database, retention_days="90")) == 1
    assert stored(database, "student") == []


def test_fault_12_the_server_tidies_by_itself_and_survives_a_locked_store(database, monkeypatch):
    monkeypatch.setattr(tidying, "TIDY_EVERY_S", 0.01)
    store = opened(database)
    run(chat(store, "student", 2))
    age(database, "student", 181)
    tidy, failures = store.tidy, [sa.exc.OperationalError("DELETE", {}, Exception("locked"))]

    async def fails_once():
        if failures:
            raise failures.pop()
        return await tidy()

    store.tidy = fails_once

    async def serve():
        app = SimpleNamespace(ctx=SimpleNamespace(agent=SimpleNamespace(tracker_store=store, processor=None)))
        task = asyncio.ensure_future(tidying.keep_tidy(app))
        ends = time.monotonic() + 20
        while stored(database, "student"):
            assert time.monotonic() < ends
            assert not task.done()
            await asyncio.sleep(0.02)
        while store.tidied_at is None:
            assert time.monotonic() < ends
            await asyncio.sleep(0.02)
        assert abs(time.time() - store.tidied_at) < 20
        task.cancel()

    run(serve())


def holds(folder, text):
    """Whether a file below the folder holds the text; SQLite's locks end when a process closes its file."""
    return subprocess.run(["grep", "-rqF", text, str(folder)], check=False).returncode == 0


def test_fault_2_erased_words_are_in_no_file_of_the_database_while_it_is_used(database, request, tmp_path):
    files = request.getfixturevalue("postgres").table_files if "host" in database else tmp_path
    store, other = opened(database), opened(database)
    for number in range(12):
        run(say(store, "one", f"my number is B2104567, and {number}", SlotSet("profile", "B2104567")))
        run(say(other, "other", "of another"))
    on_disk(database)
    assert holds(files, "B2104567")

    run(store.forget("one"))

    ends = time.monotonic() + 40
    while holds(files, "B2104567"):
        assert time.monotonic() < ends
        run(say(other, "other", "later"))
        on_disk(database)
        time.sleep(0.5)
    assert run(other.retrieve("one")) is None
    assert len(messages(run(other.retrieve("other")))) == TURNS


def test_fault_12_of_what_is_deleted_for_its_age_no_file_of_the_database_holds_a_word(
    database, request, tmp_path, monkeypatch
):
    files = request.getfixturevalue("postgres").table_files if "host" in database else tmp_path
    monkeypatch.setattr(scrubber, "REWRITE_EVERY_S", 0.0)
    store = opened(database)
    run(say(store, "one", "my number is B2104567"))
    age(database, "one", 181)
    run(say(store, "other", "later"))
    on_disk(database)
    ends = time.monotonic() + 40
    while any(thread.name == "scrubber" for thread in threading.enumerate()):
        assert time.monotonic() < ends
        time.sleep(0.05)
    assert holds(files, "B2104567")

    tidied(store)

    while holds(files, "B2104567"):
        assert time.monotonic() < ends
        on_disk(database)
        time.sleep(0.5)
    assert messages(run(store.retrieve("other"))) == ["later"]


def on_disk(database):
    """Make PostgreSQL write what it keeps in memory."""
    if "host" in database:
        with beside(database) as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").execute(sa.text("CHECKPOINT"))


@pytest.mark.services
def test_fault_14_a_database_that_was_started_again_costs_no_turn():
    server = RealPostgres()
    try:
        server.start()
        store = WindowTrackerStore(domain=DOMAIN, host=server.new_database())
        run(chat(store, "student", 3))
        server.kill()
        server.start_again()

        run(say(store, "student", "message 3"))

        assert messages(run(store.retrieve("student"))) == [f"message {number}" for number in range(4)]
    finally:
        server.stop()


@pytest.mark.services
def test_fault_14_conversations_are_kept_behind_a_password_with_reserved_characters(postgres):
    user, place, name = postgres.new_database_with_password("p@ss:w/o%rd#?&'1")
    store = WindowTrackerStore(
        domain=DOMAIN, host=f"postgresql://{user}:p%40ss%3Aw%2Fo%25rd%23%3F%26%271@{place}/{name}"
    )
    run(chat(store, "student", 1))

    assert messages(run(store.retrieve("student"))) == ["message 0"]


def test_fault_13_an_error_of_the_database_holds_no_words(database):
    store = opened(database)
    with pytest.raises(sa.exc.DBAPIError) as failed, store.session_scope() as session:
        session.execute(sa.text("INSERT INTO nowhere VALUES (:words)"), {"words": "my number is B2104567"})

    assert "B2104567" not in str(failed.value)
