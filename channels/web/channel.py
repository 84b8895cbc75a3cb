"""The website's channel: the routes below /webhooks/web, over HTTP and server-sent events.

- `GET /`: 200 when a message would be answered, 503 while no model is loaded.
- `POST /session` `{"language"?}`: 201 `{"token", "expires_at"}`; with a token that is still valid, the same session.
- `GET /messages?before=&limit=`: `{"messages", "state"}`, newest last.
- `POST /messages` `{"id", "text" | "option" | "command"}`: 202; the answer is an event. A repeated id is ignored. The
  greeting of the command `start` is left out when the student has written before it is there.
  429 `too_fast` with `Retry-After` for one that comes too fast: it is not taken, and its id may come again later.
- `GET /events?after=`: server-sent events, see `channels.web.stream`.
- `POST /feedback` `{"message", "good", "reason"?}`: 204.
- `DELETE /conversation`: 204; erases the conversation.

All but the first two need `Authorization: Bearer TOKEN`. Errors are `{"error": code, "message": English sentence}`.
While COVAN_WEB_SECRET is empty, they answer 404. The channel keeps no state that another process needs: several
processes run behind a plain load balancer with one database and one Redis.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from channels.body import CLOSE
from channels.connections import Capacity, open_files
from channels.delivery.delivery_worker import DeliveryWorker, StoreBusyError
from channels.delivery.incoming import Content, Incoming
from channels.delivery.message import Message
from channels.delivery.message_rate import MESSAGES_PER_MINUTE, WINDOW_S
from channels.delivery.platform import Call, Outgoing
from channels.delivery.turn_handler import rasa_sender
from channels.proxies import TrustedProxies
from channels.rasa_client import RasaClient, RasaError
from channels.refusals import Reason
from channels.web import origins, requests
from channels.web.limits import (
    ERASURES_PER_MINUTE_OF_A_SESSION,
    ERASURES_PER_MINUTE_OF_AN_ADDRESS,
    REQUESTS_PER_MINUTE_OF_A_SESSION,
    REQUESTS_PER_MINUTE_OF_AN_ADDRESS,
    SESSIONS_PER_MINUTE_OF_AN_ADDRESS,
    WRITES_PER_MINUTE_OF_A_SESSION,
    WRITES_PER_MINUTE_OF_AN_ADDRESS,
    OpenStreams,
    Rate,
)
from channels.web.requests import RequestError
from channels.web.sessions import Session, Sessions
from channels.web.stream import as_seen, events

logger = logging.getLogger(__name__)

NAME = "web"
BASE = "/webhooks/web"

TRY_AGAIN_S = 15
"""Seconds in `Retry-After` of a 503."""

_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}

_STREAM_HEADERS = {
    **_HEADERS,
    # nginx would collect the events until they fill a buffer:
    # https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
    "X-Accel-Buffering": "no",
}

_METHODS: Mapping[str, tuple[str, ...]] = {
    "/": ("GET",),
    "/session": ("POST",),
    "/messages": ("GET", "POST"),
    "/events": ("GET",),
    "/feedback": ("POST",),
    "/conversation": ("DELETE",),
}

Handler = Callable[["Open", Request], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]
Tell = Callable[[str, str, Mapping[str, Any]], Awaitable[None]]


class WebPlatform:
    """The website as a platform: pages read the store, so that sending is a notification."""

    options_last = False
    reply_window = None

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    @property
    def name(self) -> str:
        """See `channels.delivery.platform.Platform`."""
        return NAME

    def render(self, message: Message, address: Mapping[str, Any]) -> Sequence[Call]:
        """Return one call with the message's id."""
        return ({"message": message.id},)

    def preview(self, message: Message) -> Sequence[str]:
        """Return the text: the page shows its Markdown below its writer's name."""
        return [message.text]

    async def send(self, outgoing: Outgoing) -> None:
        """Notify the pages of the conversation in all processes. A closed page reads the message later."""
        await self._tell(NAME, outgoing.sender, {"kind": "message", "id": outgoing.call["message"]})

    async def typing(self, sender: str, address: Mapping[str, Any]) -> None:
        """Notify the pages that a reply is being written."""
        await self._tell(NAME, sender, {"kind": "typing", "on": True})


