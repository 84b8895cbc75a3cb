"""One JSON request a turn, answered with the list of Rasa's messages: for tests and benchmarks, on loopback.

It trusts the sender that it is told, so credentials.yml does not list it; benchmarks/rasa/credentials.yml does.
`POST /webhooks/rest/webhook` takes `{"sender": ..., "message": ...}` for typed text or `{"sender": ..., "payload": ...}`
for a pressed button.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from rasa.core.channels.channel import InputChannel, UserMessage
from sanic import Blueprint, response
from sanic.request import Request
from sanic.response import HTTPResponse

from server.bot import Bot

MAX_BODY_BYTES = 2_000_000
"""A body larger than this is refused unread; a long message within it gets a polite answer."""

_SENDER = re.compile(r"[A-Za-z0-9][\w.:@-]{0,127}", re.ASCII)
_PAYLOAD = re.compile(
    r"/(?P<intent>inform|affirm|deny|cancel|change_profile|forget_profile|ask_advisor|hand_over)(?P<data>\{.*\})?",
    re.DOTALL,
)
_PAYLOAD_KEYS = {"inform": {"cohort", "major", "program", "faq", "passage", "topic", "choice"}}
_PAYLOAD_VALUE = re.compile(r"[\w.:#/@-]{1,200}")


class BadRequest(Exception):
    """The request is not of this channel's form; the message says why, for its developer."""


@dataclass(frozen=True)
class Typed:
    """What a student typed."""

    text: str


@dataclass(frozen=True)
class Pressed:
    """The payload of a button that our own actions sent."""

    payload: str


def pressed(payload: str) -> Typed | Pressed:
    """A button's payload; one that does not begin with "/" is a question to ask as if typed.

    Raises:
        BadRequest: when it is not of a form that our actions send.
    """
    if not payload.startswith("/"):
        return Typed(payload)
    found = _PAYLOAD.fullmatch(payload) if len(payload) <= 1_000 else None
    if found is None:
        raise BadRequest("unknown payload")
    if found["data"] is None:
        return Pressed(payload)
    try:
        data = json.loads(found["data"])
    except ValueError as error:
        raise BadRequest("the payload's data is not JSON") from error
    allowed = _PAYLOAD_KEYS.get(found["intent"], set())
    if not set(data) <= allowed or not all(
        isinstance(value, str) and _PAYLOAD_VALUE.fullmatch(value) for value in data.values()
    ):
        raise BadRequest("the payload's data is not what a button carries")
    return Pressed(f"/{found['intent']}{json.dumps(data)}")


@dataclass(frozen=True)
class Turn:
    """A valid request."""

    sender: str
    content: Typed | Pressed


def parse(body: bytes) -> Turn:
    """The turn that a request's body asks for.

    Raises:
        BadRequest: when the body is not of the channel's form.
    """
    if len(body) > MAX_BODY_BYTES:
        raise BadRequest("the body is too large")
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadRequest("the body is not JSON") from error
    if not isinstance(data, dict):
        raise BadRequest("the body is not a JSON object")
    sender, message, payload = data.get("sender"), data.get("message"), data.get("payload")
    if not isinstance(sender, str) or not _SENDER.fullmatch(sender):
        raise BadRequest("`sender` must be 1-128 letters, digits or _ . : @ -")
    if isinstance(payload, str) and message is None:
        return Turn(sender, pressed(payload))
    if isinstance(message, str) and payload is None:
        return Turn(sender, Typed(message))
    raise BadRequest("exactly one of `message` and `payload` must be given, as a string")


class RestChannel(InputChannel):
    """A turn a request."""

    @classmethod
    def name(cls) -> str:
        """The name in the address: /webhooks/rest/webhook."""
        return "rest"

    def blueprint(self, on_new_message: Callable[[UserMessage], Awaitable[Any]]) -> Blueprint:
        """The routes: GET / for health (503 while no model is loaded), POST /webhook for a turn."""
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
                turn = parse(request.body)
            except BadRequest as error:
                return response.json({"error": str(error)}, status=400)
            content = turn.content
            if isinstance(content, Typed):
                return response.json(await bot.hear(turn.sender, self.name(), content.text))
            return response.json(await bot.press(turn.sender, self.name(), content.payload))

        return routes
