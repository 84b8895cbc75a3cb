"""CORS for the website's channel: its own origin and those of COVAN_WEB_ORIGINS may call it.

Rasa's own option (`--cors`) opens the routes of all channels at once. The token is sent in a header, never in a cookie,
so that a browser adds no credentials by itself. https://fetch.spec.whatwg.org/#http-cors-protocol
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

PREFLIGHT_FOR_S = 7_200
"""Seconds that a browser caches a preflight; Chromium caps it at two hours."""

ASKED_HEADERS = "Authorization, Content-Type, Last-Event-ID"
TOLD_HEADERS = "Retry-After"


def allowed(origin: str, host: str, origins: Collection[str]) -> bool:
    """Return whether a page of `origin` may call a server whose name is `host`.

    A request without an origin comes from this server's own page or from a program, and is allowed.
    """
    if not origin:
        return True
    asking = origin.lower()
    if any(asking == known.lower() for known in origins):
        return True
    try:
        parts = urlsplit(asking)
    except ValueError:  # as for `http://[`
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and parts.netloc == host.lower()


def answer_headers(origin: str, host: str, origins: Collection[str]) -> dict[str, str]:
    """Return the CORS headers of a response; `Vary` is always present, since caches must separate the origins."""
    headers = {"Vary": "Origin"}
    if origin and allowed(origin, host, origins):
        headers.update({"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": TOLD_HEADERS})
    return headers


def preflight_headers(methods: str) -> dict[str, str]:
    """Return the additional headers of a preflight response; `methods` as "GET, POST"."""
    return {
        "Access-Control-Allow-Methods": methods,
        "Access-Control-Allow-Headers": ASKED_HEADERS,
        "Access-Control-Max-Age": str(PREFLIGHT_FOR_S),
    }
