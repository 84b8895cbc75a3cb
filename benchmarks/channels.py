#!/usr/bin/env python3
"""Many students at once, on all three channels: is every message answered once and in order, and acknowledged in time?

    .venv/bin/python benchmarks/channels.py [--students 200] [--turns 10] [--seed 1]

Starts Rasa and the action server as a school runs them, and Telegram's and Facebook's interfaces as stand-ins that
speak the real protocols over HTTP; all of it on this machine. About a third of the students write on each channel: by
signed or secret-bearing webhooks, or on the website, whose replies come as server-sent events. Each asks the same
questions in an order of its own. What must be said to each question was found out before, by students who were alone.

Two walks: in the first, a student writes again when the reply has come; in the second, all at once, without waiting.

Expected: each student has got exactly the replies to the questions asked, in that order, none missing and none twice;
the 95th percentile of the time until a message is acknowledged is below a tenth of the platform's deadline. Otherwise
it says what was wrong, and the exit code is 1. The times to a reply say how many students a machine of this size can
serve; they are measured with everything, stand-ins and students too, on the same two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import json
import logging
import os
import sqlite3
import sys
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import ClassVar, Literal

os.environ.setdefault("OMP_NUM_THREADS", "1")

import httpx
from real_servers import RealServers
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))

from graph_api import GraphApi
from platforms import serving
from telegram_api import SECRET, TelegramApi

QUESTIONS = Path(__file__).parent / "sample_school" / "questions.csv"

DEADLINES_S: Mapping[str, float] = {
    # Seconds that a platform waits for a webhook's answer before it repeats the update:
    # https://github.com/tdlib/telegram-bot-api/issues/341 (a maintainer's word; the documentation has none).
    "telegram": 60.0,
    # "A webhook call will timeout after 20 seconds": https://developers.facebook.com/docs/messenger-platform/faq
    "messenger": 20.0,
    # Our own: TIMEOUT_MS of widget/src/api.ts.
    "web": 20.0,
}

MOST_OF_DEADLINE = 0.1
"""The share of it that the 95th percentile of the acknowledgements may take."""

MOST_TURNS = 18
"""Of one student: the channels take 20 messages a minute (channels/delivery/store.py)."""

CANDIDATES = 5 * MOST_TURNS
"""Questions that are tried at most; only those with the same answer every time serve."""

LOOK_EVERY_S = 0.05
PATIENCE_S = 300.0
"""Without a single reply to anybody."""

Walk = Literal["one after the other", "all at once"]
WALKS: Sequence[Walk] = ("one after the other", "all at once")


class BenchmarkError(Exception):
    """The servers did not do what they are measured for."""


# --- students -----------------------------------------------------------------------------------------------------


@dataclass
class Student(ABC):
    """A student with questions and replies; times are those of `time.monotonic`."""

    channel: ClassVar[str]
    client: httpx.AsyncClient
    name: str
    heard: list[str] = field(default_factory=list)
    heard_at: list[float] = field(default_factory=list)
    asked_at: list[float] = field(default_factory=list)
    acknowledged_s: list[float] = field(default_factory=list)
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, text: str) -> None:
        """Send a message; returns when it is acknowledged. Raises BenchmarkError when it is refused."""
        began = time.monotonic()
        status = await self._post(text)
        self.acknowledged_s.append(time.monotonic() - began)
        self.asked_at.append(began)
        if not 200 <= status < 300:
            raise BenchmarkError(f"{self.channel} answered {status} to a message")

    @abstractmethod
    async def _post(self, text: str) -> int:
        """Bring a message to the channel; HTTP's status."""

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

    def __init__(self, client: httpx.AsyncClient, url: str, api: TelegramApi, number: int) -> None:
        super().__init__(client, str(number))
        self._url, self._api, self._number = f"{url}/webhooks/telegram/webhook", api, number

    async def _post(self, text: str) -> int:
        headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
        update = self._api.writes(self._number, text)
        return (await self.client.post(self._url, json=update, headers=headers)).status_code


class OnMessenger(Student):
    """Batches of one event, signed by the platform."""

    channel = "messenger"

    def __init__(self, client: httpx.AsyncClient, url: str, api: GraphApi, number: int) -> None:
        super().__init__(client, str(number))
        self._url, self._api = f"{url}/webhooks/messenger/webhook", api

    async def _post(self, text: str) -> int:
        body = self._api.batch(self._api.message(self.name, text))
        headers = {"X-Hub-Signature-256": self._api.signature(body), "content-type": "application/json"}
        return (await self.client.post(self._url, content=body, headers=headers)).status_code


