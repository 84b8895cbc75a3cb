"""The security headers of every answer but those to posts, which no browser shows as a page (`channels.app.Posts`)."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

_RAW = [(name.lower().encode("ascii"), value.encode("ascii")) for name, value in SECURITY_HEADERS.items()]
_NAMES = frozenset(name for name, _ in _RAW)

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
    """ASGI middleware that puts the security headers on every answer of an application, errors included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                others = (header for header in message["headers"] if header[0] not in _NAMES)
                message["headers"] = [*others, *_RAW]
                headers = MutableHeaders(scope=message)
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
