"""Fault 4: idle and slow connections keep nobody out, and are told and counted where HTTP allows."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest
from answerers import Answerer
from front_door_server import NO_RASA, open_front_door, serving
from starlette.responses import StreamingResponse

from channels import http_protocol
from channels.connections import Capacity, Connections
from channels.delivery.draft import Draft
from channels.front_door import FrontDoor
from channels.health import Health
from channels.proxies import TrustedProxies
from channels.refusals import Refusals
from channels.web.limits import OpenStreams
from rag.settings import Settings

DEADLINE_S = 60
SOON_S = 10
SECRET = "a secret of 32 letters and digits"
GET = b"GET /api/school HTTP/1.1\r\nHost: x\r\n\r\n"
HEAD = b"POST /webhooks/web/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


class Echo(Answerer):
    async def answer(self, channel, sender, turn, typing):
        return [Draft(f"re: {turn.content.text}")]


class Client:
    """A connection that is written to by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, *pieces: bytes, pause_s: float = 0.0) -> None:
        with contextlib.suppress(ConnectionError):
            for piece in pieces:
                self.writer.write(piece)
                await self.writer.drain()
                await asyncio.sleep(pause_s)

    async def end(self) -> bytes:
        """All that comes until the server closes."""
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(self.reader.read(), SOON_S)
        return b""

    async def answer(self) -> int:
        """The status of the next answer, which must have a length."""
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), SOON_S)
        length = next(
            int(line.split(b":")[1])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length")
        )
        await self.reader.readexactly(length)
        return int(head.split(b" ")[1])


class Door:
    def __init__(self, door: FrontDoor, url: str) -> None:
        self.door, self.url = door, url
        self.port = int(url.rpartition(":")[2])
        self._clients: list[Client] = []

    async def connect(self, source: str = "127.0.0.1") -> Client:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))
        self._clients.append(Client(reader, writer))
        return self._clients[-1]

    @contextlib.asynccontextmanager
    async def http(self, source: str = "127.0.0.1") -> AsyncIterator[httpx.AsyncClient]:
        transport = httpx.AsyncHTTPTransport(local_address=source)
        async with httpx.AsyncClient(base_url=self.url, transport=transport, timeout=SOON_S) as client:
            yield client

    def refused(self) -> dict[str, int]:
        return dict(self.door.health.report()["refused"])

    def close(self) -> None:
        for client in self._clients:
            client.writer.close()


def with_door(
    tmp_path: Any, test: Callable[[Door], Awaitable[None]], capacity: Capacity | None = None
) -> None:
    """Run a test on a front door; with `capacity`, addresses of the loopback count as any other address."""

    async def whole() -> None:
        settings = Settings(
            channels_db=f"sqlite:///{tmp_path / 'channels.sqlite'}", rasa_urls=NO_RASA, web_secret=SECRET
        )
        door = FrontDoor(settings)
        door.delivery.answering = Echo()
        if capacity is not None:
            door.connections = Connections(capacity, TrustedProxies([]), door.delivery.refusals)
            door.health = Health(settings, door.rasa, door.delivery, door.connections)
        async with open_front_door(door) as url:
            opened = Door(door, url)
            try:
                await test(opened)
            finally:
                opened.close()

    asyncio.run(asyncio.wait_for(whole(), DEADLINE_S))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEADERS_WITHIN_S", "BODY_WITHIN_S", "READS_WITHIN_S", "REFUSED_WITHIN_S"):
        monkeypatch.setattr(http_protocol, name, 0.5)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        ([], b""),
        ([b"\r\n"] * 8, b"HTTP/1.1 408"),
        ([bytes([letter]) for letter in GET[:20]], b"HTTP/1.1 408"),
        ([HEAD, *[b"X-A: b\r\n"] * 20], b"HTTP/1.1 408"),
        ([HEAD + b"Content-Length: 50\r\n\r\n", *[b" "] * 20], b"HTTP/1.1 408"),
        ([HEAD + b"Transfer-Encoding: chunked\r\n\r\n", *[b"1\r\n \r\n"] * 20], b"HTTP/1.1 408"),
        ([HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", *[b"X-A: b\r\n"] * 20], b"HTTP/1.1 408"),
    ],
    ids=["silent", "line ends", "address", "headers", "body", "chunks", "trailers"],
)
def test_fault_4_a_request_that_does_not_arrive_in_time_is_told_and_counted(
    tmp_path: Any, pieces: list[bytes], told: bytes
) -> None:
    async def test(door: Door) -> None:
        client = await door.connect()
        sending = asyncio.create_task(client.send(*pieces, pause_s=0.1))
        got = await client.end()
        assert got.startswith(told) if told else not got
        assert door.refused()["slow"] == 1
        sending.cancel()

    with_door(tmp_path, test)


