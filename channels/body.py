"""Read a request's body up to a limit."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request

DISCARDED_BYTES = 1024 * 1024
"""Bytes over the limit that are read and dropped, so that the client gets the response before the connection closes."""


CLOSE = {"Connection": "close"}
"""Header of the answer to a body that was not read to its end; the server would go on reading without it."""


class BodyTooLargeError(Exception):
    """The body exceeds the limit; the answer carries `CLOSE`."""


class BodyIncompleteError(Exception):
    """The client went away before the end of the body."""


async def read_body(request: Request, limit: int) -> bytes:
    """Return the body of a request, at most `limit` bytes.

    Raises:
        BodyTooLargeError: when there are more.
        BodyIncompleteError: when the client goes away.
    """
    body, size = bytearray(), 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size <= limit:
                body += chunk
            elif size > limit + DISCARDED_BYTES:
                break
    except ClientDisconnect as error:
        raise BodyIncompleteError("the client went away") from error
    if size > limit:
        raise BodyTooLargeError(f"the body may have {limit} bytes")
    return bytes(body)
