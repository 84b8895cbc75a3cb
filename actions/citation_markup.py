"""Markdown of an answer that quotes several clauses, with each clause under its locator.

A student who reads "một tháng" must see at once whether Điều 5 or Điều 12 says so, on a phone and on a channel without
source cards. The quoted text stays verbatim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import shorten

from rag.answer.table_rows import is_row
from rag.types import Citation, Reply

TITLE_CHARS = 80
"""Titles of regulations are long; the source card shows the full title."""


def text_with_locators(reply: Reply) -> str:
    """Return the text of `reply` in Markdown, with a locator above each run of quotations from one place.

    A curated answer stays unchanged. There are no locators for a single citation, nor in a text that lacks one of its
    quotations or has one within a line, as a sentence of the graph has names. The rows of a quoted table are a list.
    """
    return reply.text if reply.curated else _rows_listed(_located(reply))


def _located(reply: Reply) -> str:
    if len(reply.citations) < 2:
        return reply.text
    starts = list(_starts(reply.text, reply.citations))
    if len(starts) < len(reply.citations) or any(
        reply.text[start - 1 : start] not in ("", "\n") for start in starts
    ):
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


def _rows_listed(text: str) -> str:
    """Return `text` with each row of a table as an item of a list; a blank line ends the list."""
    lines: list[str] = []
    for line in text.split("\n"):
        if is_row(line):
            lines.append(f"- {line}")
        else:
            lines += ["", line] if line and lines and lines[-1].startswith("- ") else [line]
    return "\n".join(lines)


def _starts(text: str, citations: Sequence[Citation]) -> Iterator[int]:
    """Yield the offset of each quotation in `text`, in order, up to the first that is missing."""
    done = 0
    for citation in citations:
        # Clauses that share a leading sentence repeat it only in the first quotation.
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
