"""The only way into Rasa: turns and responses for the front door (`channels/`), over HTTP with a token.

Rasa registers it like a channel (credentials.yml). The routes below /webhooks/internal:

- `GET /`: 200 when a model is loaded, else 503. Needs no token and tells nothing else.
- `POST /turn` `{"sender", "message" | "payload", "channel"?, "turn"?}`: `{"messages", "language"}`, all replies of the
  turn. `message` is text that a student typed, `payload` that of a button that our own actions sent. A `turn` that the
  conversation has had already is answered with the same messages, and not run again.
- `POST /response` `{"sender", "name", "values"?, "channel"?}`: the same, for a domain response outside of a turn.
- `POST /language` `{"sender"}`: `{"language"}`.
- `POST /intent` `{"sender", "message"}`: `{"intent"}` of typed text that is no turn of the conversation, `""` for none.
- `POST /check`: whether a question goes through, see `server.health_check`.
- `POST /forget` `{"sender"}`: 204; the conversation is erased from the tracker store.

All but the first need `Authorization: Bearer COVAN_INTERNAL_TOKEN`; without that variable Rasa does not start. Requests
from a public address are refused: Rasa belongs on loopback or in a private network. Errors are `{"error": sentence}`.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import os
import re
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from functools import wraps
from typing import Any, NamedTuple

from rasa.core.channels.channel import InputChannel, UserMessage
from rasa.shared.exceptions import RasaException
from sanic import Blueprint, Sanic, response
from sanic.request import Request
from sanic.response import HTTPResponse

from privacy.wordless_logs import leave_words_out
from server.bot import Bot
from server.tidying import keep_tidy

NAME = "internal"
TOKEN = "COVAN_INTERNAL_TOKEN"

MIN_TOKEN_CHARS = 16

MAX_BODY_BYTES = 2_000_000
"""A larger body is refused; a message within it that is too long gets a reply that says so."""

_SENDER = re.compile(r"[A-Za-z0-9][\w.:@-]{0,127}", re.ASCII)
_TURN = re.compile(r"[A-Za-z0-9.:@-]{1,100}", re.ASCII)
_CHANNEL = re.compile(r"[a-z]{1,20}")
_RESPONSE = re.compile(r"utter_[a-z_]{1,80}")
_PAYLOAD = re.compile(
    r"/(?P<intent>inform|affirm|deny|cancel|greet|show_profile|change_profile|forget_profile|erase_all|ask_advisor"
    r"|hand_over)"
    r"(?P<data>\{.*\})?",
    re.DOTALL,
)
_PAYLOAD_VALUE = re.compile(r"[\w.:#/@-]{1,200}")


class BadRequestError(Exception):
    """The request is malformed; the message tells its developer why."""


class TurnInput(NamedTuple):
    """Text that a student typed, or the payload of a button of our own actions that the student `pressed`."""

    text: str
    pressed: bool = False


class TurnRequest(NamedTuple):
    """A valid request for a turn."""

    sender: str
    channel: str
    content: TurnInput
    turn: str | None = None


class ResponseRequest(NamedTuple):
    """A valid request for a response of the domain; `values` fill its placeholders."""

    sender: str
    channel: str
    name: str
    values: Mapping[str, str]


def parse_payload(payload: str, carried: Collection[str]) -> TurnInput:
    """Parse a button's payload; one without a leading "/" is a question, handled like typed text.

    `carried` are the entities that the payload of an `inform` button may have (`Bot.carried`).

    Raises:
        BadRequestError: when our actions do not send such a payload.
    """
    if not payload.startswith("/"):
        return TurnInput(payload)
    found = _PAYLOAD.fullmatch(payload) if len(payload) <= 1_000 else None
    if found is None:
        raise BadRequestError("unknown payload")
    if found["data"] is None:
        return TurnInput(payload, pressed=True)
    try:
        data = json.loads(found["data"])
    except (ValueError, RecursionError) as error:
        raise BadRequestError("the payload's data is not JSON") from error
    # The greeting tells the language that the student's app is set to.
    allowed: Mapping[str, Collection[str]] = {"inform": carried, "greet": ("language",)}
    if not set(data) <= set(allowed.get(found["intent"], ())) or not all(
        isinstance(value, str) and _PAYLOAD_VALUE.fullmatch(value) for value in data.values()
    ):
        raise BadRequestError("the payload's data is not what a button carries")
    return TurnInput(f"/{found['intent']}{json.dumps(data)}", pressed=True)


def parse_turn(body: bytes, carried: Collection[str]) -> TurnRequest:
    """Parse the body of POST /turn; `carried` as in `parse_payload`. Raises BadRequestError."""
    data = _json_object(body)
    message, payload = data.get("message"), data.get("payload")
    if isinstance(payload, str) and message is None:
        return TurnRequest(_sender(data), _channel(data), parse_payload(payload, carried), _turn(data))
    if isinstance(message, str) and payload is None:
        return TurnRequest(_sender(data), _channel(data), TurnInput(message), _turn(data))
    raise BadRequestError("exactly one of `message` and `payload` must be given, as a string")


def parse_response(body: bytes) -> ResponseRequest:
    """Parse the body of POST /response. Raises BadRequestError."""
    data = _json_object(body)
    name, values = data.get("name"), data.get("values", {})
    if not isinstance(name, str) or not _RESPONSE.fullmatch(name):
        raise BadRequestError("`name` must be the name of a response, as utter_help")
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise BadRequestError("`values` must be an object of texts")
    return ResponseRequest(_sender(data), _channel(data), name, values)


def parse_message(body: bytes) -> str:
    """Parse the body of POST /intent. Raises BadRequestError."""
    data = _json_object(body)
    _sender(data)
    if not isinstance(message := data.get("message"), str):
        raise BadRequestError("`message` must be a string")
    return message


def parse_sender(body: bytes) -> str:
    """Parse a body with nothing but a sender. Raises BadRequestError."""
    return _sender(_json_object(body))


def _json_object(body: bytes) -> Mapping[str, Any]:
    if len(body) > MAX_BODY_BYTES:
        raise BadRequestError("the body is too large")
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadRequestError("the body is not JSON") from error
    if not isinstance(data, dict):
        raise BadRequestError("the body is not a JSON object")
    return data


def _sender(data: Mapping[str, Any]) -> str:
    sender = data.get("sender")
    if not isinstance(sender, str) or not _SENDER.fullmatch(sender):
        raise BadRequestError("`sender` must be 1-128 letters, digits or _ . : @ -")
    return sender


def _turn(data: Mapping[str, Any]) -> str | None:
    turn = data.get("turn")
    if turn is not None and (not isinstance(turn, str) or not _TURN.fullmatch(turn)):
        raise BadRequestError("`turn` must be 1-100 letters, digits or . : @ -")
    return turn


def _channel(data: Mapping[str, Any]) -> str:
    channel = data.get("channel", NAME)
    if not isinstance(channel, str) or not _CHANNEL.fullmatch(channel):
        raise BadRequestError("`channel` must be 1-20 small letters")
    return channel


Handler = Callable[[Bot, bytes], Awaitable[Any]]
Route = Callable[[Request], Coroutine[Any, Any, HTTPResponse]]


class InternalChannel(InputChannel):
    """The routes below /webhooks/internal."""

    def __init__(self, token: str) -> None:
        """Raises RasaException, which ends Rasa with a sentence, for a token that is too short."""
        if len(token) < MIN_TOKEN_CHARS:
            raise RasaException(
                f"{TOKEN} must have {MIN_TOKEN_CHARS} characters or more, the same for Rasa and for "
                "`covan channels`. `covan up` makes one; without it Rasa does not start."
            )
        self._token = token.encode()

    @classmethod
    def name(cls) -> str:
        """Return the name in the address."""
        return NAME

    @classmethod
    def from_credentials(cls, credentials: Mapping[str, Any] | None) -> InternalChannel:
        """Return the channel with the token of the environment. Raises RasaException."""
        # Rasa has no place of its own for what must be set before its first turn.
        leave_words_out()
        return cls(os.environ.get(TOKEN, "").strip())

    def blueprint(self, on_new_message: Callable[[UserMessage], Awaitable[Any]]) -> Blueprint:
        """Return the routes that the module describes."""
        routes = Blueprint("internal_channel")

        @routes.listener("after_server_start")
        async def begin(app: Sanic, loop: asyncio.AbstractEventLoop) -> None:
            app.add_task(keep_tidy(app))

        @routes.get("/")
        async def health(request: Request) -> HTTPResponse:
            ready = Bot(request.app).ready
            return response.json({"status": "ok" if ready else "no model"}, status=200 if ready else 503)

        @routes.post("/turn")
        @self._guarded
        async def turn(bot: Bot, body: bytes) -> Any:
            asked = parse_turn(body, bot.carried)
            handle = bot.handle_payload if asked.content.pressed else bot.handle_text
            messages = await handle(asked.sender, asked.channel, asked.content.text, asked.turn)
            return {"messages": messages, "language": await bot.language(asked.sender)}

        @routes.post("/response")
        @self._guarded
        async def domain_response(bot: Bot, body: bytes) -> Any:
            asked = parse_response(body)
            messages = await bot.response(asked.name, asked.sender, asked.channel, **asked.values)
            return {"messages": messages, "language": await bot.language(asked.sender)}

        @routes.post("/language")
        @self._guarded
        async def language(bot: Bot, body: bytes) -> Any:
            return {"language": await bot.language(parse_sender(body))}

        @routes.post("/intent")
        @self._guarded
        async def intent(bot: Bot, body: bytes) -> Any:
            return {"intent": await bot.intent(parse_message(body))}

        @routes.post("/check")
        @self._guarded
        async def check(bot: Bot, body: bytes) -> Any:
            return await bot.check()

        @routes.post("/forget")
        @self._guarded
        async def forget(bot: Bot, body: bytes) -> Any:
            await bot.forget(parse_sender(body))
            return None

        return routes

    def _guarded(self, handler: Handler) -> Route:
        """Wrap a route: check address and token, answer 503 without a model, report malformed requests."""

        @wraps(handler)
        async def route(request: Request) -> HTTPResponse:
            if not is_private(request.ip or ""):
                return response.json({"error": "Rasa is not for the internet"}, status=403)
            if not self._knows(request.headers.get("authorization", "")):
                return response.json({"error": f"the token is not {TOKEN}"}, status=401)
            bot = Bot(request.app)
            if not bot.ready:
                return response.json({"error": "no model is loaded"}, status=503)
            try:
                result = await handler(bot, request.body)
            except BadRequestError as error:
                return response.json({"error": str(error)}, status=400)
            return response.empty() if result is None else response.json(result)

        return route

    def _knows(self, authorization: str) -> bool:
        """Return whether the header has the token, compared in constant time."""
        kind, _, shown = authorization.partition(" ")
        same = hmac.compare_digest(shown.strip().encode("utf-8", "surrogateescape"), self._token)
        return kind.lower() == "bearer" and same


def is_private(address: str) -> bool:
    """Return whether a peer's address is this machine's or of a private network."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_private
