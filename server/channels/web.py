"""The website's channel: the routes below /webhooks/web, over HTTP and server-sent events.

- `GET /`: 200 when a message would be answered, 503 while no model is loaded.
- `POST /session` `{"language"?}`: 201 `{"token", "expires_at"}`; with a token that is still valid, the same session.
- `GET /messages?before=&limit=`: `{"messages", "state"}`, newest last.
- `POST /messages` `{"id", "text" | "option" | "command"}`: 202; the answer is an event. A repeated id is ignored.
- `GET /events?after=`: server-sent events, see `server.channels.web_stream`.
- `POST /feedback` `{"message", "good", "reason"?}`: 204.
- `DELETE /conversation`: 204; erases the conversation.

All but the first two need `Authorization: Bearer TOKEN`. Errors are `{"error": code, "message": English sentence}`.
While COVAN_WEB_SECRET is empty, they answer 404. The channel keeps no state that another process needs: several
processes run behind a plain load balancer with one database and one Redis.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from rasa.core.channels.channel import InputChannel, UserMessage
from sanic import Blueprint, Sanic, response
from sanic.request import Request
from sanic.response import BaseHTTPResponse, HTTPResponse

from server.bot import Bot
from server.channels import web_origins as origins
from server.channels import web_requests as requests
from server.channels.web_limits import (
    REQUESTS_PER_MINUTE_OF_A_SESSION,
    REQUESTS_PER_MINUTE_OF_AN_ADDRESS,
    SESSIONS_PER_MINUTE_OF_AN_ADDRESS,
    OpenStreams,
    Rate,
    client_address,
)
from server.channels.web_requests import RequestError
from server.channels.web_sessions import Session, Sessions
from server.channels.web_stream import as_seen, events
from server.delivery.container import delivery
from server.delivery.delivery_worker import DeliveryWorker
from server.delivery.incoming import Content, Incoming
from server.delivery.message import Message
from server.delivery.platform import Call, Outgoing
from server.delivery.turn_handler import rasa_sender

logger = logging.getLogger(__name__)

NAME = "web"

TRY_AGAIN_S = 15
"""Seconds in `Retry-After` of a 503."""

_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}

_STREAM_HEADERS = {
    **_HEADERS,
    # nginx would collect the events until they fill a buffer:
    # https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
    "X-Accel-Buffering": "no",
}

_METHODS: Mapping[str, str] = {
    "/": "GET",
    "/session": "POST",
    "/messages": "GET, POST",
    "/events": "GET",
    "/feedback": "POST",
    "/conversation": "DELETE",
}

Handler = Callable[["Open", Request], Awaitable[HTTPResponse | None]]
Tell = Callable[[str, str, Mapping[str, Any]], Awaitable[None]]


class WebPlatform:
    """The website as a platform: pages read the store, so that sending is a notification."""

    options_last = False

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    @property
    def name(self) -> str:
        """See `server.delivery.platform.Platform`."""
        return NAME

    def render(self, message: Message, address: Mapping[str, Any]) -> Sequence[Call]:
        """Return one call with the message's id."""
        return ({"message": message.id},)

    async def send(self, outgoing: Outgoing) -> None:
        """Notify the pages of the conversation in all processes. A closed page reads the message later."""
        await self._tell(NAME, outgoing.sender, {"kind": "message", "id": outgoing.call["message"]})

    async def typing(self, sender: str, address: Mapping[str, Any]) -> None:
        """Notify the pages that a reply is being written."""
        await self._tell(NAME, sender, {"kind": "typing", "on": True})


