#!/usr/bin/env python3
"""Many students at once, on all channels: is every message answered once and in order, and acknowledged in time?

    .venv/bin/python benchmarks/channels.py [--mode paced] [--restart-rasa | --train] [--students 200] [--turns 10]

Starts Rasa, the action server and the front door as a school runs them, and the platforms' interfaces as stand-ins that
speak the real protocols over HTTP; all of it on this machine. An equal share of the students writes on each channel: by
signed or secret-bearing webhooks, or on the website, whose replies come as server-sent events. Each asks the same
questions in an order of its own. What must be said to each question was found out before, by students who were alone.

Three modes, each (without --mode) in turn:

- paced: all students begin at one moment; each writes again when the reply has come;
- steady: 50 messages a second, whether replies come or not;
- burst: all messages come at one moment, each on a connection that is opened for it.

With --restart-rasa, Rasa is killed and started again meanwhile; with --train, `covan train --force` runs, and the model
is swapped. Both begin two seconds before a burst, five seconds after the first message of the other modes.

Expected: each student has got exactly the replies to the questions asked, in the order in which they were sent (in a
burst: accepted), none missing and none twice; the 95th percentile of the time until a message is acknowledged is at
most 0.1 s (paced), 0.3 s (steady), 2 s (burst: what Zalo waits) on each channel; a burst is answered at 12 messages a
second or more when nothing else runs. Otherwise it says what was wrong, and the exit code is 1.

All times are measured with everything on the same processors. `load_generator.py` posts from a process of its own; the
output says how late it was, and how long it takes for the same requests when the server answers at once. What the
front door does with a processor is said as its CPU time for each message, which depends on no other process.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import csv
import json
import logging
import os
import shutil
import sqlite3
import sys
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence, Set
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import ClassVar, Literal

os.environ.setdefault("OMP_NUM_THREADS", "1")

import httpx
import psutil
from load_generator import Exchange, LoadGenerator, generating, instant_server, request
from real_servers import RealServers
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))

from graph_api import GraphApi
from platforms import serving
from telegram_api import SECRET, TelegramApi
from zalo_api import ZaloApi

from covan.project import ROOT
from covan.rasa_model import ensure_model
from rag.settings import Settings

QUESTIONS = Path(__file__).parent / "sample_school" / "questions.csv"

CHANNELS = ("telegram", "messenger", "zalo", "web")

Mode = Literal["paced", "steady", "burst"]
MODES: Sequence[Mode] = ("paced", "steady", "burst")

Disturbance = Literal["", "Rasa restarts", "a model trains"]

ACKNOWLEDGED_WITHIN_S: Mapping[Mode, float] = {"paced": 0.1, "steady": 0.3, "burst": 2.0}
"""Of 95 % of the messages. The strictest platform, Zalo, waits two seconds for a webhook's answer."""

STEADY_PER_S = 50.0

LEAST_REPLIES_PER_S = 12.0
"""In a burst. 16.3 on an idle machine with two processors."""

DISTURBED_AFTER_S: Mapping[Mode, float] = {"paced": 5.0, "steady": 5.0, "burst": -2.0}
"""Seconds from the first message to Rasa's end or the training's begin."""

MOST_TURNS = 18
"""Of one student: the channels take 20 messages a minute (channels/delivery/message_rate.py)."""

CANDIDATES = 5 * MOST_TURNS
"""Questions that are tried at most; only those with the same answer every time serve."""

FLOOR_REQUESTS = 250
"""Of a steady stream, to the server that answers at once."""

LOOK_EVERY_S = 0.05
PATIENCE_S = 300.0
"""Without a single reply to anybody."""

MOST_TOLD = 5
"""Students of whom it is said what was wrong."""


class BenchmarkError(Exception):
    """The servers did not do what they are measured for."""


# --- students -----------------------------------------------------------------------------------------------------


