"""Stand-in for a Rasa process: its internal channel (server/internal_channel.py), over HTTP."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from aiohttp import web

from channels.rasa_client import BASE

TOKEN = "the token of the tests"


class Rasa:
    """Rasa's internal channel, from a script."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.ready = True
        self.status = 200
        self.checked: dict[str, Any] = {}
        self.breaks_off = False
        self.takes_s = 0.0
        self.url = ""
        self._runner: web.AppRunner | None = None
        self._port = 0

    async def start(self) -> None:
        app = web.Application()
        app.router.add_get(f"{BASE}/", self._health)
        app.router.add_post(BASE + "/{what}", self._answer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{self._port}"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _health(self, _request: web.Request) -> web.Response:
        return web.json_response({}, status=200 if self.ready else 503)

    async def _answer(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return web.json_response({"error": "the token"}, status=401)
        what, body = request.match_info["what"], json.loads(await request.read())
        self.asked.append((what, body))
        if self.breaks_off:
            assert request.transport is not None
            request.transport.abort()
        await asyncio.sleep(self.takes_s)
        if what == "check":
            return web.json_response(self.checked)
        if what == "forget":
            return web.Response(status=204)
        answer = {"messages": [{"text": body.get("message", what)}], "language": "en"}
        return web.json_response(answer, status=self.status)
