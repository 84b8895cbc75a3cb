"""The website's channel (channels/web/channel.py) with a scripted bot and a scripted advisor behind it, over HTTP.

Sessions, history, events and errors are as the real one's; what the bot says to what is a function of the test's.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from aiohttp import web
from served import served

BASE = "/webhooks/web"
COMMENT_EVERY_S = 15.0
COMMANDS = frozenset({"start", "help", "profile", "forget", "advisor", "back_to_bot"})

Saying = dict[str, Any]
"""What is said: `text`, and perhaps `act`, `author`, `by`, `buttons` (title, payload), `thumbs`, `citations`, `cards`.
"""

Script = Callable[[str], list[Saying]]
"""What is said to a text, to a button's payload, or to a command ("/start")."""


@dataclass
class Visit:
    """One session: what was said in it, and who listens."""

    id: str
    language: str = ""
    said: list[dict[str, Any]] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    payloads: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    """By a button's id: its title, what it does, the message that it is on."""

    state: dict[str, Any] = field(default_factory=lambda: {"with_advisor": None, "by": "", "quiet": False})
    listeners: set[asyncio.Queue[tuple[str, dict[str, Any]] | None]] = field(default_factory=set)


@dataclass
class ScriptedChat:
    """Where it listens, what it was sent, and what it does; may be changed while it runs."""

    script: Script
    url: str = ""
    visits: dict[str, Visit] = field(default_factory=dict)
    """By token."""

    received: list[dict[str, Any]] = field(default_factory=list)
    """The bodies of POST /messages, those that came twice too."""

    ratings: list[dict[str, Any]] = field(default_factory=list)
    clock: Callable[[], float] = time.time
    """Of the messages' times."""

    delay_s: float = 0.0
    """Between a message and what is said to it."""

    refusing: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """Status and code of what is refused, by method and path ("POST /messages"), or "*"."""

    origins: frozenset[str] = frozenset()

    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _ids: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    # --- what a test does -------------------------------------------------------------------------------------------

    def reset(self, script: Script) -> None:
        """As at first; sessions stay valid."""
        self.script = script
        self.received.clear()
        self.ratings.clear()
        self.refusing = {}
        self.delay_s = 0.0
        self.origins = frozenset()

    @property
    def visit(self) -> Visit:
        """The session that was begun last."""
        return list(self.visits.values())[-1]

    def say(self, saying: Saying, visit: Visit | None = None) -> None:
        """Something is said now, as by an advisor."""
        self._run(self._say(visit or self.visit, saying))

    def speaks(self, with_advisor: str | None, by: str = "", quiet: bool = False) -> None:
        """Somebody else speaks now."""
        self._run(self._state(self.visit, {"with_advisor": with_advisor, "by": by, "quiet": quiet}))

    def typing(self, on: bool) -> None:
        """An answer is being written, or no longer."""
        self._run(self._tell(self.visit, "typing", {"on": on}))

    def forget(self) -> None:
        """All is erased, as a student asked for in the conversation."""
        self.visit.said.clear()
        self._run(self._tell(self.visit, "erased", {}))

    def break_off(self) -> None:
        """Ends all streams."""
        self._run(self._end_streams())

    def expire(self) -> None:
        """No token is valid any longer."""
        self.visits.clear()
        self.break_off()

    def _run(self, doing: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(doing, self._loop).result(10)

    # --- what is said -----------------------------------------------------------------------------------------------

    async def _say(self, visit: Visit, saying: Saying) -> None:
        self._ids += 1
        options = []
        for title, payload in saying.get("buttons", ()):
            option = {"title": title, "id": uuid4().hex[:16]}
            visit.payloads[option["id"]] = (title, payload, self._ids)
            options.append(option)
        thumbs = {"good": {"title": "👍", "id": "g"}, "bad": {"title": "👎", "id": "b"}}
        message = {
            "id": self._ids,
            "at": saying.get("at", self.clock()),
            "author": saying.get("author", "bot"),
            "by": saying.get("by", ""),
            "act": saying.get("act"),
            "text": saying.get("text", ""),
            "options": options,
            "thumbs": thumbs if saying.get("thumbs") else None,
            "citations": saying.get("citations", []),
            "cards": saying.get("cards", []),
            "facts": saying.get("facts", {}),
        }
        visit.said.append(message)
        await self._tell(visit, "message", message)

    async def _state(self, visit: Visit, state: dict[str, Any]) -> None:
        visit.state = state
        await self._tell(visit, "state", state)

    async def _tell(self, visit: Visit, event: str, data: dict[str, Any]) -> None:
        for listener in visit.listeners:
            listener.put_nowait((event, data))

    async def _end_streams(self) -> None:
        for visit in self.visits.values():
            for listener in visit.listeners:
                listener.put_nowait(None)

    async def _answer(self, visit: Visit, said: str, to: int = 0) -> None:
        await self._tell(visit, "typing", {"on": True})
        await asyncio.sleep(self.delay_s)
        for saying in self.script(said):
            await self._say(visit, {"facts": {"reply_to": to} if to else {}, **saying})

    # --- the routes -------------------------------------------------------------------------------------------------

    def _visit(self, request: web.Request) -> Visit:
        visit = self.visits.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
        if visit is None:
            raise refusal(401, "session_expired")
        return visit

    async def session(self, request: web.Request) -> web.StreamResponse:
        body = await request.json() if request.can_read_body else {}
        visit = self.visits.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
        visit = visit or Visit(uuid4().hex)
        visit.language = body.get("language", visit.language)
        token = uuid4().hex
        self.visits.pop(token, None)
        self.visits[token] = visit
        return web.json_response({"token": token, "expires_at": int(time.time()) + 30 * 86_400}, status=201)

    async def history(self, request: web.Request) -> web.StreamResponse:
        visit = self._visit(request)
        before = int(request.query.get("before", 10**9))
        limit = int(request.query.get("limit", 50))
        messages = [message for message in visit.said if message["id"] < before][-limit:]
        return web.json_response({"messages": messages, "state": visit.state})

    async def message(self, request: web.Request) -> web.StreamResponse:
        visit, body = self._visit(request), await request.json()
        self.received.append(body)
        if body["id"] in visit.taken:
            return web.json_response({}, status=202)
        facts: dict[str, Any] = {"event_id": body["id"]}
        if "command" in body:
            if body["command"] not in COMMANDS:
                raise refusal(400, "bad_request")
            shown, said = None, f"/{body['command']}"
        elif "option" in body:
            if body["option"] not in visit.payloads:
                raise refusal(400, "bad_request")
            shown, said, facts["pressed"] = visit.payloads[body["option"]]
        else:
            shown = said = body["text"]
        visit.taken.add(body["id"])
        asked = 0
        if shown is not None and not ("option" in body and said.startswith("!")):
            await self._say(visit, {"text": shown, "author": "student", "facts": facts})
            asked = self._ids
        task = self._loop.create_task(self._answer(visit, said, asked))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return web.json_response({}, status=202)

    async def events(self, request: web.Request) -> web.StreamResponse:
        visit = self._visit(request)
        stream = web.StreamResponse(
            headers={"Content-Type": "text/event-stream; charset=utf-8", **self._cors(request)}
        )
        await stream.prepare(request)
        last = int(request.query.get("after", 0))
        listener: asyncio.Queue[tuple[str, dict[str, Any]] | None] = asyncio.Queue()
        visit.listeners.add(listener)
        try:
            for message in [message for message in visit.said if message["id"] > last]:
                last = message["id"]
                await stream.write(frame("message", message))
            await stream.write(frame("state", visit.state))
            while True:
                try:
                    change = await asyncio.wait_for(listener.get(), COMMENT_EVERY_S)
                except TimeoutError:
                    await stream.write(b": \n\n")
                    continue
                if change is None:
                    return stream
                event, data = change
                if event == "message":
                    if data["id"] <= last:
                        continue
                    last = data["id"]
                await stream.write(frame(event, data))
        finally:
            visit.listeners.discard(listener)

    async def feedback(self, request: web.Request) -> web.StreamResponse:
        self._visit(request)
        self.ratings.append(await request.json())
        return web.Response(status=204)

    async def erase(self, request: web.Request) -> web.StreamResponse:
        visit = self._visit(request)
        visit.said.clear()
        visit.payloads.clear()
        return web.Response(status=204)

    async def health(self, _request: web.Request) -> web.StreamResponse:
        return web.json_response({"status": "ok"})

    # --- around them ------------------------------------------------------------------------------------------------

    def _cors(self, request: web.Request) -> dict[str, str]:
        origin = request.headers.get("Origin", "")
        if origin not in self.origins:
            return {"Vary": "Origin"}
        return {"Vary": "Origin", "Access-Control-Allow-Origin": origin}

    def app(self) -> web.Application:
        @web.middleware
        async def around(
            request: web.Request, handler: Callable[[web.Request], Coroutine[Any, Any, web.StreamResponse]]
        ) -> web.StreamResponse:
            path = request.path.removeprefix(BASE)
            if request.method == "OPTIONS":
                answer: web.StreamResponse = web.Response(
                    headers={
                        "Access-Control-Allow-Methods": "GET, POST, DELETE",
                        "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID",
                    }
                )
            else:
                refused = self.refusing.get(f"{request.method} {path}") or self.refusing.get("*")
                try:
                    if refused:
                        raise refusal(*refused)
                    answer = await handler(request)
                except web.HTTPException as error:
                    answer = web.Response(
                        text=error.text, status=error.status, content_type="application/json"
                    )
            if not answer.prepared:
                answer.headers.update(self._cors(request))
            return answer

        app = web.Application(middlewares=[around])
        app.add_routes(
            [
                web.get(f"{BASE}/", self.health),
                web.post(f"{BASE}/session", self.session),
                web.get(f"{BASE}/messages", self.history),
                web.post(f"{BASE}/messages", self.message),
                web.get(f"{BASE}/events", self.events),
                web.post(f"{BASE}/feedback", self.feedback),
                web.delete(f"{BASE}/conversation", self.erase),
                web.options(f"{BASE}/{{path:.*}}", self.health),
            ]
        )
        return app


def frame(event: str, data: dict[str, Any]) -> bytes:
    name = f"id: {data['id']}\n" if event == "message" else ""
    return f"event: {event}\n{name}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def refusal(status: int, code: str) -> web.HTTPException:
    error = web.HTTPException(
        text=json.dumps({"error": code, "message": "refused by the test"}), content_type="application/json"
    )
    error.set_status(status)
    return error


@contextmanager
def scripted_chat(script: Script) -> Iterator[ScriptedChat]:
    """Run it on a free loopback port, in a thread of its own."""
    chat = ScriptedChat(script)
    with served(chat.app(), chat._loop) as chat.url:
        try:
            yield chat
        finally:
            chat.break_off()