@dataclass
class Student(ABC):
    """A student with questions and replies; times are those of `time.monotonic`."""

    channel: ClassVar[str]
    name: str
    heard: list[str] = field(default_factory=list)
    heard_at: list[float] = field(default_factory=list)
    asked: dict[str, Exchange] = field(default_factory=dict)
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def sender(self) -> str:
        """Return the student's id within the channel."""
        return self.name

    @abstractmethod
    def request(self, text: str) -> bytes:
        """Return the request that brings a message to the channel."""

    def acknowledged(self, text: str, exchange: Exchange) -> None:
        """Note what the channel said to a message. Raises BenchmarkError when it was refused."""
        self.asked[text] = exchange
        if not 200 <= exchange.status < 300:
            raise BenchmarkError(f"{self.channel} answered {exchange.status or 'nothing'} to a message")

    def hear(self, text: str, at: float) -> None:
        """A message has come."""
        self.heard.append(text)
        self.heard_at.append(at)
        self.woken.set()

    async def until_heard(self, count: int) -> None:
        """Wait for so many messages in all."""
        while len(self.heard) < count:
            self.woken.clear()
            await self.woken.wait()


class OnTelegram(Student):
    """Updates, posted by the platform."""

    channel = "telegram"

    def __init__(self, api: TelegramApi, number: int) -> None:
        super().__init__(str(number))
        self._api, self._number = api, number

    def request(self, text: str) -> bytes:
        """See `Student`."""
        body = json.dumps(self._api.writes(self._number, text)).encode()
        return request("/webhooks/telegram/webhook", body, {"X-Telegram-Bot-Api-Secret-Token": SECRET})


class OnMessenger(Student):
    """Batches of one event, signed by the platform."""

    channel = "messenger"

    def __init__(self, api: GraphApi, number: int) -> None:
        super().__init__(str(number))
        self._api = api

    def request(self, text: str) -> bytes:
        """See `Student`."""
        body = self._api.batch(self._api.message(self.name, text))
        return request(
            "/webhooks/messenger/webhook", body, {"X-Hub-Signature-256": self._api.signature(body)}
        )


class OnZalo(Student):
    """Events, signed by the platform."""

    channel = "zalo"

    def __init__(self, api: ZaloApi, number: int) -> None:
        super().__init__(str(number))
        self._api = api

    def request(self, text: str) -> bytes:
        """See `Student`."""
        body = self._api.body(self._api.message(self.name, text))
        return request("/webhooks/zalo/webhook", body, {"X-ZEvent-Signature": self._api.signature(body)})


