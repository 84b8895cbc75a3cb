#!/usr/bin/env python3
"""Kill the servers at random moments while students write: is a message lost, doubled, reordered or left unanswered?

    .venv/bin/python benchmarks/kills.py [--kills 25] [--seed 1] [--students 20] [--database sqlite|postgresql]

Starts Rasa, the action server and the front door as a school runs them, and the platforms as stand-ins that speak the
real protocols. The students, an equal share on each channel, ask, mostly wait for the reply, sometimes write two or
three messages in a row. A platform repeats a message that was not acknowledged, as the real ones do; a page, too.

Each kill (`kill -9`) is of a process drawn by the seed: the front door (with SQLite the owner of the channels'
database), Rasa (the owner of the conversations), the action server; with --database postgresql also PostgreSQL, which
then has both databases. The process is started again a second later, as `covan up` does. The service is back
when each process is ready and the bot has replied to a message that came after the kill.

Expected: PASS. Each acknowledged message is stored once, in the order in which its student sent it; each has a reply,
or waits for an advisor; each reply is shown once, in order; the median time to be back is below ten seconds.
Otherwise it says what was wrong, and the exit code is 1. Two figures are told and not judged: replies that only
apologise; and replies that a platform had received when the front door was killed, before it could note that. They are
sent again, since neither Telegram nor Facebook nor Zalo takes an id of ours, and are shown twice. The website is the
exception: a page knows its messages by their ids, so that a reply that is shown twice there is a fault.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import csv
import itertools
import json
import logging
import os
import sys
import time
import uuid
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

os.environ.setdefault("OMP_NUM_THREADS", "1")

import httpx
import sqlalchemy as sa
import yaml
from real_servers import RealServers
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))

from graph_api import GraphApi
from platforms import serving
from real_postgres import RealPostgres
from telegram_api import SECRET, TelegramApi
from zalo_api import ZaloApi

from covan.processes import FIRST_BACK_OFF_S
from covan.project import ROOT

QUESTIONS = Path(__file__).parent / "sample_school" / "questions.csv"

BACK_WITHIN_S = 10.0
"""Of half of the kills."""

THINKING_S = (2.5, 6.0)
"""Between a reply and the next message: a student may send 20 a minute (channels/delivery/message_rate.py)."""

BETWEEN_KILLS_S = (0.5, 4.0)
ROW = 0.3
"""Share of the messages that are two or three in a row."""

SHOWN_BY_ID = frozenset({"web"})
"""Channels on which a message has an id of ours, and is never shown twice."""

REPEAT_AFTER_S = 0.5
IN_FLIGHT_S = 0.5
PATIENCE_S = 90.0
SETTLED_S = 180.0
LOOK_S = 0.05
TOLD = 8


# --- students ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sent:
    """A message: the id of its delivery, and when it was acknowledged, by `time.monotonic`."""

    event_id: str
    text: str
    acknowledged_at: float


@dataclass
class Student(ABC):
    """A student and all that they sent and were shown."""

    channel: ClassVar[str]
    client: httpx.AsyncClient
    url: str
    number: int
    sent: list[Sent] = field(default_factory=list)

    @property
    def sender(self) -> str:
        """Return the student's id within the channel."""
        return str(self.number)

    def shown(self) -> Sequence[str]:
        """Return what the student was shown, in order, each as it can be compared with `expected`."""
        return [text for text, _ in self.shown_at()]

    @abstractmethod
    def shown_at(self) -> Sequence[tuple[str, float]]:
        """Return what the student was shown, in order, and when, by `time.monotonic`."""

    @abstractmethod
    def expected(self, store: Store) -> Sequence[str]:
        """Return what the student must have been shown."""

    @abstractmethod
    def request(self, text: str) -> tuple[str, httpx.Request]:
        """Return a message's event id and the request that brings it."""

    async def say(self, text: str) -> None:
        """Send a message again and again, until it is acknowledged."""
        event_id, request = self.request(text)
        while True:
            try:
                if (await self.client.send(request)).is_success:
                    break
            except httpx.TransportError:
                pass
            await asyncio.sleep(REPEAT_AFTER_S)
        self.sent.append(Sent(event_id, text, time.monotonic()))


class OnTelegram(Student):
    """Updates, posted by the platform."""

    channel = "telegram"

    def __init__(self, client: httpx.AsyncClient, url: str, number: int, api: TelegramApi) -> None:
        super().__init__(client, url, number)
        self._api = api

    def request(self, text: str) -> tuple[str, httpx.Request]:
        """See `Student`."""
        update = self._api.writes(self.number, text)
        headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
        url = f"{self.url}/webhooks/telegram/webhook"
        return f"update:{update['update_id']}", self.client.build_request(
            "POST", url, json=update, headers=headers
        )

    def shown_at(self) -> Sequence[tuple[str, float]]:
        """See `Student`."""
        return [(call.params["text"], call.at) for call in self._api.messages(self.number)]

    def expected(self, store: Store) -> Sequence[str]:
        """See `Student`."""
        return [call["text"] for call in store.calls(self)]