@pytest.mark.usefixtures("quick")
def test_fault_4_a_second_request_has_the_same_time(tmp_path: Any) -> None:
    async def test(door: Door) -> None:
        client = await door.connect()
        await client.send(GET)
        assert await client.answer() == 200
        # The silence between two requests may be longer.
        await asyncio.sleep(1.0)
        await client.send(GET)
        assert await client.answer() == 200
        await client.send(GET[:20])
        assert (await client.end()).startswith(b"HTTP/1.1 408")

    with_door(tmp_path, test)


@pytest.mark.usefixtures("quick")
def test_fault_4_who_takes_nothing_of_an_answer_is_cut_off() -> None:
    async def long() -> AsyncIterator[bytes]:
        for _ in range(2_000):
            yield b"a" * 65_536

    refusals = Refusals()
    connections = Connections(Capacity.of_files(1_024), TrustedProxies([]), refusals)
    with serving(StreamingResponse(long()), connections=connections) as url, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", int(url.rpartition(":")[2])))
        client.sendall(GET)
        until = time.monotonic() + SOON_S
        while not refusals.counts() and time.monotonic() < until:
            time.sleep(0.05)
        assert refusals.counts() == {"slow": 1}
        assert connections.counts()["open"] == 0


@pytest.mark.usefixtures("quick")
def test_fault_4_a_stream_lasts_longer_than_any_request(tmp_path: Any) -> None:
    async def test(door: Door) -> None:
        async with door.http() as http:
            token = (await http.post("/webhooks/web/session", json={})).json()["token"]
            headers = {"Authorization": f"Bearer {token}"}
            async with http.stream("GET", "/webhooks/web/events", headers=headers) as stream:
                lines = stream.aiter_lines()
                await anext(lines)
                await asyncio.sleep(1.5)
                message = {"id": "client-id-0001", "text": "xin chào"}
                assert (
                    await http.post("/webhooks/web/messages", json=message, headers=headers)
                ).status_code == 202
                while "re: xin chào" not in await anext(lines):
                    pass
        assert door.refused() == {}

    with_door(tmp_path, test)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (GET[:-2] + b"X-Long: " + b"a" * 200_000 + b"\r\n\r\n", 431),
        (
            GET[:-2] + b"".join(b"X-%d: aaaaaaaaaaaaaaaa\r\n" % number for number in range(2_000)) + b"\r\n",
            431,
        ),
        (b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 431),
        (GET[:-2] + b"X-Never-Ends: " + b"a" * 100_000, 431),
        (GET[:-2] + b"X-Long: " + b"a" * 20_000 + b"\r\n\r\n", 200),
        (HEAD + b"Content-Length: 60000\r\n\r\n" + b" " * 60_000 + GET, 400),
    ],
    ids=["one header", "many headers", "address", "without end", "long enough", "a body is no header"],
)
def test_fault_4_headers_have_a_limit(tmp_path: Any, request_: bytes, status: int) -> None:
    async def test(door: Door) -> None:
        client = await door.connect()
        for pieces in ([request_], [request_[at : at + 10_000] for at in range(0, len(request_), 10_000)]):
            client = await door.connect()
            sending = asyncio.create_task(client.send(*pieces))
            try:
                assert await client.answer() == status
            except (ConnectionError, asyncio.IncompleteReadError):
                # A client that goes on sending may see the end of the connection before the answer.
                assert status == 431
            await sending
        assert door.refused().get("headers_too_large", 0) == (2 if status == 431 else 0)

    with_door(tmp_path, test)


def test_fault_4_a_new_client_takes_the_place_of_the_one_that_waits_longest(tmp_path: Any) -> None:
    async def test(door: Door) -> None:
        silent = [await door.connect(f"127.0.0.{2 + number % 5}") for number in range(20)]
        slow = await door.connect("127.0.0.9")
        await slow.send(HEAD + b"Content-Length: 50\r\n\r\n")
        async with door.http("127.0.0.10") as http:
            health = (await http.get("/api/health")).json()
        assert health["connections"] == {"open": 20, "most": 20}
        assert health["refused"] == {"idle": 2}
        assert await silent[0].end() == b""
        await silent[-1].send(GET)
        assert await silent[-1].answer() == 200
        for number in range(19):
            await door.connect(f"127.0.1.{number + 1}")
        assert (await slow.end()).startswith(b"HTTP/1.1 503")

    with_door(tmp_path, test, Capacity(connections=20, of_an_address=10, streams=10))