class OnWebsite(Student):
    """A page: a session, a stream of events, messages."""

    channel = "web"

    def __init__(self, client: httpx.AsyncClient, url: str, number: int) -> None:
        super().__init__(str(number))
        self._client = client
        self._url = f"{url}/webhooks/web"
        # As the reverse proxy would say: each from a house of their own.
        self._headers = {"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Open the page; its stream is read until the end of the block."""
        given = await self._client.post(f"{self._url}/session", json={}, headers=self._headers)
        self._token: str = given.raise_for_status().json()["token"]
        self._headers["Authorization"] = f"Bearer {self._token}"
        opened = asyncio.Event()
        reading = asyncio.create_task(self._read(opened))
        waiting = asyncio.create_task(opened.wait())
        await asyncio.wait({reading, waiting}, return_when=asyncio.FIRST_COMPLETED)
        try:
            if reading.done():
                reading.result()
            yield
        finally:
            for task in (reading, waiting):
                task.cancel()
            await asyncio.gather(reading, waiting, return_exceptions=True)

    @property
    def sender(self) -> str:
        """Return the session's id, the subject of its token."""
        claims = self._token.split(".")[1]
        sub: str = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sub"]
        return sub

    def request(self, text: str) -> bytes:
        """See `Student`."""
        body = json.dumps({"id": str(uuid.uuid4()), "text": text}).encode()
        return request("/webhooks/web/messages", body, self._headers)

    async def _read(self, opened: asyncio.Event) -> None:
        events = f"{self._url}/events"
        async with self._client.stream("GET", events, headers=self._headers, timeout=None) as stream:
            stream.raise_for_status()
            opened.set()
            kind = ""
            async for line in stream.aiter_lines():
                if line.startswith("event: "):
                    kind = line.removeprefix("event: ")
                elif line.startswith("data: ") and kind == "message":
                    message = json.loads(line.removeprefix("data: "))
                    if message["author"] != "student":
                        self.hear(message["text"], time.monotonic())


# --- servers ------------------------------------------------------------------------------------------------------


@dataclass
class School:
    """The servers, the platforms, and who writes to them."""

    servers: RealServers
    telegram: TelegramApi
    messenger: GraphApi
    zalo: ZaloApi
    client: httpx.AsyncClient
    load: LoadGenerator
    _students: dict[tuple[str, str], Student] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: iter(range(100_000, 10_000_000)))

    @asynccontextmanager
    async def students(self, counts: Mapping[str, int]) -> AsyncIterator[Sequence[Student]]:
        """Yield so many new ones on each channel."""
        made: list[Student] = []
        async with AsyncExitStack() as pages:
            for channel, count in counts.items():
                for _ in range(count):
                    student = self._student(channel)
                    if isinstance(student, OnWebsite):
                        await pages.enter_async_context(student.listening())
                    self._students[channel, student.name] = student
                    made.append(student)
            yield made

    def _student(self, channel: str) -> Student:
        number, url = next(self._numbers), self.servers.url
        if channel == "telegram":
            return OnTelegram(self.telegram, number)
        if channel == "messenger":
            return OnMessenger(self.messenger, number)
        if channel == "zalo":
            return OnZalo(self.zalo, number)
        return OnWebsite(self.client, url, number)

    async def ask(self, student: Student, text: str) -> None:
        """Send a message; returns when it is acknowledged. Raises BenchmarkError when it is refused."""
        student.acknowledged(text, await self.load.send(student.request(text)))

    async def ask_all(self, messages: Sequence[tuple[Student, str]], after_s: Sequence[float]) -> None:
        """Send each message so many seconds from now; returns when all are acknowledged. Raises BenchmarkError."""
        sent = self.load.send_all([student.request(text) for student, text in messages], after_s)
        for (student, text), exchange in zip(messages, await asyncio.gather(*sent), strict=True):
            student.acknowledged(text, exchange)

    async def bring(self) -> None:
        """Bring what the platforms have been sent to the students, until it is cancelled."""
        seen_telegram = seen_messenger = seen_zalo = 0
        while True:
            calls = self.telegram.sent
            for call in calls[seen_telegram:]:
                if call.method == "sendMessage" and not call.error:
                    self._hear("telegram", str(call.params["chat_id"]), call.text, call.at)
            seen_telegram = len(calls)
            asked = self.messenger.asked
            for each in asked[seen_messenger:]:
                if each.path == "me/messages" and each.status == 200 and "message" in each.body:
                    message = each.body["message"]
                    shown = message.get("text") or json.dumps(message["attachment"], sort_keys=True)
                    # Its clock is another one.
                    at = time.monotonic() - (time.time() - each.at)
                    self._hear("messenger", each.body["recipient"]["id"], shown, at)
            seen_messenger = len(asked)
            asked_of_zalo = self.zalo.asked
            for sent in asked_of_zalo[seen_zalo:]:
                if sent.path == "v3.0/oa/message/cs" and not sent.error:
                    at = time.monotonic() - (time.time() - sent.at)
                    self._hear("zalo", sent.body["recipient"]["user_id"], sent.body["message"]["text"], at)
            seen_zalo = len(asked_of_zalo)
            await asyncio.sleep(LOOK_EVERY_S)

    def _hear(self, channel: str, name: str, text: str, at: float) -> None:
        if (student := self._students.get((channel, name))) is not None:
            student.hear(text, at)

    @contextlib.contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        database = self.servers.settings.state_dir / "channels.sqlite"
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)) as store:
            yield store

    def accepted(self, student: Student) -> Sequence[str]:
        """Return the student's messages in the order in which the front door took them."""
        query = "SELECT content FROM channel_turns WHERE channel = ? AND sender = ? ORDER BY id"
        with self._database() as store:
            rows = store.execute(query, (student.channel, student.sender)).fetchall()
        return [json.loads(content)["text"] for (content,) in rows]

    def unfinished(self) -> int:
        """Return the number of messages and calls that the servers have not handled."""
        with self._database() as store:
            (turns,) = store.execute("SELECT count(*) FROM channel_turns WHERE done_at IS NULL").fetchone()
            (calls,) = store.execute(
                "SELECT count(*) FROM channel_calls WHERE state NOT IN ('sent', 'refused', 'dropped')"
            ).fetchone()
        return int(turns + calls)

    async def settled(self) -> None:
        """Return when the servers have nothing left to do and all of it has been brought: what is twice, is here."""
        deadline = time.monotonic() + PATIENCE_S
        while self.unfinished():
            if time.monotonic() > deadline:
                raise BenchmarkError(f"{self.unfinished()} messages are left undone")
            await asyncio.sleep(LOOK_EVERY_S)
        pages = [student for student in self._students.values() if isinstance(student, OnWebsite)]
        counts = [-1]
        while counts != (now := [len(student.heard) for student in pages]):
            counts = now
            await asyncio.sleep(10 * LOOK_EVERY_S)