class OnMessenger(Student):
    """Batches of one event, signed by the platform."""

    channel = "messenger"

    def __init__(self, client: httpx.AsyncClient, url: str, number: int, api: GraphApi) -> None:
        super().__init__(client, url, number)
        self._api = api

    def request(self, text: str) -> tuple[str, httpx.Request]:
        """See `Student`."""
        event = self._api.message(self.sender, text)
        body = self._api.batch(event)
        headers = {"X-Hub-Signature-256": self._api.signature(body), "Content-Type": "application/json"}
        url = f"{self.url}/webhooks/messenger/webhook"
        return event["message"]["mid"], self.client.build_request("POST", url, content=body, headers=headers)

    def shown_at(self) -> Sequence[tuple[str, float]]:
        """See `Student`."""
        return [
            (json.dumps(each.body["message"], sort_keys=True), _monotonic(each.at))
            for each in self._api.asked
            if each.path == "me/messages"
            and each.status == httpx.codes.OK
            and each.body.get("message")
            and each.body["recipient"]["id"] == self.sender
        ]

    def expected(self, store: Store) -> Sequence[str]:
        """See `Student`."""
        return [json.dumps(call["message"], sort_keys=True) for call in store.calls(self)]


class OnZalo(Student):
    """Events, signed by the platform."""

    channel = "zalo"

    def __init__(self, client: httpx.AsyncClient, url: str, number: int, api: ZaloApi) -> None:
        super().__init__(client, url, number)
        self._api = api

    def request(self, text: str) -> tuple[str, httpx.Request]:
        """See `Student`."""
        event = self._api.message(self.sender, text)
        body = self._api.body(event)
        headers = {"X-ZEvent-Signature": self._api.signature(body), "Content-Type": "application/json"}
        url = f"{self.url}/webhooks/zalo/webhook"
        return event["message"]["msg_id"], self.client.build_request(
            "POST", url, content=body, headers=headers
        )

    def shown_at(self) -> Sequence[tuple[str, float]]:
        """See `Student`."""
        return [
            (json.dumps(each.body["message"], sort_keys=True), _monotonic(each.at))
            for each in self._api.asked
            if each.path == "v3.0/oa/message/cs"
            and not each.error
            and each.body["recipient"]["user_id"] == self.sender
        ]

    def expected(self, store: Store) -> Sequence[str]:
        """See `Student`."""
        return [json.dumps(call["message"], sort_keys=True) for call in store.calls(self)]


