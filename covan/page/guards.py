"""Guards between the network and the page: security headers, the size of a body, the message rate."""

from __future__ import annotations

from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 64 * 1024
"""A message of 2,000 characters is at most 8 kB in UTF-8, and 24 kB when JSON escapes every character."""

MESSAGES_PER_MINUTE_OF_A_SENDER = 60
"""More than Rasa's channels take: a sender who is a little fast is told so in the conversation."""

MESSAGES_PER_MINUTE_OF_AN_ADDRESS = 600
"""A whole campus may stand behind one address."""

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


WIDGET = "/widget.js"
"""The one file that other sites load: a chat for any page, in one script tag."""

WIDGET_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    # Its name stays: a new version is everywhere within ten minutes.
    "Cache-Control": "public, max-age=600",
}

LASTING = "public, max-age=31536000, immutable"


class SecurityHeaders:
    """ASGI middleware that puts the security headers on every answer, errors included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
                path, found = scope.get("path", ""), message["status"] in (200, 304)
                if found and path == WIDGET:
                    headers.update(WIDGET_HEADERS)
                # The files under /assets/ are named after their content; nothing else may grow old.
                if "cache-control" not in headers:
                    headers["Cache-Control"] = (
                        LASTING if found and path.startswith("/assets/") else "no-cache"
                    )
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class BodyTooLargeError(Exception):
    """A request's body is larger than MAX_BODY_BYTES."""


async def read_body(request: Request, limit: int = MAX_BODY_BYTES) -> bytes:
    """Return the body of a request. Stops reading and raises BodyTooLargeError once it exceeds `limit` bytes."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise BodyTooLargeError
    return bytes(body)


class MessageRate:
    """Limits the messages of a sender, and of an address, in a minute (a moving window, in memory).

    A sender may be anything that tells one visitor from another; without one, the address alone counts.
    """

    def __init__(
        self,
        per_sender: int = MESSAGES_PER_MINUTE_OF_A_SENDER,
        per_address: int = MESSAGES_PER_MINUTE_OF_AN_ADDRESS,
    ) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._per_sender = RateLimitItemPerMinute(per_sender, namespace="sender")
        self._per_address = RateLimitItemPerMinute(per_address, namespace="address")

    async def admits(self, sender: str, address: str) -> bool:
        """Count one message; whether it may pass."""
        # The address first: a flood with a new sender for each message must not fill the memory with senders.
        if not await self._limiter.hit(self._per_address, address):
            return False
        return not sender or await self._limiter.hit(self._per_sender, sender)