# --- what must be said --------------------------------------------------------------------------------------------

Expected = Mapping[str, Mapping[str, Sequence[str]]]
"""By channel and question, the messages that answer it."""


async def expected_replies(school: School, questions: Sequence[str], count: int) -> Expected:
    """Return the first `count` questions that are answered alike each time, with what is said to them on each channel.

    Two students ask each of them on each channel, in opposite orders, and further ones on the website with each of the
    others right before it: an answer must depend neither on chance nor on what was asked before, which Covan may take
    for the matter. Raises BenchmarkError when there are too few.
    """
    found: dict[str, dict[str, Sequence[str]]] = {channel: {} for channel in CHANNELS}
    for first in range(0, len(questions), MOST_TURNS):
        some = questions[first : first + MOST_TURNS]
        async with school.students(dict.fromkeys(CHANNELS, 2)) as students:
            said = await asyncio.gather(
                *(_alone(school, student, some[:: 1 - 2 * (i % 2)]) for i, student in enumerate(students))
            )
        for student, one, other in zip(students[::2], said[::2], said[1::2], strict=True):
            found[student.channel] |= {q: one[q] for q in some if one[q] and one[q] == other[q]}
        usable = [
            question
            for question, reply in found["web"].items()
            if all(question in replies for replies in found.values())
            # Equal replies to two questions tell nothing of their order.
            and list(found["web"].values()).count(reply) == 1
        ]
        while len(usable) >= count:
            if not (moved := await _moved_by_others(school, usable[:count], found["web"])):
                return {
                    channel: {q: replies[q] for q in usable[:count]} for channel, replies in found.items()
                }
            usable = [question for question in usable if question not in moved]
            found["web"] = {q: reply for q, reply in found["web"].items() if q not in moved}
    raise BenchmarkError(f"too few of {len(questions)} questions are answered alike each time")


async def _moved_by_others(
    school: School, questions: Sequence[str], replies: Mapping[str, Sequence[str]]
) -> Set[str]:
    """Return the questions that are answered otherwise when another one of them was asked right before."""
    async with school.students({"web": len(questions)}) as students:
        said = await asyncio.gather(
            *(
                _alone(school, student, order)
                for student, order in zip(students, _neighbours(questions), strict=True)
            )
        )
    return {question for each in said for question, reply in each.items() if reply != replies[question]}


