#!/usr/bin/env python3
"""1,500 idle connections and 500 open streams: is a new student served within a second?

    .venv/bin/python benchmarks/idle_connections.py [--idle 1500] [--streams 500] [--students 20]

Starts Rasa, the action server and the front door as a school runs them. A third of the idle connections sends nothing,
a third half of a request's headers, a third half of a body; each that the front door closes is opened again at once.
The streams are those of students who have the chat open. All come from ten addresses. Then new students come, one after
the other: each opens the page, gets a session and a stream, and asks; the clock runs from the connection to the reply.

Expected: each new student has the page and the acknowledgement, and the reply, within a second; no stream is lost.
Otherwise the exit code is 1.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import sys
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

os.environ.setdefault("OMP_NUM_THREADS", "1")

import httpx
from real_servers import WITH_CHANNELS, RealServers
from rich.console import Console

ADDRESSES = [f"127.0.0.{number}" for number in range(2, 12)]
QUESTION = "Học phí đóng ở đâu ạ?"
WITHIN_S = 1.0
TIMEOUT_S = 60.0

HEAD = b"POST /webhooks/web/session HTTP/1.1\r\nHost: x\r\n"
IDLE = (b"", HEAD, HEAD + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{")


@dataclass(frozen=True)
class Served:
    """Seconds from a student's first connection."""

    page: float
    acknowledged: float
    replied: float


class Idle:
    """Connections that ask for nothing."""

    def __init__(self, port: int) -> None:
        self.open = 0
        self.opened = 0
        self._port = port

    async def keep(self, number: int) -> None:
        """Hold one connection, and open it again whenever the front door closes it."""
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", self._port, local_addr=(ADDRESSES[number % len(ADDRESSES)], 0)
                )
                self.open += 1
                self.opened += 1
                try:
                    writer.write(IDLE[number % len(IDLE)])
                    await reader.read()
                finally:
                    self.open -= 1
                    writer.close()
            await asyncio.sleep(0.05)


def client(url: str, number: int) -> httpx.AsyncClient:
    """A browser at one of the addresses; the header is what a reverse proxy would add."""
    source = ADDRESSES[number % len(ADDRESSES)]
    return httpx.AsyncClient(
        base_url=url,
        transport=httpx.AsyncHTTPTransport(local_address=source),
        headers={"X-Forwarded-For": f"10.0.{number % len(ADDRESSES)}.1"},
        timeout=TIMEOUT_S,
    )


@asynccontextmanager
async def stream(browser: httpx.AsyncClient) -> AsyncIterator[httpx.Response]:
    """A session with its open stream of events."""
    given = await browser.post("/webhooks/web/session", json={})
    browser.headers["Authorization"] = f"Bearer {given.raise_for_status().json()['token']}"
    async with browser.stream("GET", "/webhooks/web/events", timeout=None) as events:
        events.raise_for_status()
        yield events


async def is_open(events: httpx.Response) -> bool:
    """Whether the server still sends: a comment every 15 seconds."""
    try:
        async with asyncio.timeout(30):
            await anext(events.aiter_raw())
    except (httpx.HTTPError, StopAsyncIteration, TimeoutError):
        return False
    return True


async def serve_student(url: str, number: int) -> Served:
    """A student comes, asks, and gets the reply."""
    began = time.monotonic()
    async with client(url, number) as browser:
        (await browser.get("/")).raise_for_status()
        page = time.monotonic() - began
        async with stream(browser) as events:
            body = {"id": str(uuid.uuid4()), "text": QUESTION}
            (await browser.post("/webhooks/web/messages", json=body)).raise_for_status()
            acknowledged = time.monotonic() - began
            async with asyncio.timeout(TIMEOUT_S):
                async for line in events.aiter_lines():
                    if line.startswith("data: ") and json.loads(line[6:]).get("author") == "bot":
                        break
    return Served(page, acknowledged, time.monotonic() - began)


async def measure(url: str, idle_count: int, streams: int, students: int, console: Console) -> bool:
    """Print the figures; return whether they are as expected."""
    idle = Idle(int(url.rpartition(":")[2]))
    for number in range(3):
        await serve_student(url, number)
    async with AsyncExitStack() as pages:
        keeping = [asyncio.create_task(idle.keep(number)) for number in range(idle_count)]
        try:
            listening = []
            for number in range(streams):
                browser = await pages.enter_async_context(client(url, number))
                listening.append(await pages.enter_async_context(stream(browser)))
            # Long enough for the first idle connections to be closed and opened again.
            await asyncio.sleep(15)
            console.print(f"{idle.open} idle connections and {len(listening)} streams are open.")
            served = [await serve_student(url, number) for number in range(students)]
            async with client(url, 0) as browser:
                health = (await browser.get("/api/health")).json()
            alive = sum(await asyncio.gather(*(is_open(events) for events in listening)))
        finally:
            for task in keeping:
                task.cancel()
            await asyncio.gather(*keeping, return_exceptions=True)
    for name in ("page", "acknowledged", "replied"):
        times = [getattr(each, name) for each in served]
        console.print(f"  {name:<13} median {median(times):.3f} s, longest {max(times):.3f} s")
    console.print(f"  idle connections opened {idle.opened} times; streams still open {alive} of {streams}")
    console.print(f"  connections {health['connections']}, refused {health['refused']}")
    return max(each.replied for each in served) <= WITHIN_S and alive == streams


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--idle", type=int, default=1_500)
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--students", type=int, default=20)
    args = parser.parse_args()
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    console = Console(highlight=False)
    with TemporaryDirectory() as directory:
        servers = RealServers(Path(directory), names=WITH_CHANNELS, web_secret=uuid.uuid4().hex)
        try:
            servers.up()
            good = asyncio.run(measure(servers.url, args.idle, args.streams, args.students, console))
        finally:
            servers.close()
    console.print("PASS" if good else "FAIL")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
