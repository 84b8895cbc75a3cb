"""Send HTTP requests at given times from a process of its own, and measure when each is answered.

The generator and the front door share the machine in a benchmark. The generator is a process, so that neither waits for
the other's interpreter; it opens a connection for each request that finds none idle, as a reverse proxy does. How much
of a time is the generator's own is measured with the same requests against `instant_server`, which answers at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import multiprocessing
import re
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import urlsplit

import uvloop

UNANSWERED = 0
"""The status of a request whose connection broke."""

START_S = 20.0

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
_END_OF_HEAD = b"\r\n\r\n"
_INSTANT = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"


@dataclass(frozen=True)
class Exchange:
    """A request's HTTP status and times, by `time.monotonic`, which all processes of a machine share."""

    status: int
    due_at: float
    sent_at: float
    answered_at: float

    @property
    def took_s(self) -> float:
        """Return the seconds from the moment that the request was due; a late generator makes it longer."""
        return self.answered_at - self.due_at

    @property
    def late_s(self) -> float:
        """Return the seconds by which the generator sent the request too late."""
        return self.sent_at - self.due_at


def request(path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Return a POST with a JSON body as it goes over the wire."""
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode() + _END_OF_HEAD + body


class LoadGenerator:
    """The generator's process, for requests to one address. Its methods belong to one event loop."""

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        self._process = context.Process(
            target=_generate, args=(there, address.hostname, address.port), daemon=True
        )
        self._tickets = itertools.count()
        self._waiting: dict[int, asyncio.Future[Exchange]] = {}
        self._loop = asyncio.get_running_loop()
        self._process.start()
        there.close()
        threading.Thread(target=self._receive, daemon=True).start()

    @property
    def pid(self) -> int:
        """Return the process's id."""
        assert self._process.pid is not None
        return self._process.pid

    async def send(self, content: bytes) -> Exchange:
        """Send a request at once and return when it is answered."""
        (exchange,) = self.send_all([content], [0.0])
        return await exchange

    def send_all(
        self, contents: Sequence[bytes], after_s: Sequence[float]
    ) -> Sequence[asyncio.Future[Exchange]]:
        """Send each request so many seconds after the generator has got them all."""
        tickets = [next(self._tickets) for _ in contents]
        for ticket in tickets:
            self._waiting[ticket] = self._loop.create_future()
        self._here.send(list(zip(tickets, contents, after_s, strict=True)))
        return [self._waiting[ticket] for ticket in tickets]

    def end(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError):
            self._here.send(None)
        self._process.join(10)

    def _receive(self) -> None:
        try:
            while True:
                done = self._here.recv()
                self._loop.call_soon_threadsafe(self._take, done)
        except (EOFError, OSError):
            # Ended, or broken: nobody would answer what waits.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._abandon)

    def _abandon(self) -> None:
        for future in self._waiting.values():
            future.set_exception(ConnectionError("the generator has ended"))
        self._waiting.clear()

    def _take(self, done: Sequence[tuple[int, Exchange]]) -> None:
        for ticket, exchange in done:
            if not (future := self._waiting.pop(ticket)).cancelled():
                future.set_result(exchange)


@contextlib.asynccontextmanager
async def generating(url: str) -> AsyncIterator[LoadGenerator]:
    """Run a generator until the end of the block."""
    generator = LoadGenerator(url)
    try:
        yield generator
    finally:
        generator.end()


@contextlib.contextmanager
def instant_server() -> Iterator[str]:
    """Run a process that answers every request with 200 at once; yields its address."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_answer_at_once, args=(there,), daemon=True)
    process.start()
    if not here.poll(START_S):
        raise TimeoutError("the server that answers at once did not start")
    try:
        yield f"http://127.0.0.1:{here.recv()}"
    finally:
        process.terminate()
        process.join(10)


# --- in the generator's process ---------------------------------------------------------------------------------------


def _generate(orders: Connection, host: str, port: int) -> None:
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(_Generator(orders, host, port).run())


class _Generator:
    def __init__(self, orders: Connection, host: str, port: int) -> None:
        self._orders = orders
        self._host, self._port = host, port
        self._idle: list[_Client] = []
        self._done: list[tuple[int, Exchange]] = []
        self._reporting = False
        self._ended = asyncio.Event()
        self._opening: set[asyncio.Task[Any]] = set()

    async def run(self) -> None:
        self._loop = asyncio.get_running_loop()
        # The loop would make the pipe non-blocking, which `recv` is not made for.
        threading.Thread(target=self._receive, daemon=True).start()
        await self._ended.wait()

    def _receive(self) -> None:
        try:
            while (orders := self._orders.recv()) is not None:
                self._loop.call_soon_threadsafe(self._take, orders)
        except EOFError:
            pass
        self._loop.call_soon_threadsafe(self._ended.set)

    def _take(self, orders: Sequence[tuple[int, bytes, float]]) -> None:
        now = time.monotonic()
        for ticket, content, after_s in orders:
            if after_s:
                # Not `call_later`: a loop's clock stands still while callbacks run.
                self._loop.call_at(self._loop.time() + after_s, self._begin, ticket, content, now + after_s)
            else:
                self._begin(ticket, content, now)

    def _begin(self, ticket: int, content: bytes, due_at: float) -> None:
        while self._idle:
            client = self._idle.pop()
            if client.is_open:
                client.begin(ticket, content, due_at)
                return
        opening = self._loop.create_task(self._open(ticket, content, due_at))
        self._opening.add(opening)
        opening.add_done_callback(self._opening.discard)

    async def _open(self, ticket: int, content: bytes, due_at: float) -> None:
        try:
            _, client = await self._loop.create_connection(lambda: _Client(self), self._host, self._port)
        except OSError:
            now = time.monotonic()
            self.done(ticket, Exchange(UNANSWERED, due_at, now, now))
            return
        client.begin(ticket, content, due_at)

    def release(self, client: _Client) -> None:
        self._idle.append(client)

    def done(self, ticket: int, exchange: Exchange) -> None:
        self._done.append((ticket, exchange))
        if not self._reporting:
            self._reporting = True
            self._loop.call_soon(self._report)

    def _report(self) -> None:
        self._reporting = False
        self._orders.send(self._done)
        self._done = []


class _Client(asyncio.Protocol):
    """A connection with one request at a time."""

    def __init__(self, generator: _Generator) -> None:
        self._generator = generator
        self._transport: asyncio.Transport | None = None
        self._ticket: int | None = None
        self._received = b""
        self._due_at = self._sent_at = 0.0

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def begin(self, ticket: int, content: bytes, due_at: float) -> None:
        assert self._transport is not None
        self._ticket, self._received, self._due_at = ticket, b"", due_at
        self._sent_at = time.monotonic()
        self._transport.write(content)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, body = self._received.partition(_END_OF_HEAD)
        length = _LENGTH.search(head + b"\r\n")
        if found and len(body) >= (int(length[1]) if length else 0):
            self._end(int(head[9:12]))
            self._generator.release(self)

    def connection_lost(self, _error: Exception | None) -> None:
        self._transport = None
        self._end(UNANSWERED)

    def _end(self, status: int) -> None:
        if self._ticket is not None:
            times = (self._due_at, self._sent_at, time.monotonic())
            self._generator.done(self._ticket, Exchange(status, *times))
            self._ticket = None


# --- in the instant server's process ----------------------------------------------------------------------------------


def _answer_at_once(told: Connection) -> None:
    async def serve() -> None:
        server = await asyncio.get_running_loop().create_server(_Instant, "127.0.0.1", 0, backlog=4096)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(serve())


class _Instant(asyncio.Protocol):
    def __init__(self) -> None:
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, body = self._received.partition(_END_OF_HEAD)
        length = _LENGTH.search(head + b"\r\n")
        if found and len(body) >= (int(length[1]) if length else 0):
            self._received = b""
            self._transport.write(_INSTANT)
