"""Tell requests that a reverse proxy has handed on: what is for this machine's own commands refuses them."""

from __future__ import annotations

from starlette.requests import Request

_FORWARDED = frozenset(
    {"forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"}
)
"""Headers by which reverse proxies show themselves."""


def is_forwarded(request: Request) -> bool:
    """Return whether a reverse proxy has handed the request on."""
    return not _FORWARDED.isdisjoint(request.headers.keys())