class OnWebsite(Student):
    """A page: a session, a stream of events, messages."""

    channel = "web"

    def __init__(self, client: httpx.AsyncClient, url: str, number: int) -> None:
        super().__init__(client, str(number))
        self._url = f"{url}/webhooks/web"
        # As the reverse proxy would say: each from a house of their own.
        self._headers = {"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Open the page; its stream is read until the end of the block."""
        given = await self.client.post(f"{self._url}/session", json={}, headers=self._headers)
        self._headers["Authorization"] = f"Bearer {given.raise_for_status().json()['token']}"
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

    async def _post(self, text: str) -> int:
        body = {"id": str(uuid.uuid4()), "text": text}
        return (await self.client.post(f"{self._url}/messages", json=body, headers=self._headers)).status_code

    async def _read(self, opened: asyncio.Event) -> None:
        events = f"{self._url}/events"
        async with self.client.stream("GET", events, headers=self._headers, timeout=None) as stream:
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
    client: httpx.AsyncClient
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
            return OnTelegram(self.client, url, self.telegram, number)
        if channel == "messenger":
            return OnMessenger(self.client, url, self.messenger, number)
        return OnWebsite(self.client, url, number)

    async def bring(self) -> None:
        """Bring what the platforms have been sent to the students, until it is cancelled."""
        seen_telegram = seen_messenger = 0
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
            await asyncio.sleep(LOOK_EVERY_S)

    def _hear(self, channel: str, name: str, text: str, at: float) -> None:
        if (student := self._students.get((channel, name))) is not None:
            student.hear(text, at)

    def unfinished(self) -> int:
        """Return the number of messages and calls that the servers have not handled."""
        database = self.servers.settings.state_dir / "channels.sqlite"
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)) as store:
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

    Two students ask each of them on each channel, in opposite orders: an answer must depend neither on chance nor on
    what was asked before. Raises BenchmarkError when there are too few.
    """
    found: dict[str, dict[str, Sequence[str]]] = {channel: {} for channel in DEADLINES_S}
    for first in range(0, len(questions), MOST_TURNS):
        some = questions[first : first + MOST_TURNS]
        async with school.students(dict.fromkeys(DEADLINES_S, 2)) as students:
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
        if len(usable) >= count:
            return {channel: {q: replies[q] for q in usable[:count]} for channel, replies in found.items()}
    raise BenchmarkError(f"too few of {len(questions)} questions are answered alike each time")


async def _alone(school: School, student: Student, questions: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return the replies to each question."""
    said: dict[str, Sequence[str]] = {}
    for question in questions:
        before = len(student.heard)
        await student.ask(question)
        await asyncio.wait_for(student.until_heard(before + 1), PATIENCE_S)
        await school.settled()
        said[question] = tuple(student.heard[before:])
    return said


# --- measuring ----------------------------------------------------------------------------------------------------


async def walk(school: School, kind: Walk, counts: Mapping[str, int], expected: Expected, seed: int) -> bool:
    """Let them all talk, print what it took; whether all was as it must be."""
    turns = len(next(iter(expected.values())))
    async with school.students(counts) as students:
        orders = [
            Random(f"{seed} {number}").sample(list(expected[student.channel]), turns)
            for number, student in enumerate(students)
        ]
        began = time.monotonic()
        with _progress() as bar:
            task = bar.add_task(kind, total=len(students) * turns)
            talks = [
                asyncio.create_task(_talk(student, order, expected[student.channel], kind))
                for student, order in zip(students, orders, strict=True)
            ]
            await _watched(talks, students, expected, bar, task)
        took = time.monotonic() - began
        await school.settled()
        wrong = [
            (student, order, wanted)
            for student, order in zip(students, orders, strict=True)
            if student.heard != (wanted := _wanted(expected[student.channel], order))
        ]
        _print_walk(kind, students, orders, expected, took, turns)
    return _judged(kind, students, wrong)


async def _talk(
    student: Student, order: Sequence[str], replies: Mapping[str, Sequence[str]], kind: Walk
) -> None:
    count = 0
    for question in order:
        await student.ask(question)
        count += len(replies[question])
        if kind == "one after the other":
            await student.until_heard(count)
    await student.until_heard(count)


