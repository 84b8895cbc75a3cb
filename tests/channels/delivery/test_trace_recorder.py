"""Traces are stored beside the turns, without a wait, and go with the student's data."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from made_databases import channels_database

from channels.delivery.incoming import Incoming, TextInput
from channels.delivery.store import Store
from channels.delivery.tables import traces
from channels.delivery.trace_recorder import TraceRecorder
from privacy.residue import pieces

QUESTION = "bí mật của sinh viên An"
DEADLINE_S = 20.0


def a_trace(**more: Any) -> dict[str, Any]:
    return {
        "at": time.time(),
        "question": QUESTION,
        "decision": "no_answer",
        "source": "none",
        "topic": "",
        "intent": "ask_study",
        "confidence": 0.1,
        "answer_id": "",
        "normalized": QUESTION.upper(),
        **more,
    }


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return channels_database(tmp_path / "channels.sqlite")
    return str(request.getfixturevalue("postgres").new_database())


def a_turn(store: Store, sender: str = "an") -> str:
    """Accept a message; return the id that Rasa gets for its turn."""
    store.incoming.accept("web", [Incoming(f"event of {sender}", sender, TextInput(QUESTION))])
    turn = store.work.next("web", sender)[1]
    assert turn is not None
    return f"{turn.id}@{turn.at:.6f}"


def stored(store: Store) -> list[Any]:
    with store.database.read() as db:
        return list(db.execute(sa.select(traces)))


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_trace_is_stored_with_its_turn(url: str) -> None:
    store, recorder = Store(url), TraceRecorder(url)
    turn = a_turn(store)

    recorder.record("web:an", turn, a_trace())
    recorder.close()

    [row] = stored(store)
    assert (row.channel, row.sender, row.question, row.decision) == ("web", "an", QUESTION, "no_answer")
    assert f"{row.turn_id}@" == turn.partition("@")[0] + "@"
    assert json.loads(row.trace) == {"normalized": QUESTION.upper()}
    store.close()


@pytest.mark.parametrize("trace_is_first", [True, False])
def test_the_trace_of_a_turn_that_is_left_to_an_advisor_tells_so(url: str, trace_is_first: bool) -> None:
    store, recorder = Store(url), TraceRecorder(url)
    turn = a_turn(store)

    if not trace_is_first:
        store.work.pass_on("web", "an", int(turn.partition("@")[0]))
    recorder.record("web:an", turn, a_trace(decision="answer"))
    recorder.close()
    if trace_is_first:
        store.work.pass_on("web", "an", int(turn.partition("@")[0]))

    assert [row.decision for row in stored(store)] == ["passed_on"]
    store.close()


def test_what_did_not_come_through_the_front_door_is_ignored(url: str) -> None:
    store, recorder = Store(url), TraceRecorder(url)

    recorder.record("shell", "1@2.0", a_trace())
    recorder.record("web:an", "f00", a_trace())
    recorder.record("web:an", "4711@2.0", a_trace())  # a turn that the student has erased
    recorder.close()

    assert stored(store) == []
    store.close()


def test_traces_wait_while_the_database_is_locked(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'channels.sqlite'}"
    store, recorder = Store(url), TraceRecorder(url)
    turn = a_turn(store)
    locked, free = threading.Event(), threading.Event()

    def hold() -> None:
        with store.database.write():
            locked.set()
            free.wait(DEADLINE_S)

    holding = threading.Thread(target=hold)
    holding.start()
    locked.wait()
    recorder.record("web:an", turn, a_trace())
    free.set()
    holding.join()

    eventually(lambda: len(stored(store)) == 1)
    recorder.close()
    store.close()


def test_a_trace_is_erased_with_the_students_data_to_the_last_byte(tmp_path: Path) -> None:
    file = tmp_path / "channels.sqlite"
    url = f"sqlite:///{file}"
    store, recorder = Store(url), TraceRecorder(url)
    recorder.record("web:an", a_turn(store), a_trace())
    recorder.close()

    store.deletion.erase("web", "an")

    assert stored(store) == []
    words = pieces([QUESTION, QUESTION.upper()])
    files = [file, file.with_name(f"{file.name}-wal")]
    eventually(
        lambda: not any(word in each.read_bytes() for each in files if each.exists() for word in words)
    )
    store.close()


def test_a_trace_expires_with_the_messages(url: str) -> None:
    store, recorder = Store(url), TraceRecorder(url)
    recorder.record("web:an", a_turn(store), a_trace(at=time.time() - 10 * 86_400))
    recorder.record("web:binh", a_turn(store, "binh"), a_trace())
    recorder.close()

    while store.deletion.tidy(7):
        pass

    assert [row.sender for row in stored(store)] == ["binh"]
    store.close()
