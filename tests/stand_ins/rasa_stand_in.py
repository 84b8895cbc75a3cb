"""A server that speaks as Rasa's web channel does (the same addresses and JSON), from a script."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Turn = dict[str, Any]
Script = Callable[[Turn], list[dict[str, Any]]]


@dataclass
class RasaStandIn:
    """Where it listens, what it was sent, and what it does: `script` may be exchanged while it runs."""

    script: Script
    url: str = ""
    turns: list[Turn] = field(default_factory=list)
    delay_s: float = 0.0
    status: int = 200

    async def webhook(self, request: web.Request) -> web.Response:
        turn = await request.json()
        self.turns.append(turn)
        await asyncio.sleep(self.delay_s)
        if self.status != 200:
            return web.json_response({"status": "failure"}, status=self.status)
        return web.json_response(
            [{"recipient_id": turn["sender"], **message} for message in self.script(turn)]
        )

    async def health(self, _request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})


@contextmanager
def rasa_stand_in(script: Script) -> Iterator[RasaStandIn]:
    """Run the stand-in on a free loopback port, in a thread of its own."""
    stand_in = RasaStandIn(script)
    app = web.Application()
    app.add_routes(
        [web.post("/webhooks/web/webhook", stand_in.webhook), web.get("/webhooks/web/", stand_in.health)]
    )
    started = threading.Event()
    loop = asyncio.new_event_loop()
    runner = web.AppRunner(app)

    async def start() -> None:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        stand_in.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        started.set()

    def run() -> None:
        loop.run_until_complete(start())
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    if not started.wait(10):
        raise TimeoutError("the stand-in did not start")
    try:
        yield stand_in
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