def test_fault_4_an_address_has_its_share_and_is_told_when_it_is_full(tmp_path: Any) -> None:
    async def test(door: Door) -> None:
        async with contextlib.AsyncExitStack() as open_:
            for _ in range(4):
                http = await open_.enter_async_context(door.http("127.0.0.2"))
                token = (await http.post("/webhooks/web/session", json={})).json()["token"]
                headers = {"Authorization": f"Bearer {token}"}
                stream = await open_.enter_async_context(
                    http.stream("GET", "/webhooks/web/events", headers=headers)
                )
                assert stream.status_code == 200
            async with door.http("127.0.0.2") as fifth:
                told = await fifth.get("/api/health")
            assert (told.status_code, told.headers["retry-after"]) == (503, "15")
            assert "Too many connections" in told.text
            async with door.http("127.0.0.3") as elsewhere:
                assert (await elsewhere.get("/api/school")).status_code == 200
        assert door.refused() == {"connections": 1}

    with_door(tmp_path, test, Capacity(connections=20, of_an_address=4, streams=10))


def test_fault_4_streams_leave_room_for_requests(tmp_path: Any) -> None:
    async def test(door: Door) -> None:
        web: Any = door.door.channels["web"]
        web._open.streams = OpenStreams(in_all=3)
        async with contextlib.AsyncExitStack() as open_, door.http() as http:
            statuses = []
            for _ in range(4):
                token = (await http.post("/webhooks/web/session", json={})).json()["token"]
                headers = {"Authorization": f"Bearer {token}"}
                stream = await open_.enter_async_context(
                    http.stream("GET", "/webhooks/web/events", headers=headers)
                )
                statuses.append(stream.status_code)
            assert statuses == [200, 200, 200, 429]
            assert int(stream.headers["retry-after"]) > 0
            message = {"id": "client-id-0001", "text": "xin chào"}
            taken = await http.post("/webhooks/web/messages", json=message, headers=headers)
            assert taken.status_code == 202
        assert door.refused() == {"streams": 1}

    with_door(tmp_path, test)


def test_fault_4_a_new_student_is_served_beside_idle_connections_and_streams(tmp_path: Any) -> None:
    """`benchmarks/idle_connections.py` does the same with 1,500 and 500, and measures."""

    async def test(door: Door) -> None:
        async with contextlib.AsyncExitStack() as open_:
            for number in range(150):
                await door.connect(f"127.0.0.{2 + number % 5}")
            for number in range(50):
                http = await open_.enter_async_context(door.http(f"127.0.0.{2 + number % 5}"))
                token = (await http.post("/webhooks/web/session", json={})).json()["token"]
                headers = {"Authorization": f"Bearer {token}"}
                stream = await open_.enter_async_context(
                    http.stream("GET", "/webhooks/web/events", headers=headers)
                )
                assert stream.status_code == 200
            began = time.monotonic()
            async with door.http("127.0.0.9") as student:
                assert (await student.get("/")).status_code == 200
                token = (await student.post("/webhooks/web/session", json={})).json()["token"]
                headers = {"Authorization": f"Bearer {token}"}
                message = {"id": "client-id-0001", "text": "xin chào"}
                await student.post("/webhooks/web/messages", json=message, headers=headers)
                said: list[str] = []
                while "re: xin chào" not in said:
                    await asyncio.sleep(0.05)
                    told = await student.get("/webhooks/web/messages", headers=headers)
                    said = [each["text"] for each in told.json()["messages"]]
            assert time.monotonic() - began < SOON_S

    # As many as a process gets that may have 1,024 files open.
    with_door(tmp_path, test, Capacity.of_files(1_024))


def test_fault_4_the_limit_of_open_files_is_raised_and_a_low_one_is_told() -> None:
    code = (
        "import resource, sys; hard = int(sys.argv[1]);"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard));"
        "from channels.connections import raise_open_files; print(raise_open_files())"
    )

    def run(hard: int) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-c", code, str(hard)], capture_output=True, text=True, check=True
        )
        return int(done.stdout), done.stderr

    files, told = run(5_000)
    assert (files, told) == (5_000, "")
    files, told = run(600)
    assert files == 600
    assert "may have 600 files open, which is enough for 344 connections" in told