class OnWebsite(Student):
    """A page: a session, a stream of events that is opened again when it breaks, messages."""

    channel = "web"

    def __init__(self, client: httpx.AsyncClient, url: str, number: int) -> None:
        super().__init__(client, url, number)
        self._base = f"{url}/webhooks/web"
        self._headers = {"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
        self._shown: list[tuple[str, float]] = []
        self._last = 0
        self._sender = ""

    @property
    def sender(self) -> str:
        """See `Student`."""
        return self._sender

    def request(self, text: str) -> tuple[str, httpx.Request]:
        """See `Student`."""
        client_id = str(uuid.uuid4())
        request = self.client.build_request(
            "POST", f"{self._base}/messages", json={"id": client_id, "text": text}, headers=self._headers
        )
        return f"{self.sender}:{client_id}", request

    def shown_at(self) -> Sequence[tuple[str, float]]:
        """See `Student`."""
        return list(self._shown)

    def expected(self, store: Store) -> Sequence[str]:
        """See `Student`."""
        return [str(number) for number in store.said_to(self)]

    async def read(self) -> None:
        """Open the page and read its events until it is cancelled."""
        given = (await self.client.post(f"{self._base}/session", json={}, headers=self._headers)).json()
        self._headers["Authorization"] = f"Bearer {given['token']}"
        # As in channels/web/sessions.py: the subject of the token.
        claims = given["token"].split(".")[1]
        self._sender = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sub"]
        while True:
            with contextlib.suppress(httpx.HTTPError):
                await self._events()
            await asyncio.sleep(REPEAT_AFTER_S)

    async def _events(self) -> None:
        kind, headers = "", {**self._headers, "Last-Event-ID": str(self._last)}
        async with self.client.stream("GET", f"{self._base}/events", headers=headers, timeout=None) as stream:
            stream.raise_for_status()
            async for line in stream.aiter_lines():
                if line.startswith("event: "):
                    kind = line.removeprefix("event: ")
                elif line.startswith("data: ") and kind == "message":
                    message = json.loads(line.removeprefix("data: "))
                    self._last = max(self._last, message["id"])
                    if message["author"] != "student":
                        self._shown.append((str(message["id"]), time.monotonic()))


def _monotonic(at: float) -> float:
    """Return a time in seconds since 1970 by the clock of `time.monotonic`."""
    return time.monotonic() - (time.time() - at)


# --- what the database holds ------------------------------------------------------------------------------------------


class Store:
    """The channels' database, read while and after the servers work on it."""

    def __init__(self, url: str) -> None:
        self._engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))

    def _rows(self, query: str, **values: Any) -> Sequence[Any]:
        with self._engine.connect() as db:
            return db.execute(sa.text(query), values).all()

    def unfinished(self) -> int:
        """Return the number of messages and calls that the servers have not handled."""
        (turns,) = self._rows("SELECT count(*) FROM channel_turns WHERE done_at IS NULL")[0]
        (calls,) = self._rows(
            "SELECT count(*) FROM channel_calls WHERE state NOT IN ('sent', 'refused', 'dropped')"
        )[0]
        return int(turns + calls)

    def answered_since(self, began: float) -> bool:
        """Return whether a message that came after `began`, in seconds since 1970, has a reply."""
        query = (
            "SELECT 1 FROM channel_turns turn JOIN channel_said reply ON reply.turn_id = turn.id "
            "WHERE turn.at > :began AND reply.author = 'bot' LIMIT 1"
        )
        return bool(self._rows(query, began=began))

    def messages(self, student: Student) -> Sequence[tuple[str, int]]:
        """Return the delivery's id of each message of the student, and the number of replies to it."""
        rows = self._rows(
            "SELECT said.message, (SELECT count(*) FROM channel_said reply WHERE reply.turn_id = turn.id) "
            "FROM channel_turns turn JOIN channel_said said ON said.id = turn.said_id "
            "WHERE turn.channel = :channel AND turn.sender = :sender ORDER BY turn.id",
            channel=student.channel,
            sender=student.sender,
        )
        return [(json.loads(message)["facts"]["event_id"], replies) for message, replies in rows]

    def said_to(self, student: Student) -> Sequence[int]:
        """Return the ids of the messages to the student, in order."""
        return [
            number
            for (number,) in self._rows(
                "SELECT id FROM channel_said WHERE channel = :channel AND sender = :sender "
                "AND author != 'student' ORDER BY id",
                channel=student.channel,
                sender=student.sender,
            )
        ]

    def calls(self, student: Student) -> Sequence[Mapping[str, Any]]:
        """Return what was sent to the student, in order."""
        rows = self._rows(
            "SELECT call FROM channel_calls WHERE channel = :channel AND sender = :sender "
            "AND state = 'sent' ORDER BY id",
            channel=student.channel,
            sender=student.sender,
        )
        return [json.loads(call) for (call,) in rows]

    def with_advisors(self, student: Student) -> bool:
        """Return whether advisors are shown the student's conversation."""
        return bool(
            self._rows(
                "SELECT 1 FROM channel_hand_overs WHERE channel = :channel AND sender = :sender",
                channel=student.channel,
                sender=student.sender,
            )
        )

    def apologies(self) -> int:
        """Return the number of replies that only apologise: the response of the domain in one of its languages."""
        responses = yaml.safe_load((ROOT / "domain.yml").read_text(encoding="utf-8"))["responses"]
        texts = {each["text"].strip() for each in responses["utter_apology"]}
        rows = self._rows("SELECT message FROM channel_said WHERE author != 'student'")
        return sum(json.loads(message)["text"].strip() in texts for (message,) in rows)


# --- the walk ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kill:
    """A kill: of which process, when by `time.monotonic`, and the seconds until the service was back."""

    process: str
    at: float
    back_s: float


async def talk(student: Student, questions: Sequence[str], rng: Random, until: asyncio.Event) -> None:
    """Write until the event, mostly one message after the reply to the last."""
    while not until.is_set():
        row = rng.choice((2, 3)) if rng.random() < ROW else 1
        before = len(student.shown())
        for _ in range(row):
            await student.say(rng.choice(questions))
        deadline = time.monotonic() + PATIENCE_S
        while len(student.shown()) < before + row and time.monotonic() < deadline:
            await asyncio.sleep(LOOK_S)
        await asyncio.sleep(row * rng.uniform(*THINKING_S))


