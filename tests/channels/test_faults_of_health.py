"""Fault 11: operators are told what is wrong: by `/api/health`, by `covan doctor`, and once in the log."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from answerers import Answerer
from front_door_server import open_front_door
from internal_channel import TOKEN, Rasa
from sqlalchemy.exc import DatabaseError
from wire import until_within

from channels import app, health, rasa_client
from channels.delivery import delivery_worker
from channels.delivery.draft import Draft
from channels.delivery.incoming_store import IncomingStore
from channels.front_door import FrontDoor
from covan import diagnosis
from covan.diagnosis import Finding, Level
from rag.settings import Settings

DEADLINE_S = 40
SECRET = "a secret of 32 letters and digits"
TIDIED_AT = 1_790_000_000.5
WELL = {"actions": {"status": "ok", "problem": ""}, "question": True, "store": "", "tidied_at": TIDIED_AT}
FROZEN = {**WELL, "actions": {"status": "silent"}, "question": False}
OUTSIDE = {"X-Forwarded-For": "203.0.113.9"}

until = partial(until_within, DEADLINE_S)


class Echo(Answerer):
    async def answer(self, channel, sender, turn, typing):
        return [Draft(f"re: {turn.content.text}")]


class Operator:
    """Who looks at a front door, and at Rasa behind it."""

    def __init__(self, door: FrontDoor, rasa: Rasa, url: str) -> None:
        self.door, self.rasa, self._url = door, rasa, url

    async def health(self, **headers: str) -> tuple[int, dict[str, Any]]:
        async with httpx.AsyncClient(trust_env=False, timeout=DEADLINE_S) as client:
            answer = await client.get(f"{self._url}/api/health", headers=headers)
        return answer.status_code, answer.json()

    async def sees(self, part: str | None) -> tuple[int, dict[str, Any]]:
        """Ask until the health names a part, or no part; returns the last answer."""
        while True:
            status, told = await self.health()
            if [problem["part"] for problem in told["problems"]] == ([part] if part else []):
                return status, told
            await asyncio.sleep(0.1)

    async def doctor(
        self, check: Callable[[Settings], Iterator[Finding]] = diagnosis._running
    ) -> list[Finding]:
        (Path(self.door.settings.state_dir) / "channels.url").write_text(self._url)
        return await asyncio.to_thread(lambda: list(check(self.door.settings)))

    async def writes(self, text: str) -> int:
        async with httpx.AsyncClient(base_url=self._url, trust_env=False, timeout=DEADLINE_S) as client:
            session = await client.post("/webhooks/web/session", json={})
            client.headers["Authorization"] = f"Bearer {session.json()['token']}"
            message = {"id": "client-id-0001", "text": text}
            return (await client.post("/webhooks/web/messages", json=message)).status_code


@dataclass
class Fault:
    """A test's front door; `watch` runs the test in it."""

    state: Path

    @property
    def file(self) -> Path:
        return self.state / "channels.sqlite"

    def watch(self, test: Callable[[Operator], Coroutine[Any, Any, None]]) -> None:
        async def whole() -> None:
            async with self._opened() as operator:
                await test(operator)

        asyncio.run(asyncio.wait_for(whole(), DEADLINE_S))

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Operator]:
        rasa = Rasa()
        rasa.checked = WELL
        await rasa.start()
        settings = Settings(state_dir=self.state, web_secret=SECRET, rasa_urls=rasa.url, internal_token=TOKEN)
        door = FrontDoor(settings)
        door.delivery.answering = Echo()
        try:
            async with open_front_door(door) as url:
                yield Operator(door, rasa, url)
        finally:
            await rasa.stop()


@pytest.fixture
def fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fault:
    monkeypatch.setattr(health, "FRESH_S", 0.2)
    monkeypatch.setattr(health, "FRESH_WITH_PROBLEMS_S", 0.1)
    monkeypatch.setattr(health, "LOOK_EVERY_S", 0.1)
    monkeypatch.setattr(health, "LOW_DISK_BYTES", 0)
    monkeypatch.setattr(delivery_worker, "ALIVE_EVERY_S", 0.2)
    monkeypatch.setattr(delivery_worker, "LOOK_EVERY_S", 0.2)
    return Fault(tmp_path)


