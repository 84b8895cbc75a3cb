"""One HTTP request to an ASGI application in this process, as a web server hands it on: any bytes in its headers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from starlette.types import ASGIApp

HANG_S = 20.0
"""Far more than any request takes, on a busy machine, too."""


@dataclass(frozen=True)
class AsgiRequest:
    """A request. `path` and `query` are as they stand in the request line; header names are small letters.

    With `broken_off` the client goes away before the end of the body.
    """

    method: str
    path: bytes
    query: bytes = b""
    headers: Sequence[tuple[bytes, bytes]] = ()
    body: bytes = b""
    chunks: int = 1
    broken_off: bool = False

    def __repr__(self) -> str:
        body = self.body if len(self.body) < 3_000 else self.body[:3_000] + b"..."
        head = f"{self.method} {self.path[:300]!r}?{self.query[:300]!r}"
        return f"{head} {list(self.headers)!r:.1500} {body!r} in {self.chunks}, broken off: {self.broken_off}"


@dataclass
class Answer:
    """What the application answered."""

    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""


async def ask(app: ASGIApp, request: AsgiRequest) -> Answer:
    """Return the answer; a stream of events is left when its first part has come.

    Raises TimeoutError when there is none in time, and whatever the application raises.
    """
    answer, left = Answer(), asyncio.Event()
    size = max(1, -(-len(request.body) // request.chunks))
    parts = [request.body[at : at + size] for at in range(0, len(request.body), size)] or [b""]

    async def receive() -> dict[str, Any]:
        if parts:
            part = parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(parts) or request.broken_off}
        if not request.broken_off:
            await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answer.status, answer.headers = message["status"], list(message.get("headers", ()))
            if any(value.startswith(b"text/event-stream") for _, value in answer.headers):
                left.set()
        elif message["type"] == "http.response.body":
            answer.body += message.get("body", b"")
            if not message.get("more_body"):
                left.set()

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 40_000),
        "scheme": "http",
        "method": request.method,
        "root_path": "",
        # As uvicorn makes it of the request line.
        "path": unquote(request.path.decode("latin-1")),
        "raw_path": request.path,
        "query_string": request.query,
        "headers": list(request.headers),
        "state": {},
    }
    await asyncio.wait_for(app(scope, receive, send), HANG_S)
    return answer
