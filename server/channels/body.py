"""What was posted, as far as it is worth reading."""

from __future__ import annotations

from sanic.exceptions import PayloadTooLarge
from sanic.request import Request

DISCARDED_BYTES = 1024 * 1024
"""So much more is read and thrown away, so that who sent it can read the answer; then the connection is closed."""


class BodyTooLarge(Exception):
    """More was sent than is read."""


async def read_body(request: Request, limit: int) -> bytes:
    """The bytes of a request to a route with `stream=True`, at most `limit` of them.

    Raises:
        BodyTooLarge: when there are more.
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
        raise BodyTooLarge(f"the body may have {limit} bytes")
    return bytes(body)