def lines(caplog: pytest.LogCaptureFixture, text: str) -> list[logging.LogRecord]:
    return [record for record in caplog.records if text in record.getMessage()]


def test_a_question_goes_through(fault: Fault) -> None:
    async def test(operator: Operator) -> None:
        status, told = await operator.health()
        assert (status, told["status"], told["problems"]) == (200, "ok", [])
        assert ("check", {}) in operator.rasa.asked
        (finding,) = await operator.doctor()
        assert (finding.level, finding.mend) == (Level.OK, "")

    fault.watch(test)


def test_fault_12_the_doctor_tells_how_long_things_are_kept_and_when_they_were_last_tidied(
    fault: Fault,
) -> None:
    async def test(operator: Operator) -> None:
        await until(lambda: operator.door.delivery.tidied_at is not None)
        # The stand-in of Rasa tidied long ago: an operator should look why it has not done so since.
        days, channels, rasa = await operator.doctor(diagnosis._retention)

        assert (days.level, "180 days (COVAN_RETENTION_DAYS)" in days.message) == (Level.OK, True)
        assert channels.level is Level.OK
        assert f"last tidied at {datetime.now():%Y-%m-%d}" in channels.message
        assert rasa.level is Level.WARN
        assert f"last tidied at {datetime.fromtimestamp(TIDIED_AT):%Y-%m-%d %H:%M}" in rasa.message

    fault.watch(test)


def test_fault_11_health_is_cheap_many_who_ask_share_one_question(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "FRESH_S", 60.0)
    monkeypatch.setattr(health, "LOOK_EVERY_S", 60.0)

    async def test(operator: Operator) -> None:
        asked = await asyncio.gather(*(operator.health() for _ in range(20)))
        for _ in range(20):
            asked.append(await operator.health())
        assert {status for status, _ in asked} == {200}
        assert [what for what, _ in operator.rasa.asked].count("check") == 1

    fault.watch(test)


@pytest.mark.parametrize(
    ("told", "part", "words"),
    [
        pytest.param(
            FROZEN, "actions", ["action server does not answer", "actions.log"], id="frozen action server"
        ),
        pytest.param(
            {**FROZEN, "actions": {"status": "loading", "problem": "There is no index in .covan/index"}},
            "actions",
            ["There is no index in .covan/index", "covan index"],
            id="index that cannot be opened",
        ),
        pytest.param(
            {**WELL, "question": False}, "question", ["gets no answer", "rasa.log"], id="question unanswered"
        ),
        pytest.param(
            {**WELL, "store": "database disk image is malformed"},
            "tracker_store",
            ["tracker.sqlite is damaged", "backup", ".recover"],
            id="corrupt tracker database",
        ),
        pytest.param(
            {**WELL, "store": "database or disk is full"},
            "tracker_store",
            ["no space left for", "tracker.sqlite", "Free space"],
            id="disk full under the tracker store",
        ),
        pytest.param(
            {**WELL, "store": "database is locked"},
            "tracker_store",
            ["tracker.sqlite is locked", "fuser"],
            id="locked tracker database",
        ),
    ],
)
def test_fault_11_what_the_question_shows_is_told_everywhere(
    fault: Fault, caplog: pytest.LogCaptureFixture, told: dict[str, Any], part: str, words: list[str]
) -> None:
    (fault.state / "tracker.sqlite").touch()

    async def test(operator: Operator) -> None:
        operator.rasa.checked = told
        status, report = await operator.sees(part)
        (problem,) = report["problems"]
        assert (status, report["status"]) == (503, "unavailable")
        (finding,) = await operator.doctor()
        assert finding.level is Level.FAIL
        for word in words:
            assert word in f"{problem['message']} {problem['mend']}"
            assert word in f"{finding.message} {finding.mend}"

        # Neither files nor addresses for the outside.
        status, outside = await operator.health(**OUTSIDE)
        assert (status, outside["problems"]) == (503, [part])
        assert str(fault.state) not in str(outside)

        for _ in range(5):
            await operator.health()
            await asyncio.sleep(0.1)
        (logged,) = lines(caplog, problem["mend"])
        assert (logged.levelno, logged.exc_info) == (logging.ERROR, None)

        operator.rasa.checked = WELL
        assert (await operator.sees(None))[0] == 200
        assert len(lines(caplog, f"This is over: {problem['message']}")) == 1

    fault.watch(test)