class Walk:
    """The servers, the students, and the kills."""

    def __init__(self, servers: RealServers, postgres: RealPostgres | None, store: Store) -> None:
        self._servers = servers
        self._postgres = postgres
        self._store = store
        self.kills: list[Kill] = []

    async def kill(self, count: int, rng: Random) -> None:
        """Kill so many processes, the next one a random time after the service is back."""
        processes = ["channels", "rasa", "actions", *(["postgresql"] if self._postgres else [])]
        # Each about as often: 25 kills must tell something of every process.
        drawn = [processes[number % len(processes)] for number in range(count)]
        rng.shuffle(drawn)
        for number, process in enumerate(drawn, 1):
            await asyncio.sleep(rng.uniform(*BETWEEN_KILLS_S))
            began, at = time.monotonic(), time.time()
            await asyncio.to_thread(self._kill, process)
            await self._answered_since(at)
            self.kills.append(Kill(process, began, time.monotonic() - began))
            print(
                f"kill {number} of {count}: {process}, back after {self.kills[-1].back_s:.1f} s", flush=True
            )

    def _kill(self, process: str) -> None:
        if process == "postgresql":
            assert self._postgres is not None
            self._postgres.kill()
            time.sleep(FIRST_BACK_OFF_S)
            self._postgres.start_again()
        else:
            self._servers.crash(process)
            time.sleep(FIRST_BACK_OFF_S)
            self._servers.start(process)
            self._servers.wait(process)
        self._servers.wait("channels")

    async def _answered_since(self, began: float) -> None:
        """Return when a message that came after `began` (seconds since 1970) has its reply."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            with contextlib.suppress(sa.exc.OperationalError):
                if await asyncio.to_thread(self._store.answered_since, began):
                    return
            await asyncio.sleep(LOOK_S)
        raise TimeoutError(f"nobody got a reply within {PATIENCE_S:.0f} s")


@dataclass
class Verdict:
    """The faults that were found, counted by kind."""

    sent_again: Counter[str] = field(default_factory=Counter)
    """By channel: replies that the platform had when their sender was killed, before that was noted. They are shown
    twice."""
    counts: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)

    def add(self, kind: str, what: str, count: int = 1) -> None:
        """Note a fault."""
        if count:
            self.counts[kind] += count
            self.told.append(f"{kind}: {what}")


def judge(students: Sequence[Student], store: Store, kills: Sequence[Kill]) -> Verdict:
    """Compare what each student sent and was shown with what the database holds."""
    verdict = Verdict()
    senders = [kill.at for kill in kills if kill.process == "channels"]
    for student in students:
        who = f"{student.channel} {student.sender}"
        stored = store.messages(student)
        ids, sent = [event_id for event_id, _ in stored], [each.event_id for each in student.sent]
        missing = [each for each in sent if each not in ids]
        verdict.add("lost", f"{who}: {missing}", len(missing))
        double = [each for each, count in Counter(ids).items() if count > 1]
        verdict.add("doubled", f"{who}: {double}", len(double))
        verdict.add("reordered", f"{who}: {ids} for {sent}", [each for each in ids if each in sent] != sent)
        silent = [event_id for event_id, replies in stored if not replies]
        if not store.with_advisors(student):
            verdict.add("unanswered", f"{who}: {silent}", len(silent))
        shown, expected = list(student.shown()), list(student.expected(store))
        if shown != expected:
            extra, absent = Counter(shown) - Counter(expected), Counter(expected) - Counter(shown)
            if student.channel not in SHOWN_BY_ID:
                again = [text for text in extra.elements() if _was_in_flight(student, text, senders)]
                verdict.sent_again.update([student.channel] * len(again))
                extra -= Counter(again)
            verdict.add("replies doubled", f"{who}: {list(extra)}", extra.total())
            verdict.add("replies lost", f"{who}: {list(absent)}", absent.total())
            in_order = _without_repetitions(shown) == _without_repetitions(expected)
            verdict.add("replies reordered", who, not extra and not absent and not in_order)
    return verdict


def _was_in_flight(student: Student, text: str, kills: Sequence[float]) -> bool:
    """Return whether a text reached the platform just before a kill of its sender, and once more after it."""
    times = [at for shown, at in student.shown_at() if shown == text]
    return any(
        abs(first - kill) <= IN_FLIGHT_S and second > kill
        for first, second in itertools.pairwise(times)
        for kill in kills
    )


def _without_repetitions(texts: Sequence[str]) -> Sequence[str]:
    return [text for text, _ in itertools.groupby(texts)]


async def settled(store: Store, students: Sequence[Student]) -> int:
    """Return when nothing is left to do and everything was shown; the number of messages that are left undone."""
    deadline = time.monotonic() + SETTLED_S
    left = 1
    while left and time.monotonic() < deadline:
        await asyncio.sleep(10 * LOOK_S)
        left = await asyncio.to_thread(store.unfinished)
    counts: list[int] = []
    while counts != (now := [len(student.shown()) for student in students]):
        counts = now
        await asyncio.sleep(2.0)
    return left


@contextlib.asynccontextmanager
async def pages(students: Sequence[Student]) -> AsyncIterator[None]:
    """Keep the website's pages open."""
    open_pages = [asyncio.create_task(each.read()) for each in students if isinstance(each, OnWebsite)]
    while not all(each.sender for each in students):
        await asyncio.sleep(LOOK_S)
    try:
        yield
    finally:
        for page in open_pages:
            page.cancel()
        await asyncio.gather(*open_pages, return_exceptions=True)