def _neighbours(questions: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield as many orders as there are questions, in which each comes right after each other one (for an even number:
    E. J. Williams, Australian Journal of Scientific Research 2, 1949)."""
    count = len(questions)
    zigzag = [-(-i // 2) if i % 2 else -(i // 2) for i in range(count)]
    for first in range(count):
        yield [questions[(first + step) % count] for step in zigzag]


async def _alone(school: School, student: Student, questions: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return the replies to each question."""
    said: dict[str, Sequence[str]] = {}
    for question in questions:
        before = len(student.heard)
        await school.ask(student, question)
        await asyncio.wait_for(student.until_heard(before + 1), PATIENCE_S)
        await school.settled()
        said[question] = tuple(student.heard[before:])
    return said


# --- measuring ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Costs:
    """Seconds of CPU time since the start of the front door, of the generator, and of students and stand-ins."""

    front_door: float
    generator: float
    students: float

    @classmethod
    def now(cls, school: School) -> Costs:
        """Return what they have used up to now."""
        pids = (school.servers.pid("channels"), school.load.pid, os.getpid())
        return cls(*(sum(psutil.Process(pid).cpu_times()[:2]) for pid in pids))

    def __sub__(self, before: Costs) -> Costs:
        return Costs(
            self.front_door - before.front_door,
            self.generator - before.generator,
            self.students - before.students,
        )


@dataclass(frozen=True)
class Walk:
    """A run of a mode: the students with the questions of each in order of sending, and what it took."""

    mode: Mode
    disturbance: Disturbance
    students: Sequence[Student]
    orders: Sequence[Sequence[str]]
    took_s: float
    costs: Costs

    @property
    def title(self) -> str:
        """Return the mode, with what happened meanwhile."""
        return f"{self.mode}, while {self.disturbance}" if self.disturbance else self.mode

    @property
    def count(self) -> int:
        """Return the number of messages."""
        return sum(map(len, self.orders))


async def walk(
    school: School,
    mode: Mode,
    disturbance: Disturbance,
    counts: Mapping[str, int],
    expected: Expected,
    seed: int,
) -> bool:
    """Let them all talk, print what it took; whether all was as it must be."""
    turns = len(next(iter(expected.values())))
    async with school.students(counts) as students:
        orders = [
            Random(f"{seed} {number}").sample(list(expected[student.channel]), turns)
            for number, student in enumerate(students)
        ]
        floor = await _floor(mode, students, orders)
        disturbing = asyncio.create_task(_disturb(school, disturbance, max(DISTURBED_AFTER_S[mode], 0.0)))
        await asyncio.sleep(max(-DISTURBED_AFTER_S[mode], 0.0) if disturbance else 0.0)
        before, began_at = Costs.now(school), time.monotonic()
        with _progress() as bar:
            task = bar.add_task(mode, total=len(students) * turns)
            talks = asyncio.create_task(_talk(school, mode, students, orders, expected))
            await _watched(talks, students, expected, bar, task)
        took_s = time.monotonic() - began_at
        await disturbing
        await school.settled()
        costs = Costs.now(school) - before
        done = Walk(mode, disturbance, students, orders, took_s, costs)
        accepted = [school.accepted(student) for student in students]
        _print_walk(done, accepted, expected)
        _print_costs(done, floor)
        return _judged(done, accepted, expected)


async def _disturb(school: School, disturbance: Disturbance, after_s: float) -> None:
    if not disturbance:
        return
    await asyncio.sleep(after_s)
    began = time.monotonic()
    if disturbance == "Rasa restarts":
        school.servers.crash("rasa")
        await asyncio.to_thread(school.servers.restart, "rasa")
    else:
        training = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "covan", "train", "--force"),
            cwd=ROOT,
            env={**os.environ, "COVAN_STATE_DIR": str(school.servers.settings.state_dir)},
            stdout=asyncio.subprocess.DEVNULL,
        )
        if await training.wait():
            raise BenchmarkError("the training failed")
    print(f"For {time.monotonic() - began:.0f} s, {disturbance}.")


def _messages(
    mode: Mode, students: Sequence[Student], orders: Sequence[Sequence[str]]
) -> tuple[Sequence[tuple[Student, str]], Sequence[float]]:
    """Return the messages whose time does not depend on replies, and after how many seconds each is sent."""
    rounds = orders if mode != "paced" else [order[:1] for order in orders]
    messages = [pair for texts in zip(*rounds, strict=True) for pair in zip(students, texts, strict=True)]
    return messages, [i / STEADY_PER_S if mode == "steady" else 0.0 for i in range(len(messages))]


async def _talk(
    school: School,
    mode: Mode,
    students: Sequence[Student],
    orders: Sequence[Sequence[str]],
    expected: Expected,
) -> None:
    """Return when all has been asked and answered."""
    await school.ask_all(*_messages(mode, students, orders))
    await asyncio.gather(
        *(
            _talk_of(school, mode, student, order, expected[student.channel])
            for student, order in zip(students, orders, strict=True)
        )
    )


async def _talk_of(
    school: School, mode: Mode, student: Student, order: Sequence[str], replies: Mapping[str, Sequence[str]]
) -> None:
    count = 0
    for question in order:
        # The first one is asked together with everybody's.
        if mode == "paced" and count:
            await school.ask(student, question)
        count += len(replies[question])
        if mode == "paced":
            await student.until_heard(count)
    await student.until_heard(count)


async def _floor(
    mode: Mode, students: Sequence[Student], orders: Sequence[Sequence[str]]
) -> Sequence[Exchange]:
    """Send the same requests at the same times to a server that answers at once."""
    messages, after_s = _messages(mode, students, orders)
    most = FLOOR_REQUESTS if mode == "steady" else len(messages)
    contents = [student.request(text) for student, text in messages[:most]]
    with instant_server() as url:
        async with generating(url) as load:
            return await asyncio.gather(*load.send_all(contents, after_s[:most]))


