"""A channel for tests and benchmarks on loopback: one JSON request a turn, answered with Rasa's messages.

It trusts the `sender` in the request, so credentials.yml does not list it; benchmarks/rasa/credentials.yml does.
`POST /webhooks/rest/webhook` takes `{"sender": ..., "message": ...}` for typed text or
`{"sender": ..., "payload": ...}` for a pressed button.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any

from rasa.core.channels.channel import InputChannel, UserMessage
from sanic import Blueprint, response
from sanic.request import Request
from sanic.response import HTTPResponse

from server.bot import Bot

MAX_BODY_BYTES = 2_000_000
"""A larger body is refused; a message within it that is too long gets a reply that says so."""

_SENDER = re.compile(r"[A-Za-z0-9][\w.:@-]{0,127}", re.ASCII)
_PAYLOAD = re.compile(
    r"/(?P<intent>inform|affirm|deny|cancel|change_profile|forget_profile|ask_advisor|hand_over)(?P<data>\{.*\})?",
    re.DOTALL,
)
_WITH_DATA = "inform"
"""The intent of the payloads that carry data."""
_PAYLOAD_VALUE = re.compile(r"[\w.:#/@-]{1,200}")


class BadRequestError(Exception):
    """The request is malformed; the message tells its developer why."""


@dataclass(frozen=True)
class TypedMessage:
    """Text that a student typed."""

    text: str


@dataclass(frozen=True)
class Payload:
    """The payload of a button that our own actions sent."""

    payload: str


def pressed(payload: str, carried: Collection[str]) -> TypedMessage | Payload:
    """Parse a button's payload; one without a leading "/" is a question, handled like typed text.

    `carried` are the keys that a button's data may have (`Bot.carried`).

    Raises:
        BadRequestError: when our actions do not send such a payload.
    """
    if not payload.startswith("/"):
        return TypedMessage(payload)
    found = _PAYLOAD.fullmatch(payload) if len(payload) <= 1_000 else None
    if found is None:
        raise BadRequestError("unknown payload")
    if found["data"] is None:
        return Payload(payload)
    try:
        data = json.loads(found["data"])
    except ValueError as error:
        raise BadRequestError("the payload's data is not JSON") from error
    allowed = set(carried) if found["intent"] == _WITH_DATA else set()
    if not set(data) <= allowed or not all(
        isinstance(value, str) and _PAYLOAD_VALUE.fullmatch(value) for value in data.values()
    ):
        raise BadRequestError("the payload's data is not what a button carries")
    return Payload(f"/{found['intent']}{json.dumps(data)}")


@dataclass(frozen=True)
class TurnRequest:
    """A valid request."""

    sender: str
    content: TypedMessage | Payload


def parse(body: bytes, carried: Collection[str]) -> TurnRequest:
    """Parse a request's body; `carried` are the keys that a button's data may have.

    Raises:
        BadRequestError: when the body is malformed.
    """
    if len(body) > MAX_BODY_BYTES:
        raise BadRequestError("the body is too large")
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadRequestError("the body is not JSON") from error
    if not isinstance(data, dict):
        raise BadRequestError("the body is not a JSON object")
    sender, message, payload = data.get("sender"), data.get("message"), data.get("payload")
    if not isinstance(sender, str) or not _SENDER.fullmatch(sender):
        raise BadRequestError("`sender` must be 1-128 letters, digits or _ . : @ -")
    if isinstance(payload, str) and message is None:
        return TurnRequest(sender, pressed(payload, carried))
    if isinstance(message, str) and payload is None:
        return TurnRequest(sender, TypedMessage(message))
    raise BadRequestError("exactly one of `message` and `payload` must be given, as a string")


class RestChannel(InputChannel):
    """One turn for each request."""

    @classmethod
    def name(cls) -> str:
        """Return the name in the address: /webhooks/rest/webhook."""
        return "rest"

    def blueprint(self, on_new_message: Callable[[UserMessage], Awaitable[Any]]) -> Blueprint:
        """Return the routes: GET / for health (503 while no model is loaded), POST /webhook for a turn."""
        routes = Blueprint("rest_channel")

        @routes.get("/")
        async def health(request: Request) -> HTTPResponse:
            ready = Bot(request.app).ready
            return response.json({"status": "ok" if ready else "no model"}, status=200 if ready else 503)

        @routes.post("/webhook")
        async def webhook(request: Request) -> HTTPResponse:
            bot = Bot(request.app)
            if not bot.ready:
                return response.json({"error": "no model is loaded"}, status=503)
            try:
                turn = parse(request.body, bot.carried)
            except BadRequestError as error:
                return response.json({"error": str(error)}, status=400)
            content = turn.content
            if isinstance(content, TypedMessage):
                return response.json(await bot.hear(turn.sender, self.name(), content.text))
            return response.json(await bot.press(turn.sender, self.name(), content.payload))

        return routes