@dataclass(frozen=True)
class Open:
    """The collaborators of the routes while the channel is open."""

    delivery: DeliveryWorker
    bot: Bot
    sessions: Sessions
    of_address: Rate = field(default_factory=lambda: Rate(REQUESTS_PER_MINUTE_OF_AN_ADDRESS))
    of_session: Rate = field(default_factory=lambda: Rate(REQUESTS_PER_MINUTE_OF_A_SESSION))
    new_sessions: Rate = field(default_factory=lambda: Rate(SESSIONS_PER_MINUTE_OF_AN_ADDRESS))
    streams: OpenStreams = field(default_factory=OpenStreams)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    def address(self, request: Request) -> str:
        """Return the client's address."""
        forwarded = ", ".join(request.headers.getall("x-forwarded-for", []))
        return client_address(request.ip or "", forwarded, self.delivery.settings.trusted_proxies)

    def session(self, request: Request) -> Session:
        """Return the session of a request and count it. Raises RequestError."""
        # The address first: a flood of sessions must not fill the memory with them.
        _pass(self.of_address.wait_s(self.address(request)))
        session = self.sessions.of_header(request.headers.get("authorization", ""))
        if session is None:
            raise RequestError(
                "session_expired", "the token is missing, not ours or too old: POST /session gives one"
            )
        _pass(self.of_session.wait_s(session.id))
        return session

    async def accept(self, session: Session, event_id: str, content: Content) -> None:
        """Store a visitor's input; the answer follows as an event."""
        address = {"language": session.language} if session.language else {}
        await self.delivery.accept(NAME, [Incoming(event_id, session.id, content, address)])


class WebChannel(InputChannel):
    """The routes below /webhooks/web."""

    def __init__(self) -> None:
        self._open: Open | None = None

    @classmethod
    def name(cls) -> str:
        """Return the name in the address."""
        return NAME

    def blueprint(self, on_new_message: Callable[[UserMessage], Awaitable[Any]]) -> Blueprint:
        """Return the routes that the module describes."""
        routes = Blueprint("web_channel")
        self._live(routes)

        @routes.get("/")
        @self._guarded
        async def health(here: Open, request: Request) -> HTTPResponse:
            return _json({"status": "ok" if here.bot.ready else "no model"}, 200 if here.bot.ready else 503)

        @routes.post("/session", stream=True)
        @self._guarded
        async def session(here: Open, request: Request) -> HTTPResponse:
            _pass(here.new_sessions.wait_s(here.address(request)))
            language = requests.language(await requests.read_json(request, may_be_empty=True))
            known = here.sessions.of_header(request.headers.get("authorization", ""))
            given = here.sessions.renewed(known, language) if known else here.sessions.new(language)
            return _json({"token": here.sessions.token(given), "expires_at": given.expires_at}, 201)

        @routes.get("/messages")
        @self._guarded
        async def history(here: Open, request: Request) -> HTTPResponse:
            visitor = here.session(request)
            before, limit = requests.page_of_history(request)
            messages = await here.delivery.history(NAME, visitor.id, before, limit)
            state = await here.delivery.state(NAME, visitor.id)
            return _json({"messages": [as_seen(message) for message in messages], "state": state})

        @routes.post("/messages", stream=True)
        @self._guarded
        async def message(here: Open, request: Request) -> HTTPResponse:
            visitor = here.session(request)
            await here.accept(visitor, *requests.message(await requests.read_json(request), visitor.id))
            return _json({}, 202)

        @routes.get("/events")
        @self._guarded
        async def stream(here: Open, request: Request) -> None:
            visitor = here.session(request)
            after = requests.resume_after(request)
            with here.streams.one_more(visitor.id, here.address(request)) as admitted:
                if not admitted:
                    raise RequestError("too_many", "too many pages of this visitor are open", TRY_AGAIN_S)
                await _stream(here, request, visitor, after)

        @routes.post("/feedback", stream=True)
        @self._guarded
        async def feedback(here: Open, request: Request) -> HTTPResponse:
            visitor = here.session(request)
            await here.accept(visitor, *requests.feedback(await requests.read_json(request), visitor.id))
            return _nothing()

        @routes.delete("/conversation")
        @self._guarded
        async def erase(here: Open, request: Request) -> HTTPResponse:
            visitor = here.session(request)
            if not here.bot.ready:
                raise RequestError(
                    "unavailable", "no model is loaded, and what Rasa keeps cannot be erased", TRY_AGAIN_S
                )
            # The queue first: Rasa would store a turn that starts afterwards.
            await here.delivery.erase(NAME, visitor.id)
            await here.bot.forget(rasa_sender(NAME, visitor.id))
            return _nothing()

        return routes

    def _live(self, routes: Blueprint) -> None:
        """Add the listeners of server start and stop, and the CORS headers."""

        @routes.listener("after_server_start")
        async def begin(app: Sanic, loop: asyncio.AbstractEventLoop) -> None:
            running = delivery(app)
            try:
                sessions = Sessions(running.settings.web_secret)
            except ValueError as error:
                # Without any secret, the school does not want this channel.
                log = logger.error if running.settings.web_secret else logger.info
                log("The website's channel is closed: %s.", error)
                return
            self._open = Open(running, Bot(app), sessions)
            await running.open(WebPlatform(running.tell))

        @routes.listener("before_server_stop")
        async def end(app: Sanic, loop: asyncio.AbstractEventLoop) -> None:
            if self._open is not None:
                self._open.stopping.set()
                await self._open.delivery.close(NAME)

        async def preflight(request: Request) -> HTTPResponse:
            return response.empty()

        for path in _METHODS:
            routes.add_route(
                preflight, path, methods=["OPTIONS"], name=f"preflight_{path.strip('/') or 'health'}"
            )

        @routes.middleware("response")
        async def cross_origin(request: Request, given: BaseHTTPResponse) -> HTTPResponse | None:
            if self._open is None:
                return None
            if request.method == "OPTIONS":
                # This replaces the response of Rasa's own CORS, which allows nothing.
                return self._preflight(request)
            given.headers.update(origins.answer_headers(*_asking(request), self._origins))
            return None

    @property
    def _origins(self) -> Any:
        assert self._open is not None
        return self._open.delivery.settings.web_origins

    def _preflight(self, request: Request) -> HTTPResponse:
        origin, host = _asking(request)
        headers = origins.answer_headers(origin, host, self._origins)
        if not origins.allowed(origin, host, self._origins):
            return _refused(_foreign(), headers)
        path = "/" + request.path.rstrip("/").rpartition("/")[2]
        methods = _METHODS.get(path, _METHODS["/"])
        return response.empty(headers={**headers, **origins.preflight_headers(methods)})

    def _guarded(self, handler: Handler) -> Callable[[Request], Coroutine[Any, Any, HTTPResponse | None]]:
        """Wrap a route: check the origin and report errors as JSON."""

        @wraps(handler)
        async def route(request: Request) -> HTTPResponse | None:
            here = self._open
            if here is None:
                return _json({"error": "not set up"}, 404)
            try:
                if not origins.allowed(*_asking(request), self._origins):
                    raise _foreign()
                return await handler(here, request)
            except RequestError as refusal:
                return _refused(refusal)
            except Exception:
                logger.exception("A request of the website could not be carried out.")
                return _refused(
                    RequestError("unavailable", "the server has a fault; its log tells which", TRY_AGAIN_S)
                )

        return route


