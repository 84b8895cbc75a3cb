"""The advisors' HTTP API over hand-overs: list, read, take, reply, preview, note, hand on, give back;
and to send an answer that came later.

Its clients are the console, `covan queue` and `covan reply` on the school's own machines, who ask the front door
directly. What comes from outside gets 404: a request that shows the headers of a proxy, one from a public address,
and one whose `Host` is a name (a page in an advisor's browser could reach this address under a name of its own: DNS
rebinding). A proxy that adds no header and names this machine by its number cannot be told from a command: it must
not hand these addresses on, and the token keeps the rest out. Each request carries `Authorization: Bearer
COVAN_ADVISOR_TOKEN`; while that setting is empty, the routes answer 404. No response allows another origin (CORS).

Errors are `{"error": code, "message": English sentence}`.
"""

from __future__ import annotations

import hmac
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from channels.body import CLOSE, BodyIncompleteError, BodyTooLargeError, read_body
from channels.delivery.advisor_service import AdvisorService, AdvisorServiceError
from channels.delivery.delivery_worker import DeliveryWorker
from channels.inside import is_inside
from channels.rasa_client import RasaClient
from channels.untrusted_json import parse_json
from vietnamese.text import clean

logger = logging.getLogger(__name__)

MAX_BODY_BYTES = 32_000
"""Fits a name and `MAX_TEXT_CHARS` letters with marks in JSON's longest form."""

MAX_ANSWER_BODY_BYTES = 256_000
"""Fits an answer with its citations."""

MOST_CITATIONS, MAX_CITATION_CHARS = 20, 4_000

MAX_NAME_CHARS = 80
MAX_TEXT_CHARS = 4_000
MAX_OFFICE_CHARS = 200

MAX_CHANNEL_CHARS, MAX_SENDER_CHARS = 20, 100

MOST_NUMBER = 2**63
"""Numbers of conversations and calls are 64-bit integers."""

_NUMBER = re.compile("[0-9]{1,19}")

_CITED = ("document_id", "title", "locator", "quote")
_MAYBE_CITED = ("number", "url")

STATUSES = ("waiting", "taken", "closed", "all")

_HTTP = {"bad_request": 400, "not_found": 404, "closed": 409, "taken": 409, "window": 409}
"""The HTTP status of a `AdvisorServiceError`'s code."""

_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}

Handler = Callable[[AdvisorService, Request], Awaitable[Any]]
"""A route: takes the service and the request; returns JSON."""


class RequestError(Exception):
    """A refused request: HTTP status, a code for programs, a sentence for developers."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class AdvisorsChannel:
    """The routes below /webhooks/advisors (see `channels.channel.Channel`)."""

    def __init__(self, delivery: DeliveryWorker, rasa: RasaClient) -> None:
        self._delivery = delivery

    async def open(self) -> None:
        """See `Channel`."""

    def stop(self) -> None:
        """See `Channel`."""

    async def close(self) -> None:
        """See `Channel`."""

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of hand-overs and undelivered calls."""
        # As text: a number of 5,000 digits is more than the converter to `int` takes.
        number = "{number}"
        return [
            Mount(
                "/webhooks/advisors",
                routes=[
                    Route("/conversations", self._guarded(_conversations), methods=["GET"]),
                    Route(f"/conversations/{number}", self._guarded(_conversation), methods=["GET"]),
                    Route(f"/conversations/{number}/take", self._guarded(_take), methods=["POST"]),
                    Route(f"/conversations/{number}/reply", self._guarded(_reply, 202), methods=["POST"]),
                    Route(f"/conversations/{number}/give_back", self._guarded(_give_back), methods=["POST"]),
                    Route(f"/conversations/{number}/preview", self._guarded(_preview), methods=["POST"]),
                    Route(f"/conversations/{number}/notes", self._guarded(_note, 201), methods=["POST"]),
                    Route(f"/conversations/{number}/hand_on", self._guarded(_hand_on), methods=["POST"]),
                    Route("/previews", self._guarded(_previews), methods=["POST"]),
                    Route("/answers", self._guarded(_answer_later, 202), methods=["POST"]),
                    Route("/undelivered", self._guarded(_undelivered), methods=["GET"]),
                    Route(
                        f"/undelivered/{number}/send_again",
                        self._guarded(_send_again, 202),
                        methods=["POST"],
                    ),
                ],
            )
        ]

    def _guarded(self, handler: Handler, status: int = 200) -> Callable[[Request], Awaitable[Response]]:
        """Wrap a route: check the token, answer with `status` on success, and report errors as JSON."""

        @wraps(handler)
        async def route(request: Request) -> Response:
            try:
                self._admit(request)
                service = self._delivery.advisor_service
                assert service is not None, "set by channels/front_door.py"
                result = await handler(service, request)
            except RequestError as refused:
                return _error(refused.status, refused.code, str(refused))
            except AdvisorServiceError as error:
                return _error(_HTTP.get(error.code, 400), error.code, str(error))
            except Exception:  # the traceback goes to the log only
                logger.exception("A request of an advisor failed.")
                return _error(503, "unavailable", "It failed; the log channels.log says why. Try again.")
            return JSONResponse(result or {}, status, _HEADERS)

        return route

    def _admit(self, request: Request) -> None:
        """Raises RequestError unless the request comes from inside and has the token."""
        token = self._delivery.settings.advisor_token.get_secret_value()
        if not token or not is_inside(request, self._delivery.settings.host):
            # Outside, the API does not exist.
            raise RequestError(404, "not set up", "There is no advisors' API at this address.")
        kind, _, shown = request.headers.get("authorization", "").partition(" ")
        # Constant time.
        same = hmac.compare_digest(shown.strip().encode("utf-8", "surrogateescape"), token.encode())
        if kind.lower() != "bearer" or not same:
            raise RequestError(401, "unauthorized", "The advisors' token is missing or wrong.")


