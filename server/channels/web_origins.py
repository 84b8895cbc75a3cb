"""Which websites may talk to the chat: the server's own, and those of COVAN_WEB_ORIGINS.

Written out here for one channel's routes, because Rasa's own (`--cors`) opens all of them at once. Tokens are shown in
a header and never in a cookie, so there are no credentials for a browser to add by itself.
See https://fetch.spec.whatwg.org/#http-cors-protocol.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

PREFLIGHT_FOR_S = 7_200
"""How long a browser remembers what it asked; Chromium keeps it no longer than two hours."""

ASKED_HEADERS = "Authorization, Content-Type, Last-Event-ID"
TOLD_HEADERS = "Retry-After"


def allowed(origin: str, host: str, origins: Collection[str]) -> bool:
    """Whether a page of `origin` may talk to a server that was called by the name `host`.

    No origin is let through: it is no page of another site that asks, but this server's own or a program.
    """
    if not origin:
        return True
    asking = origin.lower()
    if any(asking == known.lower() for known in origins):
        return True
    parts = urlsplit(asking)
    return parts.scheme in ("http", "https") and bool(parts.netloc) and parts.netloc == host.lower()


def answer_headers(origin: str, host: str, origins: Collection[str]) -> dict[str, str]:
    """What every answer carries. Caches must tell the sites apart, also where an answer has no word for a site."""
    headers = {"Vary": "Origin"}
    if origin and allowed(origin, host, origins):
        headers.update({"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": TOLD_HEADERS})
    return headers


def preflight_headers(methods: str) -> dict[str, str]:
    """What the answer to a browser's question before the real request carries besides; `methods` as "GET, POST"."""
    return {
        "Access-Control-Allow-Methods": methods,
        "Access-Control-Allow-Headers": ASKED_HEADERS,
        "Access-Control-Max-Age": str(PREFLIGHT_FOR_S),
    }
