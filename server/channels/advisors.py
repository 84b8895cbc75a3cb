"""The advisors' HTTP API over hand-overs: list, read, take, reply, give back.

Rasa registers it like a channel (credentials.yml). Its clients are `covan queue` and `covan reply` on the school's own
machines; it must not be reachable from the internet. Each request carries `Authorization: Bearer COVAN_ADVISOR_TOKEN`;
while that setting is empty, the routes answer 404. No response allows another origin (CORS).

Errors are `{"error": code, "message": English sentence}`.
"""

from __future__ import annotations

import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import wraps
from typing import Any

from rasa.core.channels.channel import InputChannel, UserMessage
from sanic import Blueprint, response
from sanic.request import Request
from sanic.response import HTTPResponse

from server.channels.body import BodyTooLargeError, read_body
from server.delivery.advisor_service import AdvisorService, AdvisorServiceError
from server.delivery.container import delivery
from vietnamese.text import clean

logger = logging.getLogger(__name__)

MAX_BODY_BYTES = 32_000
"""Fits a name and `MAX_TEXT_CHARS` letters with marks in JSON's longest form."""

MAX_NAME_CHARS = 80
MAX_TEXT_CHARS = 4_000

STATUSES = ("waiting", "taken", "closed", "all")

_HTTP = {"bad_request": 400, "not_found": 404, "closed": 409, "taken": 409}
"""The HTTP status of a `AdvisorServiceError`'s code."""

_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}

Handler = Callable[..., Awaitable[Any]]
"""A route: takes the service, the request and the parameters of its path; returns JSON."""


class RequestError(Exception):
    """A refused request: HTTP status, a code for programs, a sentence for developers."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class AdvisorsChannel(InputChannel):
    """The routes below /webhooks/advisors."""

    @classmethod
    def name(cls) -> str:
        """Return the name in the address."""
        return "advisors"

    def blueprint(self, on_new_message: Callable[[UserMessage], Awaitable[Any]]) -> Blueprint:
        """Return the routes of hand-overs and undelivered calls."""
        routes = Blueprint("advisors")

        @routes.get("/conversations")
        @_guarded()
        async def conversations(service: AdvisorService, request: Request) -> Any:
            status = request.args.get("status", "all")
            if status not in STATUSES:
                raise RequestError(400, "bad_request", f"`status` must be one of {', '.join(STATUSES)}")
            return {"conversations": await service.list(status)}

        @routes.get("/conversations/<conversation:int>")
        @_guarded()
        async def conversation(service: AdvisorService, request: Request, conversation: int) -> Any:
            return await service.read(conversation)

        @routes.post("/conversations/<conversation:int>/take", stream=True)
        @_guarded()
        async def take(service: AdvisorService, request: Request, conversation: int) -> Any:
            return await service.take(conversation, _name(await _body(request)))

        @routes.post("/conversations/<conversation:int>/reply", stream=True)
        @_guarded(status=202)
        async def reply(service: AdvisorService, request: Request, conversation: int) -> Any:
            said = await _body(request)
            return await service.reply(conversation, _name(said), _text(said))

        @routes.post("/conversations/<conversation:int>/give_back", stream=True)
        @_guarded()
        async def give_back(service: AdvisorService, request: Request, conversation: int) -> Any:
            return await service.give_back(conversation, _name(await _body(request)))

        @routes.get("/undelivered")
        @_guarded()
        async def undelivered(service: AdvisorService, request: Request) -> Any:
            return {"calls": await service.undelivered()}

        @routes.post("/undelivered/<call:int>/send_again", stream=True)
        @_guarded(status=202)
        async def send_again(service: AdvisorService, request: Request, call: int) -> Any:
            return await service.send_again(call)

        return routes


def _guarded(status: int = 200) -> Callable[[Handler], Callable[..., Coroutine[Any, Any, HTTPResponse]]]:
    """Wrap a route: check the token, answer with `status` on success, and report errors as JSON."""

    def guard(handler: Handler) -> Callable[..., Coroutine[Any, Any, HTTPResponse]]:
        @wraps(handler)
        async def route(request: Request, **place: int) -> HTTPResponse:
            try:
                running = delivery(request.app)
                _admit(request, running.settings.advisor_token)
                result = await handler(running.advisor_service, request, **place)
            except RequestError as refused:
                return _error(refused.status, refused.code, str(refused))
            except AdvisorServiceError as error:
                return _error(_HTTP.get(error.code, 400), error.code, str(error))
            except Exception:  # the traceback goes to the log only
                logger.exception("A request of an advisor failed.")
                return _error(503, "unavailable", "It failed; Rasa's log says why. Try again.")
            return response.json(result or {}, status=status, headers=_HEADERS, dumps=json.dumps)

        return route

    return guard


def _admit(request: Request, token: str) -> None:
    """Raises RequestError unless the request has the token."""
    if not token:
        raise RequestError(404, "not set up", "COVAN_ADVISOR_TOKEN is empty.")
    kind, _, shown = request.headers.get("authorization", "").partition(" ")
    # Constant time.
    same = hmac.compare_digest(shown.strip().encode("utf-8", "surrogateescape"), token.encode())
    if kind.lower() != "bearer" or not same:
        raise RequestError(401, "unauthorized", "The advisors' token is missing or wrong.")


async def _body(request: Request) -> Mapping[str, Any]:
    """Read the body as a JSON object, after the token was checked. Raises RequestError."""
    try:
        received = await read_body(request, MAX_BODY_BYTES)
    except BodyTooLargeError as error:
        raise RequestError(413, "too_large", str(error)) from None
    try:
        data = json.loads(received)
    except (ValueError, RecursionError) as error:
        raise RequestError(400, "bad_request", "The body is not JSON.") from error
    if not isinstance(data, dict):
        raise RequestError(400, "bad_request", "The body is not a JSON object.")
    return data


def _name(body: Mapping[str, Any]) -> str:
    """Return the advisor's name on one line. Raises RequestError."""
    return " ".join(_string(body, "by", MAX_NAME_CHARS).split())


def _text(body: Mapping[str, Any]) -> str:
    """Return the text of the reply. Raises RequestError."""
    return _string(body, "text", MAX_TEXT_CHARS)


def _string(body: Mapping[str, Any], field: str, longest: int) -> str:
    given: Any | None = body.get(field)
    # One character more than allowed, so that a longer text is refused instead of cut.
    cleaned = clean(given, longest + 1) if isinstance(given, str) else ""
    if not cleaned or len(cleaned) > longest:
        raise RequestError(400, "bad_request", f"`{field}` must be text of 1 to {longest} characters.")
    return cleaned


def _error(status: int, code: str, message: str) -> HTTPResponse:
    headers: dict[str, str] = dict(_HEADERS)
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return response.json({"error": code, "message": message}, status=status, headers=headers)