async def _conversations(service: AdvisorService, request: Request) -> Any:
    status = request.query_params.get("status", "all")
    if status not in STATUSES:
        raise RequestError(400, "bad_request", f"`status` must be one of {', '.join(STATUSES)}")
    return {"conversations": await service.list(status)}


async def _conversation(service: AdvisorService, request: Request) -> Any:
    return await service.read(_number(request))


async def _take(service: AdvisorService, request: Request) -> Any:
    return await service.take(_number(request), _name(await _body(request)))


async def _reply(service: AdvisorService, request: Request) -> Any:
    written = await _body(request)
    return await service.reply(_number(request), _name(written), _text(written))


async def _preview(service: AdvisorService, request: Request) -> Any:
    written = await _body(request)
    return await service.preview(_number(request), _name(written), _text(written))


async def _previews(service: AdvisorService, request: Request) -> Any:
    written = await _body(request, MAX_ANSWER_BODY_BYTES)
    return await service.previews(_text(written), _citations(written))


async def _note(service: AdvisorService, request: Request) -> Any:
    written = await _body(request)
    return await service.note(_number(request), _name(written), _text(written))


async def _hand_on(service: AdvisorService, request: Request) -> Any:
    written = await _body(request)
    limits = {
        "taken_by": MAX_NAME_CHARS,
        "to": MAX_NAME_CHARS,
        "office": MAX_OFFICE_CHARS,
        "text": MAX_TEXT_CHARS,
    }
    given = {name: _string(written, name, most) for name, most in limits.items() if written.get(name)}
    return await service.hand_on(_number(request), _name(written), **given)


async def _answer_later(service: AdvisorService, request: Request) -> Any:
    written = await _body(request, MAX_ANSWER_BODY_BYTES)
    to = (_string(written, "channel", MAX_CHANNEL_CHARS), _string(written, "sender", MAX_SENDER_CHARS))
    return await service.answer_later(*to, _name(written), _text(written), _citations(written))


async def _give_back(service: AdvisorService, request: Request) -> Any:
    return await service.give_back(_number(request), _name(await _body(request)))


async def _undelivered(service: AdvisorService, request: Request) -> Any:
    return {"calls": await service.undelivered()}


async def _send_again(service: AdvisorService, request: Request) -> Any:
    return await service.send_again(_number(request))


def _number(request: Request) -> int:
    """Return the number in the path. Raises RequestError for one that no database can hold."""
    digits: str = request.path_params["number"]
    if not _NUMBER.fullmatch(digits) or int(digits) >= MOST_NUMBER:
        raise RequestError(404, "not_found", "there is nothing with this number")
    return int(digits)


async def _body(request: Request, most_bytes: int = MAX_BODY_BYTES) -> Mapping[str, Any]:
    """Read the body as a JSON object, after the token was checked. Raises RequestError."""
    try:
        received = await read_body(request, most_bytes)
    except BodyTooLargeError as error:
        raise RequestError(413, "too_large", str(error)) from None
    except BodyIncompleteError as error:
        raise RequestError(400, "bad_request", str(error)) from None
    try:
        data = parse_json(received)
    except ValueError as error:
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


def _citations(body: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the sources of an answer, as in `channels.delivery.message.Message`. Raises RequestError."""
    given = body.get("citations", [])
    if not isinstance(given, list) or len(given) > MOST_CITATIONS or not all(map(_is_citation, given)):
        raise RequestError(
            400,
            "bad_request",
            f"`citations` must be at most {MOST_CITATIONS} objects with `document_id`, `title`, `locator` and `quote`,"
            f" texts of at most {MAX_CITATION_CHARS} characters, and maybe `number`, `url` and `page`.",
        )
    return given


def _is_citation(given: Any) -> bool:
    if not isinstance(given, dict) or not given.keys() <= {*_CITED, *_MAYBE_CITED, "page"}:
        return False
    texts = [given.get(name) for name in _CITED] + [given.get(name) or "" for name in _MAYBE_CITED]
    page = given.get("page")
    return all(isinstance(text, str) and len(text) <= MAX_CITATION_CHARS for text in texts) and (
        page is None or (type(page) is int and 0 < page < MOST_NUMBER)
    )


def _string(body: Mapping[str, Any], field: str, longest: int) -> str:
    given: Any | None = body.get(field)
    # One character more than allowed, so that a longer text is refused instead of cut.
    cleaned = clean(given, longest + 1) if isinstance(given, str) else ""
    if not cleaned or len(cleaned) > longest:
        raise RequestError(400, "bad_request", f"`{field}` must be text of 1 to {longest} characters.")
    return cleaned


def _error(status: int, code: str, message: str) -> Response:
    headers: dict[str, str] = dict(_HEADERS)
    if status == 413:
        headers.update(CLOSE)
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse({"error": code, "message": message}, status, headers)
