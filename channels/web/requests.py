"""Parse the requests of the website's pages and refuse malformed ones."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from channels.body import BodyIncompleteError, BodyTooLargeError, read_body
from channels.delivery.incoming import COMMANDS, ButtonPress, Content, MenuCommand, Rating, TextInput
from channels.untrusted_json import parse_json
from channels.web.sessions import LANGUAGES

MAX_BODY_BYTES = 64 * 1024
"""Thirty times the longest question, in UTF-8."""

MAX_REASON_CHARS = 1_000
MESSAGES_AT_ONCE, MOST_MESSAGES_AT_ONCE = 50, 100

STATUS: Mapping[str, int] = {
    "bad_request": 400,
    "session_expired": 401,
    "origin": 403,
    "too_large": 413,
    "too_many": 429,
    "too_fast": 429,
    "unavailable": 503,
}

_CLIENT_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_OPTION = re.compile(r"[A-Za-z0-9_-]{1,24}")
_ID_DIGITS = 18
"""Digits of a message id that every database can store."""

_BETWEEN = ":"


class RequestError(Exception):
    """A refused request: a code of STATUS, and a sentence for the page's developer."""

    def __init__(self, code: str, why: str, retry_after_s: int | None = None) -> None:
        super().__init__(why)
        self.code = code
        self.status = STATUS[code]
        self.retry_after_s = retry_after_s


async def read_json(request: Request, *, may_be_empty: bool = False) -> dict[str, Any]:
    """Return a request's body as a JSON object. Raises RequestError."""
    try:
        body = await read_body(request, MAX_BODY_BYTES)
    except BodyTooLargeError as error:
        raise RequestError("too_large", str(error)) from None
    except BodyIncompleteError as error:
        raise RequestError("bad_request", str(error)) from None
    if not body and may_be_empty:
        return {}
    # Another site's form cannot send this type: a browser asks with a preflight first.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RequestError("bad_request", "the Content-Type must be application/json")
    try:
        data = parse_json(body)
    except ValueError:
        raise RequestError("bad_request", "the body is not JSON") from None
    if not isinstance(data, dict):
        raise RequestError("bad_request", "the body is not a JSON object")
    return data


def language(data: Mapping[str, Any]) -> str:
    """Return the language of a new session, or an empty text. Raises RequestError."""
    _only(data, "language")
    spoken = data.get("language", "")
    if spoken not in ("", *LANGUAGES):
        raise RequestError("bad_request", f"`language` must be one of {', '.join(LANGUAGES)}")
    return str(spoken)


def message(data: Mapping[str, Any], session: str) -> tuple[str, Content]:
    """Return the delivery's id and content from the body of POST /messages. Raises RequestError."""
    _only(data, "id", "text", "option", "command")
    client_id = data.get("id")
    if not isinstance(client_id, str) or not _CLIENT_ID.fullmatch(client_id):
        raise RequestError("bad_request", "`id` must be 8 to 64 letters, digits, - or _")
    contents = [(key, data[key]) for key in ("text", "option", "command") if data.get(key) is not None]
    if len(contents) != 1 or not isinstance(contents[0][1], str):
        raise RequestError(
            "bad_request", "exactly one of `text`, `option` and `command` must be given, as a string"
        )
    kind, value = contents[0]
    if kind == "text":
        return event_id(session, client_id), TextInput(value)
    if kind == "option":
        if not _OPTION.fullmatch(value):
            raise RequestError("bad_request", "`option` is not the id of a button")
        return event_id(session, client_id), ButtonPress(value)
    if value not in COMMANDS:
        raise RequestError("bad_request", f"`command` must be one of {', '.join(sorted(COMMANDS))}")
    # The page asks for the greeting when it is opened; the student has not.
    return event_id(session, client_id), MenuCommand(value, unasked=value == "start")


def feedback(data: Mapping[str, Any], session: str) -> tuple[str, Rating]:
    """Return the delivery's id and the rating from the body of POST /feedback. Raises RequestError."""
    _only(data, "message", "good", "reason")
    rated, good, reason = data.get("message"), data.get("good"), data.get("reason") or ""
    if isinstance(rated, bool) or not isinstance(rated, int) or not 0 < rated < 10**_ID_DIGITS:
        raise RequestError("bad_request", "`message` must be the id of a message")
    if not isinstance(good, bool):
        raise RequestError("bad_request", "`good` must be true or false")
    if not isinstance(reason, str) or len(reason) > MAX_REASON_CHARS:
        raise RequestError("bad_request", f"`reason` must be a text of at most {MAX_REASON_CHARS} characters")
    # Each rating is a new delivery, since the last one counts.
    return event_id(session, secrets.token_urlsafe(9)), Rating(rated, good, reason)


def page_of_history(request: Request) -> tuple[int | None, int]:
    """Return `before` and `limit` of GET /messages. Raises RequestError."""
    before, limit = request.query_params.get("before"), request.query_params.get("limit")
    return (
        None if before is None else message_id(before, "before"),
        MESSAGES_AT_ONCE if limit is None else min(max(message_id(limit, "limit"), 1), MOST_MESSAGES_AT_ONCE),
    )


def resume_after(request: Request) -> int:
    """Return the id of the page's last message from GET /events; 0 for none. Raises RequestError."""
    last = request.headers.get("last-event-id")
    return (
        message_id(last, "Last-Event-ID")
        if last
        else message_id(request.query_params.get("after") or "0", "after")
    )


def message_id(text: str, name: str) -> int:
    """Parse a message id from an address or a header. Raises RequestError."""
    if not (text.isascii() and text.isdigit() and len(text) <= _ID_DIGITS):
        raise RequestError("bad_request", f"`{name}` must be a number")
    return int(text)


def event_id(session: str, client_id: str) -> str:
    """Return the delivery's id: the page's id, made unique by the session."""
    return f"{session}{_BETWEEN}{client_id}"


def client_id(delivered: str) -> str:
    """Return the id that the page gave its message."""
    return delivered.rpartition(_BETWEEN)[2]


def _only(data: Mapping[str, Any], *known: str) -> None:
    if unknown := sorted(set(data) - set(known)):
        raise RequestError(
            "bad_request", f"unknown: {', '.join(unknown)[:100]}; known are {', '.join(known)}"
        )