async def run(kills: int, seed: int, count: int, database: str = "sqlite") -> tuple[Walk, Verdict]:
    """Let `count` students write, kill, compare, print; return the kills, and what was wrong."""
    with QUESTIONS.open(encoding="utf-8", newline="") as lines:
        questions = [row["question"] for row in csv.DictReader(lines) if row["decision"] == "answer"]
    with contextlib.ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="covan-kills-")))
        further: dict[str, Any] = {"web_secret": uuid.uuid4().hex}
        postgres = None
        if database == "postgresql":
            postgres = stack.enter_context(RealPostgres())
            further["channels_db"] = further["tracker_db"] = postgres.new_database()
        servers, telegram, messenger, zalo = stack.enter_context(serving(directory, **further))
        store = Store(servers.settings.channels_database)
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        client = httpx.AsyncClient(trust_env=False, timeout=30.0, limits=limits)
        students = [
            (
                OnTelegram(client, servers.url, 100_000 + number, telegram),
                OnMessenger(client, servers.url, 100_000 + number, messenger),
                OnZalo(client, servers.url, 100_000 + number, zalo),
                OnWebsite(client, servers.url, 100_000 + number),
            )[number % 4]
            for number in range(count)
        ]
        walk, stop = Walk(servers, postgres, store), asyncio.Event()
        async with pages(students):
            talks = [
                asyncio.create_task(talk(student, questions, Random(f"{seed} {number}"), stop))
                for number, student in enumerate(students)
            ]
            try:
                await walk.kill(kills, Random(seed))
            finally:
                stop.set()
                await asyncio.gather(*talks)
            left = await settled(store, students)
            verdict = judge(students, store, walk.kills)
        verdict.add("undone", "the queue does not empty", left)
        _print(walk, students, store, verdict)
        return walk, verdict


def _print(walk: Walk, students: Sequence[Student], store: Store, verdict: Verdict) -> None:
    table = Table(title=f"{len(walk.kills)} kills", title_justify="left")
    for heading in ("process", "kills", "back after: median", "95 %", "at most"):
        table.add_column(heading, justify="left" if heading == "process" else "right")
    for name in (*sorted({kill.process for kill in walk.kills}), "all"):
        took = [kill.back_s for kill in walk.kills if name in ("all", kill.process)]
        p95 = quantiles(took, n=20, method="inclusive")[-1] if len(took) > 1 else took[0]
        table.add_row(name, str(len(took)), *(f"{each:.1f} s" for each in (median(took), p95, max(took))))
    Console(width=100).print(table)
    sent = sum(len(student.sent) for student in students)
    shown = sum(len(student.shown()) for student in students)
    print(
        f"{len(students)} students, {sent} messages, {shown} replies, {store.apologies()} of them apologies"
    )
    on_their_way = ", ".join(f"{count} on {channel}" for channel, count in sorted(verdict.sent_again.items()))
    print(f"replies on their way when the front door was killed, which came twice: {on_their_way or 'none'}")
    kinds = (
        "lost",
        "doubled",
        "reordered",
        "unanswered",
        "replies lost",
        "replies doubled",
        "replies reordered",
    )
    print(", ".join(f"{kind} {verdict.counts[kind]}" for kind in (*kinds, "undone")))
    for what in verdict.told[:TOLD]:
        print(f"FAULT {what[:1_000]}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    arguments = parser.parse_args()
    # A sign of typing that is called off when the reply is there breaks off a request to the stand-in.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    walk, verdict = asyncio.run(run(arguments.kills, arguments.seed, arguments.students, arguments.database))
    good = not verdict.counts and median(kill.back_s for kill in walk.kills) < BACK_WITHIN_S
    print("PASS" if good else "FAIL")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
