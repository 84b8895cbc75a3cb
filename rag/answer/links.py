"""Links of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from rag.types import Link

LONGEST_URL = 2_000
"""The longest address in characters; an office writes shorter ones."""

_LINK = re.compile(r"(?<!!)\[(?P<title>[^\[\]\n]+)\]\(\s*<?(?P<to>[^\s<>]+?)>?(?:\s+\"[^\"\n]*\")?\s*\)")
_BARE = re.compile(r"\bhttps?://[^\s<>\"'`\[\]|]+", re.IGNORECASE)
_END = ".,;:!?…*_~"


def links_in(text: str) -> list[Link]:
    """Return the links and the bare addresses of a Markdown text, each once, in its order.

    A link has its own title, a bare address its host as title. Links must be http or https, and must not show another
    host than their own ("https://school.example@elsewhere.example").
    """
    found: dict[str, tuple[int, Link]] = {}
    covered: list[tuple[int, int]] = []
    for match in _LINK.finditer(text):
        covered.append(match.span())
        if (host := _host(match["to"])) is not None:
            title = _plain(match["title"])
            # A title that is an address itself might name another one.
            title = host if _BARE.match(title) or not title else title
            found.setdefault(match["to"], (match.start(), Link(title, match["to"])))
    for start, url in _bare(text):
        if not any(begin <= start < end for begin, end in covered) and (host := _host(url)) is not None:
            found.setdefault(url, (start, Link(host, url)))
    return [link for _, link in sorted(found.values(), key=lambda one: one[0])]


def _bare(text: str) -> Iterator[tuple[int, str]]:
    for match in _BARE.finditer(text):
        url = match[0].rstrip(_END)
        while url.endswith(")") and url.count(")") > url.count("("):
            url = url[:-1].rstrip(_END)
        yield match.start(), url


def _host(url: str) -> str | None:
    """Return the host of an address; None when the address is not to be offered."""
    if len(url) > LONGEST_URL:
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not host or "@" in parts.netloc:
        return None
    return host.removeprefix("www.")


def _plain(title: str) -> str:
    return " ".join(re.sub(r"[*_`~]", "", title).split())
