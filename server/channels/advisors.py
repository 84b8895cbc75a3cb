"""The advisors' side of a conversation that a person has taken over: who waits, what was said, an answer, giving back.

Not a channel to talk on: credentials.yml is where Rasa takes routes from. It is for the advisors' pages and for
`covan queue` and `covan reply`, on the school's own machines: never to be reached from the open internet. Every request
carries `Authorization: Bearer COVAN_ADVISOR_TOKEN`; while that is empty, there are no such routes (404). No other site's
page may read an answer: nothing here allows another origin.

Errors are `{"error": code, "message": English sentence}`.
"""

from __future__ import annotations

import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any

from rasa.core.channels.channel import InputChannel, UserMessage
from sanic import Blueprint, response
from sanic.request import Request
from sanic.response import HTTPResponse

from server.channels.body import BodyTooLarge, read_body
from server.delivery.advisor_service import Desk, DeskError
from server.delivery.container import delivery
from vietnamese.text import clean

logger = logging.getLogger(__name__)

MAX_BODY_BYTES = 32_000
"""An answer of `MAX_TEXT_CHARS` letters with marks in JSON's longest form, and the name, fit."""

MAX_NAME_CHARS = 80
MAX_TEXT_CHARS = 4_000

STATUSES = ("waiting", "taken", "closed", "all")

_HTTP = {"bad_request": 400, "not_found": 404, "closed": 409, "taken": 409}
"""The status of a `DeskError`'s code."""

_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}

Handler = Callable[..., Awaitable[Any]]
"""What a route does: the desk, the request and what its address names come in, JSON comes out."""


class Refusal(Exception):
    """A request that is not carried out: HTTP's status, a code for programs, a sentence for developers."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class AdvisorsChannel(InputChannel):
    """The routes below /webhooks/advisors."""

    @classmethod
    def name(cls) -> str:
        """The name in the address."""
        return "advisors"

    def blueprint(self, on_new_message: Callable[[UserMessage], Awaitable[Any]]) -> Blueprint:
        """The conversations with a person, and the messages that could not be delivered."""
        routes = Blueprint("advisors")

        @routes.get("/conversations")
        @_guarded()
        async def conversations(desk: Desk, request: Request) -> Any:
            status = request.args.get("status", "all")
            if status not in STATUSES:
                raise Refusal(400, "bad_request", f"`status` must be one of {', '.join(STATUSES)}")
            return {"conversations": await desk.list(status)}

        @routes.get("/conversations/<conversation:int>")
        @_guarded()
        async def conversation(desk: Desk, request: Request, conversation: int) -> Any:
            return await desk.read(conversation)

        @routes.post("/conversations/<conversation:int>/take", stream=True)
        @_guarded()
        async def take(desk: Desk, request: Request, conversation: int) -> Any:
            return await desk.take(conversation, _name(await _body(request)))

        @routes.post("/conversations/<conversation:int>/reply", stream=True)
        @_guarded(status=202)
        async def reply(desk: Desk, request: Request, conversation: int) -> Any:
            said = await _body(request)
            return await desk.reply(conversation, _name(said), _text(said))

        @routes.post("/conversations/<conversation:int>/give_back", stream=True)
        @_guarded()
        async def give_back(desk: Desk, request: Request, conversation: int) -> Any:
            return await desk.give_back(conversation, _name(await _body(request)))

        @routes.get("/undelivered")
        @_guarded()
        async def undelivered(desk: Desk, request: Request) -> Any:
            return {"calls": await desk.undelivered()}

        @routes.post("/undelivered/<call:int>/send_again", stream=True)
        @_guarded(status=202)
        async def send_again(desk: Desk, request: Request, call: int) -> Any:
            return await desk.send_again(call)

        return routes


def _guarded(status: int = 200) -> Callable[[Handler], Callable[..., Awaitable[HTTPResponse]]]:
    """A route of those who have the token, answered with `status` when all is well; what goes wrong is told as JSON."""

    def guard(handler: Handler) -> Callable[..., Awaitable[HTTPResponse]]:
        @wraps(handler)
        async def route(request: Request, **place: int) -> HTTPResponse:
            try:
                running = delivery(request.app)
                _admit(request, running.settings.advisor_token)
                told = await handler(running.desk, request, **place)
            except Refusal as refused:
                return _error(refused.status, refused.code, str(refused))
            except DeskError as error:
                return _error(_HTTP.get(error.code, 400), error.code, str(error))
            except Exception:  # whatever it was, the log gets the traceback, and nobody else
                logger.exception("A request of an advisor failed.")
                return _error(503, "unavailable", "It failed; Rasa's log says why. Try again.")
            return response.json(told or {}, status=status, headers=_HEADERS, dumps=json.dumps)

        return route

    return guard


def _admit(request: Request, token: str) -> None:
    """Raises Refusal unless the request has the token."""
    if not token:
        raise Refusal(404, "not set up", "COVAN_ADVISOR_TOKEN is empty.")
    kind, _, shown = request.headers.get("authorization", "").partition(" ")
    # In a time that does not depend on how much of it is right.
    same = hmac.compare_digest(shown.strip().encode("utf-8", "surrogateescape"), token.encode())
    if kind.lower() != "bearer" or not same:
        raise Refusal(401, "unauthorized", "The advisors' token is missing or wrong.")


async def _body(request: Request) -> Mapping[str, Any]:
    """The JSON object that was sent. Read only now, when it is known who sends it. Raises Refusal."""
    try:
        received = await read_body(request, MAX_BODY_BYTES)
    except BodyTooLarge as error:
        raise Refusal(413, "too_large", str(error)) from None
    try:
        data = json.loads(received)
    except (ValueError, RecursionError) as error:
        raise Refusal(400, "bad_request", "The body is not JSON.") from error
    if not isinstance(data, dict):
        raise Refusal(400, "bad_request", "The body is not a JSON object.")
    return data


def _name(body: Mapping[str, Any]) -> str:
    """Who acts, on one line. Raises Refusal."""
    return " ".join(_string(body, "by", MAX_NAME_CHARS).split())


def _text(body: Mapping[str, Any]) -> str:
    """What is answered. Raises Refusal."""
    return _string(body, "text", MAX_TEXT_CHARS)


def _string(body: Mapping[str, Any], field: str, longest: int) -> str:
    given: Any | None = body.get(field)
    # One more than may be: too long is told, not cut.
    cleaned = clean(given, longest + 1) if isinstance(given, str) else ""
    if not cleaned or len(cleaned) > longest:
        raise Refusal(400, "bad_request", f"`{field}` must be text of 1 to {longest} characters.")
    return cleaned


def _error(status: int, code: str, message: str) -> HTTPResponse:
    headers: dict[str, str] = dict(_HEADERS)
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return response.json({"error": code, "message": message}, status=status, headers=headers)