@dataclass
class Open:
    """The collaborators of the routes while the channel is open."""

    delivery: DeliveryWorker
    rasa: RasaClient
    sessions: Sessions
    proxies: TrustedProxies
    of_address: Rate = field(default_factory=lambda: Rate(REQUESTS_PER_MINUTE_OF_AN_ADDRESS))
    of_session: Rate = field(default_factory=lambda: Rate(REQUESTS_PER_MINUTE_OF_A_SESSION))
    writes_of_address: Rate = field(default_factory=lambda: Rate(WRITES_PER_MINUTE_OF_AN_ADDRESS))
    writes_of_session: Rate = field(default_factory=lambda: Rate(WRITES_PER_MINUTE_OF_A_SESSION))
    erasures_of_address: Rate = field(default_factory=lambda: Rate(ERASURES_PER_MINUTE_OF_AN_ADDRESS))
    erasures_of_session: Rate = field(default_factory=lambda: Rate(ERASURES_PER_MINUTE_OF_A_SESSION))
    new_sessions: Rate = field(default_factory=lambda: Rate(SESSIONS_PER_MINUTE_OF_AN_ADDRESS))
    streams: OpenStreams = field(
        default_factory=lambda: OpenStreams(in_all=Capacity.of_files(open_files()).streams)
    )
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    def address(self, request: Request) -> str:
        """Return the client's address."""
        forwarded = ", ".join(request.headers.getlist("x-forwarded-for"))
        peer = request.client.host if request.client else ""
        return self.proxies.client(peer, forwarded)

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

    def writing_session(self, request: Request) -> Session:
        """Return the session of a request that writes, and count both. Raises RequestError."""
        session = self.session(request)
        _pass(self.writes_of_address.wait_s(self.address(request)))
        _pass(self.writes_of_session.wait_s(session.id))
        return session

    async def accept(self, request: Request, session: Session, event_id: str, content: Content) -> None:
        """Store a visitor's input; the answer follows as an event. Raises RequestError when it comes too fast."""
        self.delivery.origins.note(NAME, session.id, self.address(request))
        address = {"language": session.language} if session.language else {}
        incoming = [Incoming(event_id, session.id, content, address)]
        if await self.delivery.accept(NAME, incoming, tells_too_fast=False):
            why = f"more than {MESSAGES_PER_MINUTE} messages in a minute: again in {WINDOW_S:.0f} s"
            raise RequestError("too_fast", why, int(WINDOW_S))