def test_fault_11_a_new_index_that_cannot_be_used_is_told_while_the_old_one_answers(fault: Fault) -> None:
    async def test(operator: Operator) -> None:
        operator.rasa.checked = {**WELL, "actions": {"status": "ok", "problem": "made by another model"}}
        status, report = await operator.sees("index")
        assert (status, report["status"]) == (200, "ok")
        assert "made by another model" in report["problems"][0]["message"]
        (finding,) = await operator.doctor()
        assert finding.level is Level.WARN

    fault.watch(test)


def test_fault_11_a_stopped_rasa_is_told(
    fault: Fault, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped as by SIGSTOP: connections are made, and nothing is said."""
    monkeypatch.setattr(rasa_client, "CHECKED_WITHIN_S", 0.3)

    async def test(operator: Operator) -> None:
        operator.rasa.takes_s = DEADLINE_S
        status, report = await operator.sees("rasa")
        (problem,) = report["problems"]
        assert (status, report["rasa"]) == (503, False)
        assert operator.rasa.url in problem["message"]
        (finding,) = await operator.doctor()
        assert (finding.level, finding.message) == (Level.FAIL, problem["message"])
        await asyncio.sleep(0.5)
        assert len(lines(caplog, f"Rasa at {operator.rasa.url} does not answer")) == 1

        operator.rasa.takes_s = 0.0
        assert (await operator.sees(None))[0] == 200

    fault.watch(test)


def test_fault_11_a_rasa_that_is_gone_is_told(fault: Fault, caplog: pytest.LogCaptureFixture) -> None:
    async def test(operator: Operator) -> None:
        await operator.rasa.stop()
        status, report = await operator.sees("rasa")
        assert (status, report["rasa"]) == (503, False)
        (finding,) = await operator.doctor()
        assert finding.level is Level.FAIL
        await until(lambda: lines(caplog, "is not ready; students' messages wait for it."))
        assert len(lines(caplog, "is not ready; students' messages wait for it.")) == 1

    fault.watch(test)


def test_fault_11_a_full_disk_is_told_and_its_end_is_noticed(
    fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(operator: Operator) -> None:
        engine, most = operator.door.delivery.store.database.engine, 1

        @sa.event.listens_for(engine, "checkout")
        def limit(connection: Any, *_: Any) -> None:
            # SQLite takes no page more, as on a full disk: SQLITE_FULL.
            connection.execute(f"PRAGMA max_page_count = {most}")

        long = "xin chào " * 200
        with closing(sqlite3.connect(fault.file)) as other:
            other.execute("PRAGMA incremental_vacuum")
        statuses = [await operator.writes(long) for _ in range(12)]
        assert statuses[-1] == 503
        status, report = await operator.health()
        (problem,) = report["problems"]
        assert (status, report["database"], problem["part"]) == (503, False, "database")
        assert f"no space left for {fault.file}" in problem["message"]
        (finding,) = await operator.doctor()
        assert (finding.level, finding.message) == (Level.FAIL, problem["message"])
        logged = lines(caplog, "there is no space left")
        assert len(logged) == 1
        assert long not in caplog.text

        most = 1_000_000
        assert (await operator.sees(None))[0] == 200
        assert await operator.writes(long) == 202
        assert len(lines(caplog, "takes messages again")) == 1

    fault.watch(test)


def damage(file: Path) -> None:
    """Overwrite all but the first page."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(b"\xff" * (whole - 4096))


def test_fault_11_a_database_that_is_damaged_while_it_is_used_is_told_with_the_way_back(
    fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(operator: Operator) -> None:
        assert await operator.writes("xin chào") == 202
        damage(fault.file)
        operator.door.delivery.store.database.engine.dispose()
        status, report = await operator.sees("database")
        (problem,) = report["problems"]
        assert (status, report["database"]) == (503, False)
        assert f"{fault.file} is damaged" in problem["message"]
        assert "backup" in problem["mend"]
        assert ".recover" in problem["mend"]
        (finding,) = await operator.doctor()
        assert (finding.level, finding.message) == (Level.FAIL, problem["message"])
        await asyncio.sleep(1.0)
        assert (await operator.health())[0] == 503
        assert len(lines(caplog, "is damaged")) == 1

    fault.watch(test)


def test_fault_11_a_database_of_which_a_part_is_damaged_stays_a_problem(
    fault: Fault, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other pages still take messages."""
    accept_all = IncomingStore.accept_all
    damaged = DatabaseError("", {}, sqlite3.DatabaseError("database disk image is malformed"))

    def of_which_one_fails(store: IncomingStore, deliveries: Sequence[Any]) -> Sequence[Any]:
        if "học phí" in str(deliveries):
            return [damaged for _ in deliveries]
        return accept_all(store, deliveries)

    monkeypatch.setattr(IncomingStore, "accept_all", of_which_one_fails)

    async def test(operator: Operator) -> None:
        for _ in range(2):
            assert await operator.writes("học phí") == 503
            assert await operator.writes("xin chào") == 202
            await asyncio.sleep(0.5)
            assert (await operator.health())[1]["database"] is False
        assert len(lines(caplog, "is damaged")) == 1

    fault.watch(test)


def test_fault_11_a_damaged_database_at_the_start_is_named_with_the_way_back(
    tmp_path: Path,
) -> None:
    settings = Settings(state_dir=tmp_path, web_secret=SECRET)
    (tmp_path / "channels.sqlite").write_bytes(b"no database at all, but long enough for its header" * 100)

    with pytest.raises(app.DatabaseUnusableError) as raised:
        app.serve(settings, tmp_path)

    assert f"{tmp_path / 'channels.sqlite'} is damaged" in str(raised.value)
    assert ".recover" in str(raised.value)


@pytest.mark.parametrize("name", ["channels.sqlite", "tracker.sqlite"])
def test_fault_11_the_doctor_looks_into_the_databases(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE said (words TEXT)")
        database.executemany("INSERT INTO said VALUES (?)", [("xin chào " * 100,)] * 100)
        database.commit()
    settings = Settings(state_dir=tmp_path)
    assert [finding.level for finding in diagnosis._databases(settings)] == [Level.OK]

    damage(file)

    (finding,) = diagnosis._databases(settings)
    assert finding.level is Level.FAIL
    assert f"{file} is damaged" in finding.message
    assert ".recover" in finding.mend


def test_fault_11_a_disk_that_is_nearly_full_is_told_before_it_is_full(
    fault: Fault, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "LOW_DISK_BYTES", 2**80)

    async def test(operator: Operator) -> None:
        status, report = await operator.sees("disk")
        assert (status, report["problems"][0]["fatal"]) == (200, False)
        (finding,) = await operator.doctor()
        assert finding.level is Level.WARN
        await until(lambda: lines(caplog, "nearly full"))
        await asyncio.sleep(0.5)
        assert len(lines(caplog, "nearly full")) == 1

    fault.watch(test)


@pytest.mark.stack
@pytest.mark.parametrize(("name", "part"), [("actions", "actions"), ("rasa", "rasa")])
def test_fault_11_a_real_server_that_is_frozen_is_told(channels: Any, name: str, part: str) -> None:
    """SIGSTOP: its port takes connections, and nothing is answered."""

    def told(wanted: list[str], status: int) -> None:
        ends = time.monotonic() + 2 * DEADLINE_S
        while True:
            answer = httpx.get(f"{channels.url}/api/health", trust_env=False, timeout=DEADLINE_S)
            problems = answer.json()["problems"]
            if ([problem["part"] for problem in problems], answer.status_code) == (wanted, status):
                return
            assert time.monotonic() < ends, problems
            time.sleep(0.2)

    told([], 200)
    pid = channels.servers.pid(name)
    os.kill(pid, signal.SIGSTOP)
    try:
        told([part], 503)
    finally:
        os.kill(pid, signal.SIGCONT)
    told([], 200)