async def _stream(here: Open, request: Request, visitor: Session, after: int) -> None:
    """Send events until the page disconnects, the session expires or the server stops."""
    sent = await request.respond(content_type="text/event-stream; charset=utf-8", headers=_STREAM_HEADERS)
    try:
        async with aclosing(
            events(
                here.delivery, NAME, visitor.id, after, stopping=here.stopping, expires_at=visitor.expires_at
            )
        ) as coming:
            async for event in coming:
                await sent.send(event)
    except Exception:
        # The status has been sent; the page reconnects from its last event.
        logger.exception("A stream of events broke off.")
    await sent.eof()


def _asking(request: Request) -> tuple[str, str]:
    return request.headers.get("origin", ""), request.headers.get("host", "")


def _foreign() -> RequestError:
    return RequestError("origin", "this website is not in COVAN_WEB_ORIGINS")


def _pass(wait_s: int) -> None:
    if wait_s:
        raise RequestError("too_many", f"too many requests: again in {wait_s} s", wait_s)


def _json(body: Mapping[str, Any], status: int = 200) -> HTTPResponse:
    return response.json(body, status=status, headers=_HEADERS)


def _nothing() -> HTTPResponse:
    return response.empty(headers=_HEADERS)


def _refused(refusal: RequestError, headers: Mapping[str, str] | None = None) -> HTTPResponse:
    more: dict[str, str] = {**_HEADERS, **(headers or {})}
    if refusal.retry_after_s:
        more["Retry-After"] = str(refusal.retry_after_s)
    if refusal.code == "session_expired":
        more["WWW-Authenticate"] = "Bearer"
    return response.json(
        {"error": refusal.code, "message": str(refusal)}, status=refusal.status, headers=more
    )