class WebChannel:
    """The routes below /webhooks/web (see `channels.channel.Channel`)."""

    def __init__(self, delivery: DeliveryWorker, rasa: RasaClient) -> None:
        self._delivery = delivery
        self._rasa = rasa
        self._open: Open | None = None

    async def open(self) -> None:
        """See `Channel`."""
        secret = self._delivery.settings.web_secret.get_secret_value()
        try:
            sessions = Sessions(secret)
        except ValueError as error:
            # Without any secret, the school does not want this channel.
            log = logger.error if secret else logger.info
            log("The website's channel is closed: %s.", error)
            return
        proxies = TrustedProxies(self._delivery.settings.proxy_networks)
        self._open = Open(self._delivery, self._rasa, sessions, proxies)
        await self._delivery.open(WebPlatform(self._delivery.tell))

    def stop(self) -> None:
        """See `Channel`."""
        if self._open is not None:
            self._open.stopping.set()

    async def close(self) -> None:
        """See `Channel`."""
        if self._open is not None:
            await self._delivery.close(NAME)

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes that the module describes."""
        handlers: Mapping[str, Mapping[str, Handler]] = {
            "/": {"GET": _health},
            "/session": {"POST": _session},
            "/messages": {"GET": _history, "POST": _message},
            "/events": {"GET": _events},
            "/feedback": {"POST": _feedback},
            "/conversation": {"DELETE": _erase},
        }
        return [
            *(
                Route(BASE + path, self._crossing(self._guarded(handler)), methods=[method])
                for path, by_method in handlers.items()
                for method, handler in by_method.items()
            ),
            *(Route(BASE + path, self._crossing(self._preflight), methods=["OPTIONS"]) for path in handlers),
        ]

    def _crossing(self, endpoint: Endpoint) -> Endpoint:
        """Wrap a route: add the CORS headers to every answer, streams and errors included."""

        @wraps(endpoint)
        async def route(request: Request) -> Response:
            answer = await endpoint(request)
            answer.headers.update(self._cors(request))
            return answer

        return route

    def _cors(self, request: Request) -> Mapping[str, str]:
        """Return the headers by which a browser lets the asking site read the answer."""
        if self._open is None:
            return {}
        return origins.answer_headers(*_asking(request), self._delivery.settings.allowed_origins)

    async def _preflight(self, request: Request) -> Response:
        if self._open is None:
            return _not_set_up()
        origin, host = _asking(request)
        if not origins.allowed(origin, host, self._delivery.settings.allowed_origins):
            return _refused(_foreign())
        methods = ", ".join(_METHODS["/" + request.url.path.rpartition("/")[2]])
        return Response(status_code=204, headers={**_HEADERS, **origins.preflight_headers(methods)})

    def _guarded(self, handler: Handler) -> Endpoint:
        """Wrap a route: check the origin and report errors as JSON."""

        @wraps(handler)
        async def route(request: Request) -> Response:
            here = self._open
            if here is None:
                return _not_set_up()
            try:
                if not origins.allowed(*_asking(request), self._delivery.settings.allowed_origins):
                    raise _foreign()
                return await handler(here, request)
            except RequestError as refusal:
                if refusal.code == "too_many":
                    self._delivery.refusals.count(Reason.REQUESTS)
                return _refused(refusal)
            except StoreBusyError as error:
                return _refused(RequestError("unavailable", str(error), TRY_AGAIN_S))
            except Exception:
                logger.exception("A request of the website could not be carried out.")
                return _refused(
                    RequestError("unavailable", "the server has a fault; its log tells which", TRY_AGAIN_S)
                )

        return route


# --- the routes' handlers ---------------------------------------------------------------------------------------------


async def _health(here: Open, request: Request) -> Response:
    ready = here.rasa.ready
    return _json({"status": "ok" if ready else "no model"}, 200 if ready else 503)


async def _session(here: Open, request: Request) -> Response:
    _pass(here.new_sessions.wait_s(here.address(request)))
    language = requests.language(await requests.read_json(request, may_be_empty=True))
    known = here.sessions.of_header(request.headers.get("authorization", ""))
    given = here.sessions.renewed(known, language) if known else here.sessions.new(language)
    return _json({"token": here.sessions.token(given), "expires_at": given.expires_at}, 201)


async def _history(here: Open, request: Request) -> Response:
    visitor = here.session(request)
    before, limit = requests.page_of_history(request)
    messages = await here.delivery.history(NAME, visitor.id, before, limit)
    state = await here.delivery.state(NAME, visitor.id)
    return _json({"messages": [as_seen(message) for message in messages], "state": state})


async def _message(here: Open, request: Request) -> Response:
    visitor = here.writing_session(request)
    await here.accept(request, visitor, *requests.message(await requests.read_json(request), visitor.id))
    return _json({}, 202)


async def _events(here: Open, request: Request) -> Response:
    visitor = here.session(request)
    return EventStream(here, visitor, here.address(request), requests.resume_after(request))


async def _feedback(here: Open, request: Request) -> Response:
    visitor = here.writing_session(request)
    await here.accept(request, visitor, *requests.feedback(await requests.read_json(request), visitor.id))
    return _nothing()


async def _erase(here: Open, request: Request) -> Response:
    visitor = here.writing_session(request)
    _pass(here.erasures_of_address.wait_s(here.address(request)))
    _pass(here.erasures_of_session.wait_s(visitor.id))
    whole = rasa_sender(NAME, visitor.id)
    unavailable = RequestError("unavailable", "Rasa is away, and what it keeps cannot be erased", TRY_AGAIN_S)
    if not here.rasa.ready:
        raise unavailable
    # The queue first: Rasa would store a turn that starts afterwards.
    await here.delivery.erase(NAME, visitor.id)
    try:
        await here.rasa.forget(whole)
    except RasaError as error:
        logger.warning("A conversation of the website could not be erased: %s", error)
        raise unavailable from error
    return _nothing()


class EventStream(Response):
    """The events of a conversation, until the page disconnects, the session expires or the server stops.

    Holds one of the visitor's places for streams while it is sent; without a free one the answer is 429.
    """

    def __init__(self, here: Open, visitor: Session, address: str, after: int) -> None:
        super().__init__()
        # A route may add headers before the answer is sent; whether a place is free decides the others.
        self.raw_headers = []
        self._here = here
        self._visitor = visitor
        self._address = address
        self._after = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._here.streams.one_more(self._visitor.id, self._address) as admitted:
            answer: Response = _refused(
                RequestError("too_many", "too many pages are open, of this visitor or in all", TRY_AGAIN_S)
            )
            if not admitted:
                self._here.delivery.refusals.count(Reason.STREAMS)
            else:
                answer = StreamingResponse(
                    self._events(), media_type="text/event-stream; charset=utf-8", headers=_STREAM_HEADERS
                )
            answer.raw_headers += self.raw_headers
            await answer(scope, receive, send)

    async def _events(self) -> AsyncIterator[bytes]:
        try:
            async with aclosing(
                events(
                    self._here.delivery,
                    NAME,
                    self._visitor.id,
                    self._after,
                    stopping=self._here.stopping,
                    expires_at=self._visitor.expires_at,
                )
            ) as coming:
                async for event in coming:
                    yield event
        except Exception:
            # The status has been sent; the page reconnects from its last event.
            logger.exception("A stream of events broke off.")


def _asking(request: Request) -> tuple[str, str]:
    return request.headers.get("origin", ""), request.headers.get("host", "")


def _foreign() -> RequestError:
    return RequestError("origin", "this website is not in COVAN_WEB_ORIGINS")


def _pass(wait_s: int) -> None:
    if wait_s:
        raise RequestError("too_many", f"too many requests: again in {wait_s} s", wait_s)


def _json(body: Mapping[str, Any], status: int = 200) -> Response:
    return JSONResponse(body, status, _HEADERS)


def _nothing() -> Response:
    return Response(status_code=204, headers=_HEADERS)


def _not_set_up() -> Response:
    return _json({"error": "not set up"}, 404)


def _refused(refusal: RequestError) -> Response:
    headers: dict[str, str] = dict(_HEADERS)
    if refusal.retry_after_s:
        headers["Retry-After"] = str(refusal.retry_after_s)
    if refusal.code == "too_large":
        headers.update(CLOSE)
    if refusal.code == "session_expired":
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse({"error": refusal.code, "message": str(refusal)}, refusal.status, headers)
