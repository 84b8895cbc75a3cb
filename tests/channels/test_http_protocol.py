"""The writes of a connection for an answer, and their moments."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from channels.app import server_of
from channels.connections import Capacity, Connections
from channels.proxies import TrustedProxies
from channels.refusals import Refusals

GET = b"GET / HTTP/1.1\r\nHost: x\r\n"
SOON_S = 10.0


class Wire(asyncio.Transport):
    """Notes what is written and closed."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[bytes | str] = []

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)}.get(name, default)

    def write(self, data: Any) -> None:
        self.done.append(bytes(data))

    def close(self) -> None:
        self.done.append("closed")

    def is_closing(self) -> bool:
        return "closed" in self.done

    def resume_reading(self) -> None:
        """Nothing comes."""


async def asked(
    app: ASGIApp, request: bytes, until: Callable[[list[bytes | str]], bool]
) -> list[bytes | str]:
    """Send a request to an application; returns what was written and closed when `until` is true of it."""
    connections = Connections(Capacity.of_files(4_096), TrustedProxies(()), Refusals())
    config = server_of(app, "127.0.0.1", 0, lambda: None, connections).config
    config.load()
    wire = Wire()
    protocol: Any = config.http_protocol_class(config, ServerState(), {}, asyncio.get_running_loop())  # type: ignore[operator,call-arg]
    protocol.connection_made(wire)
    protocol.data_received(request)

    async def wait() -> None:
        while not until(wire.done):
            await asyncio.sleep(0)

    await asyncio.wait_for(wait(), SOON_S)
    # Further steps of the loop show whether anything is written twice or too late.
    for _ in range(10):
        await asyncio.sleep(0)
    done = list(wire.done)
    protocol.connection_lost(None)
    return done


def test_an_answer_is_written_in_one_piece() -> None:
    (written,) = asyncio.run(asked(PlainTextResponse("chào"), GET + b"\r\n", bool))

    assert isinstance(written, bytes)
    head, _, body = written.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert body.decode() == "chào"


def test_an_answer_is_written_before_the_connection_is_closed() -> None:
    closing = GET + b"Connection: close\r\n\r\n"

    written, closed, *_ = asyncio.run(
        asked(PlainTextResponse("chào"), closing, lambda done: "closed" in done)
    )

    assert isinstance(written, bytes)
    assert written.endswith("chào".encode())
    assert closed == "closed"


@pytest.mark.parametrize("pieces", [0, 2])
def test_the_head_of_a_stream_does_not_wait_for_its_body(pieces: int) -> None:
    async def body() -> Any:
        for number in range(pieces):
            await asyncio.sleep(0.01)
            yield f"{number}"
        await asyncio.sleep(SOON_S)

    done = asyncio.run(asked(StreamingResponse(body()), GET + b"\r\n", lambda done: len(done) > pieces))

    assert isinstance(done[0], bytes)
    assert done[0].startswith(b"HTTP/1.1 200 OK")
    assert done[0].endswith(b"\r\n\r\n")
    assert done[1:] == [f"1\r\n{number}\r\n".encode() for number in range(pieces)]
