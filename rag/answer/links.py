"""The pages that an answer leads to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from rag.types import Link

LONGEST_URL = 2_000
"""Characters; nothing longer is an address that an office has written."""

_LINK = re.compile(r"(?<!!)\[(?P<title>[^\[\]\n]+)\]\(\s*<?(?P<to>[^\s<>]+?)>?(?:\s+\"[^\"\n]*\")?\s*\)")
_BARE = re.compile(r"\bhttps?://[^\s<>\"'`\[\]|]+", re.IGNORECASE)
_END = ".,;:!?…*_~"


def links_in(text: str) -> list[Link]:
    """The links of a Markdown text and the addresses that stand in it as such, each once, in its order.

    A link is called what the text calls it, a bare address by its host. None but http and https, and none that shows
    another host than the one it leads to ("https://school.example@elsewhere.example").
    """
    found: dict[str, tuple[int, Link]] = {}
    covered: list[tuple[int, int]] = []
    for match in _LINK.finditer(text):
        covered.append(match.span())
        if (host := _host(match["to"])) is not None:
            title = _plain(match["title"])
            # A title that is an address itself must not name another one than the link's.
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
    """What a link is to be trusted by: where it leads; None when it is not to be offered at all."""
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
