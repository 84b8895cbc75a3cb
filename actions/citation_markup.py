"""Answers quoted from several clauses: each one under the place where it stands.

A student who reads "một tháng" must see whether that is Điều 5 or Điều 12 without opening anything, on a phone and on a
channel that shows no source cards. The quoted words stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import shorten

from rag.types import Citation, Reply

TITLE_CHARS = 80
"""Titles of regulations are long; the source card has the whole of it."""


def with_places(reply: Reply) -> str:
    """The text of `reply`, in Markdown; when it quotes several clauses, with the place of each above it, once for those
    that stand in one place.

    An answer of an office, or one whose quotations cannot be found in it, stays as it is.
    """
    if reply.curated or len(reply.citations) < 2:
        return reply.text
    starts = list(_starts(reply.text, reply.citations))
    if len(starts) < len(reply.citations):
        return reply.text
    several_documents = len({citation.document_id for citation in reply.citations}) > 1
    places = [_place(citation, several_documents) for citation in reply.citations]
    if len(set(places)) == 1:
        return reply.text
    pieces = [reply.text[: starts[0]].strip()]
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(reply.text)], strict=True)):
        if number == 0 or places[number] != places[number - 1]:
            pieces.append(places[number])
        pieces.append(reply.text[start:end].strip())
    return "\n\n".join(piece for piece in pieces if piece)


def _starts(text: str, citations: Sequence[Citation]) -> Iterator[int]:
    """Where each quotation begins in `text`, in order, as far as they are found."""
    done = 0
    for citation in citations:
        # Of clauses that share their leading sentence only the first is quoted with it.
        for quote in (citation.quote, citation.quote.partition("\n")[2]):
            if quote and (start := text.find(quote, done)) >= 0:
                yield start
                done = start + len(quote)
                break
        else:
            return


def _place(citation: Citation, with_title: bool) -> str:
    title = shorten(citation.title, TITLE_CHARS, placeholder="…")
    if not citation.locator:
        return f"**{title}**"
    return f"**{citation.locator}** – *{title}*" if with_title and title else f"**{citation.locator}**"
