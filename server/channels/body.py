"""Read a request's body up to a limit."""

from __future__ import annotations

from sanic.exceptions import PayloadTooLarge
from sanic.request import Request

DISCARDED_BYTES = 1024 * 1024
"""Bytes over the limit that are read and dropped, so that the client gets the response before the connection closes."""


class BodyTooLargeError(Exception):
    """The body exceeds the limit."""


async def read_body(request: Request, limit: int) -> bytes:
    """Return the body of a request to a route with `stream=True`, at most `limit` bytes.

    Raises:
        BodyTooLargeError: when there are more.
    """
    stream = request.stream
    if stream is None:
        return b""
    stream.request_max_size = limit + DISCARDED_BYTES
    body, size = bytearray(), 0
    try:
        while stream.request_body:
            chunk = await stream.read()
            size += len(chunk or b"")
            if size <= limit:
                body += chunk or b""
    except PayloadTooLarge:
        size = limit + 1
    if size > limit:
        raise BodyTooLargeError(f"the body may have {limit} bytes")
    return bytes(body)
