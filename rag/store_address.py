"""Addresses of databases and of Redis with a password that holds any characters."""

from __future__ import annotations

from urllib.parse import quote, unquote


def with_encoded_password(address: str) -> str:
    """Return an address (`scheme://user:password@host/...`) with user and password percent-encoded.

    An operator writes a password as it is, with "@", "/", "#" or "%" in it; what is percent-encoded already stays so.
    The last "@" ends the password: a host has none.
    """
    scheme, separator, rest = address.partition("://")
    userinfo, at, place = rest.rpartition("@")
    # The rest of SQLite's address is a path.
    if not separator or not at or scheme.startswith("sqlite"):
        return address
    user, colon, password = userinfo.partition(":")
    return f"{scheme}://{_encoded(user)}{colon}{_encoded(password)}@{place}"


def _encoded(text: str) -> str:
    return quote(unquote(text), safe="")
