"""A server at the addresses of Rasa's channel of the website, from a script: for what stands before it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from aiohttp import web
from served import served


@dataclass(frozen=True)
class Asked:
    """A request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class WebChannelStandIn:
    """Where it listens, what it was asked, and what it does.

    `answers` are status, headers and body by method and path; what has none is answered 200 with an empty object. A
    stream says its event and stays open until `ended` is set; `streams` counts the open ones.
    """

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    answers: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    delay_s: float = 0.0
    event: bytes = b"event: typing\ndata: {}\n\n"
    ended: threading.Event = field(default_factory=threading.Event)
    streams: int = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(
            Asked(request.method, request.path_qs, dict(request.headers.items()), await request.read())
        )
        await asyncio.sleep(self.delay_s)
        status, headers, body = self.answers.get(
            f"{request.method} {request.path}", (200, {"Content-Type": "application/json"}, b"{}")
        )
        if status == 200 and request.path.endswith("/events"):
            return await self._stream(request)
        return web.Response(status=status, headers=headers, body=body)

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(
            headers={
                "Content-Type": "text/event-stream",
                "Cache-Control": "no-store",
                "X-Accel-Buffering": "no",
            }
        )
        await answer.prepare(request)
        self.streams += 1
        try:
            await answer.write(self.event)
            while not self.ended.is_set():
                await asyncio.sleep(0.02)
        finally:
            self.streams -= 1
        return answer


@contextmanager
def web_channel() -> Iterator[WebChannelStandIn]:
    """Run the stand-in on a free loopback port, in a thread of its own."""
    stand_in = WebChannelStandIn()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", stand_in.handle)
    with served(app) as stand_in.url:
        try:
            yield stand_in
        finally:
            stand_in.ended.set()