async def _watched(
    talks: Sequence[asyncio.Task[None]],
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
    pending = set(talks)
    while pending:
        done, pending = await asyncio.wait(pending, timeout=0.5, return_when=asyncio.FIRST_EXCEPTION)
        for ended in done:
            ended.result()
        heard = sum(len(student.heard) for student in students)
        bar.update(task, completed=sum(len(s.heard) / per_turn[s.channel] for s in students))  # type: ignore[arg-type]
        if heard != last:
            last, last_at = heard, time.monotonic()
        elif time.monotonic() - last_at > PATIENCE_S:
            # The comparison reports missing replies.
            for talk in pending:
                talk.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            return


def _wanted(replies: Mapping[str, Sequence[str]], order: Sequence[str]) -> list[str]:
    return [text for question in order for text in replies[question]]


def _reply_times(
    student: Student, order: Sequence[str], replies: Mapping[str, Sequence[str]]
) -> Iterator[float]:
    """Yield seconds from each message to the first of what was said to it."""
    at = 0
    for asked, question in zip(student.asked_at, order, strict=False):
        if at >= len(student.heard_at):
            return
        yield student.heard_at[at] - asked
        at += len(replies[question])


def _print_walk(
    kind: Walk,
    students: Sequence[Student],
    orders: Sequence[Sequence[str]],
    expected: Expected,
    took: float,
    turns: int,
) -> None:
    table = Table(title=f"{kind}: {len(students)} students, {turns} messages each", title_justify="left")
    for heading in (
        *("channel", "students", "acknowledged p50", "p95", "of the deadline", "reply p50", "p95"),
    ):
        table.add_column(heading, justify="left" if heading == "channel" else "right")
    for channel, deadline in DEADLINES_S.items():
        of = [(s, order) for s, order in zip(students, orders, strict=True) if s.channel == channel]
        acknowledged = [seconds for s, _ in of for seconds in s.acknowledged_s]
        replied = [seconds for s, order in of for seconds in _reply_times(s, order, expected[channel])]
        if not acknowledged or not replied:
            continue
        table.add_row(
            channel,
            str(len(of)),
            f"{1000 * median(acknowledged):.0f} ms",
            f"{1000 * p95(acknowledged):.0f} ms",
            f"{p95(acknowledged) / deadline:.4f}",
            f"{median(replied):.1f} s",
            f"{p95(replied):.1f} s",
        )
    console = Console(width=110)
    console.print(table)
    console.print(f"{len(students) * turns / took:.1f} replies a second, {took:.0f} s in all\n")


def _judged(
    kind: Walk, students: Sequence[Student], wrong: Sequence[tuple[Student, Sequence[str], Sequence[str]]]
) -> bool:
    good = not wrong
    for student, order, wanted in wrong[:5]:
        first = next(
            (i for i, pair in enumerate(zip(student.heard, wanted, strict=False)) if pair[0] != pair[1]),
            min(len(student.heard), len(wanted)),
        )
        print(
            f"FAIL: {student.channel} {student.name} got {len(student.heard)} messages instead of {len(wanted)}; "
            f"number {first + 1} is {_short(student.heard, first)} instead of {_short(wanted, first)}. "
            f"Asked: {order}"
        )
    if wrong:
        print(
            f"FAIL ({kind}): {len(wrong)} of {len(students)} students were not answered exactly once in order."
        )
    for channel, deadline in DEADLINES_S.items():
        acknowledged = [
            s for student in students if student.channel == channel for s in student.acknowledged_s
        ]
        if acknowledged and p95(acknowledged) / deadline >= MOST_OF_DEADLINE:
            print(
                f"FAIL ({kind}): {channel} acknowledges too late: {p95(acknowledged):.1f} s of {deadline:.0f} s."
            )
            good = False
    if good:
        print(
            f"OK ({kind}): every message was answered exactly once and in order, and acknowledged in time.\n"
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
    """Return the number of writers on each channel: a third, Telegram with the rest (200: 70, 65, 65)."""
    others = round(0.325 * students)
    return {"telegram": students - 2 * others, "messenger": others, "web": others}


async def run(arguments: argparse.Namespace) -> bool:
    """Both walks; whether all was as it must be."""
    with QUESTIONS.open(encoding="utf-8", newline="") as lines:
        answered = [
            row["question"]
            for row in csv.DictReader(lines)
            # Those whose answer depends on nobody.
            if row["decision"] == "answer" and not row["cohort"] and not row["major"] and not row["program"]
        ]
    candidates = Random(arguments.seed).sample(answered, min(len(answered), CANDIDATES))
    with (
        TemporaryDirectory(prefix="covan-channels-") as directory,
        serving(Path(directory), web_secret=uuid.uuid4().hex, trusted_proxies=1) as (rasa, tg, fb),
    ):
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE_S, limits=limits) as client:
            school = School(rasa, tg, fb, client)
            bringing = asyncio.create_task(school.bring())
            try:
                with Console().status("What must be said to each question …"):
                    expected = await expected_replies(school, candidates, arguments.turns)
                good = True
                for kind in WALKS:
                    good &= await walk(school, kind, shares(arguments.students), expected, arguments.seed)
                return good
            finally:
                bringing.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await bringing


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.students < 3 or not 1 <= arguments.turns <= MOST_TURNS:
        parser.error(f"there must be 3 students or more, and 1 to {MOST_TURNS} turns")
    # A sign of typing that is called off when the reply is there breaks off a request to the stand-in.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    try:
        good = asyncio.run(run(arguments))
    except BenchmarkError as error:
        sys.exit(f"FAIL: {error}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
