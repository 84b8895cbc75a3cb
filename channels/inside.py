"""Tell the requests of this machine's own commands from those of the outside.

What comes from outside: a request that shows the headers of a proxy, one from a public address, and one whose `Host` is
a name (a page in somebody's browser could reach this address under a name of its own: DNS rebinding). A proxy that adds
no header and names this machine by its number cannot be told from a command.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request

from channels.proxies import is_private

_FORWARDED = frozenset(
    {
        *("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"),
        *(
            "x-real-ip",
            "x-client-ip",
            "x-cluster-client-ip",
            "true-client-ip",
            "client-ip",
            "x-original-host",
        ),
        *("cf-connecting-ip", "cf-connecting-ipv6", "cf-ray", "cf-visitor", "cdn-loop", "fastly-client-ip"),
        *("x-envoy-external-address", "x-amzn-trace-id", "x-azure-clientip", "x-appengine-user-ip"),
    }
)
"""Headers by which reverse proxies and the networks before a website show themselves."""


def is_inside(request: Request, own_host: str) -> bool:
    """Return whether a request comes from inside; `own_host` is the address that the front door listens on."""
    peer = request.client.host if request.client else ""
    named = names_this_machine(request.headers.get("host", ""), own_host)
    return is_private(peer) and named and _FORWARDED.isdisjoint(request.headers.keys())


def names_this_machine(host: str, own: str) -> bool:
    """Return whether a Host header holds a private address, `localhost`, or `own`, the name that COVAN_HOST gives."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name in ("localhost", own.lower()) or is_private(name)