async def _watched(
    talks: asyncio.Task[None],
    students: Sequence[Student],
    expected: Expected,
    bar: Progress,
    task: object,
) -> None:
    """Wait for the talks, as long as replies come; the bar shows the messages that were answered."""
    per_turn = {
        channel: sum(map(len, replies.values())) / len(replies) for channel, replies in expected.items()
    }
    last, last_at = -1, time.monotonic()
    while not talks.done():
        await asyncio.wait({talks}, timeout=0.5)
        heard = sum(len(student.heard) for student in students)
        bar.update(task, completed=sum(len(s.heard) / per_turn[s.channel] for s in students))  # type: ignore[arg-type]
        if heard != last:
            last, last_at = heard, time.monotonic()
        elif time.monotonic() - last_at > PATIENCE_S:
            # The comparison reports missing replies.
            talks.cancel()
            await asyncio.wait({talks})
            return
    talks.result()


def _wanted(replies: Mapping[str, Sequence[str]], order: Sequence[str]) -> list[str]:
    return [text for question in order for text in replies[question]]


def _reply_times(
    student: Student, accepted: Sequence[str], replies: Mapping[str, Sequence[str]]
) -> Iterator[float]:
    """Yield seconds from each message to the first of what was said to it."""
    at = 0
    for question in accepted:
        if at >= len(student.heard_at):
            return
        yield student.heard_at[at] - student.asked[question].due_at
        at += len(replies[question])


def _print_walk(done: Walk, accepted: Sequence[Sequence[str]], expected: Expected) -> None:
    table = Table(title=f"{done.title}: {len(done.students)} students, {done.count} messages")
    table.title_justify = "left"
    for heading in (*("channel", "students", "acknowledged p50", "p95", "max", "reply p50", "p95", "max"),):
        table.add_column(heading, justify="left" if heading == "channel" else "right")
    for channel in CHANNELS:
        of = [(s, texts) for s, texts in zip(done.students, accepted, strict=True) if s.channel == channel]
        took = [exchange.took_s for student, _ in of for exchange in student.asked.values()]
        replied = [seconds for s, texts in of for seconds in _reply_times(s, texts, expected[channel])]
        if took and replied:
            table.add_row(
                channel,
                str(len(of)),
                *(f"{1000 * seconds:.0f} ms" for seconds in (median(took), p95(took), max(took))),
                *(f"{seconds:.1f} s" for seconds in (median(replied), p95(replied), max(replied))),
            )
    console = Console(width=110)
    console.print(table)
    console.print(
        f"{done.count / done.took_s:.1f} replies a second, {done.took_s:.0f} s in all.", highlight=False
    )


def _print_costs(done: Walk, floor: Sequence[Exchange]) -> None:
    took = [exchange.took_s for exchange in floor]
    late = [exchange.late_s for student in done.students for exchange in student.asked.values()]
    each = 1000 / done.count
    Console(width=110, highlight=False).print(
        f"Of the acknowledgements, the generator's own: {len(floor)} of these requests to a server that answers at "
        f"once took {1000 * median(took):.0f} ms (p95 {1000 * p95(took):.0f}); in this run it sent a request "
        f"{1000 * median(late):.0f} ms late (p95 {1000 * p95(late):.0f}).\n"
        f"CPU time for each message, replies included: front door {each * done.costs.front_door:.1f} ms; generator "
        f"{each * done.costs.generator:.1f} ms, students and platforms {each * done.costs.students:.1f} ms, which "
        f"other machines would bear. Load of the machine: {os.getloadavg()[0]:.1f}.\n"
    )


def _judged(done: Walk, accepted: Sequence[Sequence[str]], expected: Expected) -> bool:
    good = True
    unanswered = 0
    for student, order, texts in zip(done.students, done.orders, accepted, strict=True):
        # Messages that are sent at one moment have no order before they are accepted.
        right_order = texts if done.mode == "burst" else order
        wanted = [text for question in right_order for text in expected[student.channel].get(question, ())]
        if sorted(texts) == sorted(order) and student.heard == wanted:
            continue
        unanswered += 1
        first = next(
            (i for i, pair in enumerate(zip(student.heard, wanted, strict=False)) if pair[0] != pair[1]),
            min(len(student.heard), len(wanted)),
        )
        if unanswered <= MOST_TOLD:
            print(
                f"FAIL: {student.channel} {student.name} got {len(student.heard)} messages instead of "
                f"{len(wanted)}; number {first + 1} is {_short(student.heard, first)} instead of "
                f"{_short(wanted, first)}. Asked: {order}; accepted: {texts}"
            )
    if unanswered:
        print(
            f"FAIL ({done.title}): {unanswered} of {len(done.students)} students were not answered exactly once in "
            "order."
        )
        good = False
    for channel in CHANNELS:
        took = [e.took_s for s in done.students if s.channel == channel for e in s.asked.values()]
        limit = ACKNOWLEDGED_WITHIN_S[done.mode]
        if took and p95(took) > limit:
            print(
                f"FAIL ({done.title}): {channel} acknowledges too late: {p95(took):.2f} s instead of {limit} s."
            )
            good = False
    rate = done.count / done.took_s
    if done.mode == "burst" and not done.disturbance and rate < LEAST_REPLIES_PER_S:
        print(f"FAIL ({done.title}): {rate:.1f} replies a second instead of {LEAST_REPLIES_PER_S}.")
        good = False
    if good:
        print(
            f"OK ({done.title}): every message was answered exactly once and in order, and acknowledged in time.\n"
        )
    return good


def p95(values: Sequence[float]) -> float:
    """Return the 95th percentile."""
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def _short(texts: Sequence[str], index: int) -> str:
    return repr(texts[index][:60]) if index < len(texts) else "nothing"


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        transient=True,
    )


# --- the whole ----------------------------------------------------------------------------------------------------


def shares(students: int) -> Mapping[str, int]:
    """Return the number of writers on each channel: equal shares, the first channels with one more (50 each of 200)."""
    share, more = divmod(students, len(CHANNELS))
    return {channel: share + (number < more) for number, channel in enumerate(CHANNELS)}


async def run(arguments: argparse.Namespace) -> bool:
    """The modes asked for; whether all was as it must be."""
    with QUESTIONS.open(encoding="utf-8", newline="") as lines:
        answered = [
            row["question"]
            for row in csv.DictReader(lines)
            # Those whose answer depends on nobody.
            if row["decision"] == "answer" and not row["cohort"] and not row["major"] and not row["program"]
        ]
    candidates = Random(arguments.seed).sample(answered, min(len(answered), CANDIDATES))
    with TemporaryDirectory(prefix="covan-channels-") as directory:
        # A folder, as a school has it: Rasa takes what is trained meanwhile.
        models = Path(directory) / "models"
        models.mkdir()
        shutil.copy2(ensure_model(Settings(state_dir=ROOT / ".covan")), models)
        with serving(Path(directory), models, web_secret=uuid.uuid4().hex) as servers:
            return await _walks(arguments, candidates, *servers)


async def _walks(
    arguments: argparse.Namespace,
    candidates: Sequence[str],
    rasa: RealServers,
    telegram: TelegramApi,
    messenger: GraphApi,
    zalo: ZaloApi,
) -> bool:
    disturbance: Disturbance = (
        "Rasa restarts" if arguments.restart_rasa else "a model trains" if arguments.train else ""
    )
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with (
        generating(rasa.url) as load,
        httpx.AsyncClient(trust_env=False, timeout=PATIENCE_S, limits=limits) as client,
    ):
        school = School(rasa, telegram, messenger, zalo, client, load)
        bringing = asyncio.create_task(school.bring())
        try:
            with Console().status("What must be said to each question …"):
                expected = await expected_replies(school, candidates, arguments.turns)
            good = True
            for mode in [arguments.mode] if arguments.mode else MODES:
                counts = shares(arguments.students)
                good &= await walk(school, mode, disturbance, counts, expected, arguments.seed)
            return good
        finally:
            bringing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await bringing


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mode", choices=MODES)
    meanwhile = parser.add_mutually_exclusive_group()
    meanwhile.add_argument("--restart-rasa", action="store_true")
    meanwhile.add_argument("--train", action="store_true")
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.students < len(CHANNELS) or not 1 <= arguments.turns <= MOST_TURNS:
        parser.error(f"there must be {len(CHANNELS)} students or more, and 1 to {MOST_TURNS} turns")
    # A sign of typing that is called off when the reply is there breaks off a request to the stand-in.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    try:
        good = asyncio.run(run(arguments))
    except BenchmarkError as error:
        sys.exit(f"FAIL: {error}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
