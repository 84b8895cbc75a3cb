"""Write Markdown as Telegram's HTML or as plain text, in pieces that fit the platform's limit.

    pieces("**Hạn:** 30/9", 4096, TelegramHtml())  ->  ["<b>Hạn:</b> 30/9"]

All text is escaped: the words of a student, an advisor or a document never become markup.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import ClassVar, Protocol

from channels.delivery.markdown_lines import FIXED, FOLDED, QUOTE, Block, Line, Span, blocks_of
from channels.delivery.markdown_split import Measure, split

NARROW_TABLE = 34
"""Monospaced characters that fit a line of a small phone."""


class Form(Protocol):
    """Interface of an output format."""

    @property
    def widest_table(self) -> int:
        """Characters; wider tables are written row by row instead of in columns."""

    def lines(self, blocks: Sequence[Block]) -> list[Block]:
        """Return the blocks with unsupported markup replaced by words; these are measured and written."""

    def measure(self) -> Measure:
        """Return how the platform measures a line."""

    def write(self, lines: Sequence[Line]) -> str:
        """Return the text to send for the lines."""


def pieces(markdown: str, limit: int, form: Form) -> list[str]:
    """Return `markdown` written in `form`, split into pieces that each fit `limit` as the platform counts.

    Empty when there is nothing to see. Raises ValueError for a limit too small to write anything in.
    """
    return laid_out(blocks_of(markdown, form.widest_table), limit, form)


def laid_out(blocks: Sequence[Block], limit: int, form: Form) -> list[str]:
    """Do the same as `pieces` for parsed blocks."""
    return [form.write(lines) for lines in split(form.lines(blocks), limit, form.measure())]


def utf16_units(text: str) -> int:
    """Return the length of a text in UTF-16 code units, as Telegram and JavaScript count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class TelegramHtml:
    """Telegram's HTML (https://core.telegram.org/bots/api#html-style); tags do not count towards the limit.

    Telegram links http and https only; other links show their address, which phones make tappable.
    """

    widest_table = NARROW_TABLE
    _TAGS: ClassVar[dict[str, tuple[str, str]]] = {
        QUOTE: ("<blockquote>", "</blockquote>"),
        FOLDED: ("<blockquote expandable>", "</blockquote>"),
    }

    def lines(self, blocks: Sequence[Block]) -> list[Block]:
        """Replace links to telephones and mail by words."""
        return _each_line(blocks, lambda spans: _links_in_words(spans, kept=("http:", "https:")))

    def measure(self) -> Measure:
        """Return a measure in UTF-16 code units."""
        return Measure(utf16_units, lambda _: 0)

    def write(self, lines: Sequence[Line]) -> str:
        """Return the lines as HTML."""
        written: list[str] = []
        for kind, same in _runs(lines):
            opening, closing = ("<pre>", "</pre>") if kind == FIXED else self._TAGS.get(kind, ("", ""))
            found = list(same)
            inner = "".join(
                "\n" * (line.gap if at else 0) + self._line(line, fixed=kind == FIXED)
                for at, line in enumerate(found)
            )
            written.append("\n" * (found[0].gap if written else 0) + opening + inner + closing)
        return "".join(written)

    def _line(self, line: Line, fixed: bool) -> str:
        if fixed:
            return html.escape(line.lead + line.text, quote=False)
        return html.escape(line.lead, quote=False) + "".join(map(self._span, line.spans))

    def _span(self, span: Span) -> str:
        text = html.escape(span.text, quote=False)
        for style in sorted(span.styles):
            text = f"<{style}>{text}</{style}>"
        return f'<a href="{html.escape(span.link)}">{text}</a>' if span.link else text


class PlainText:
    """Plain text: links as "title (address)", quotations after "> ", tables row by row."""

    widest_table = 0
    QUOTE_MARK = "> "

    def lines(self, blocks: Sequence[Block]) -> list[Block]:
        """Replace links by words."""
        return _each_line(blocks, lambda spans: _links_in_words(spans, kept=()))

    def measure(self) -> Measure:
        """Return a measure in UTF-16 code units, including quotation marks."""
        return Measure(utf16_units, lambda line: len(self._mark(line)))

    def write(self, lines: Sequence[Line]) -> str:
        """Return the lines as text."""
        return "".join(
            "\n" * (line.gap if at else 0) + self._mark(line) + line.lead + line.text
            for at, line in enumerate(lines)
        )

    def _mark(self, line: Line) -> str:
        return self.QUOTE_MARK if line.kind in (QUOTE, FOLDED) else ""


def _runs(lines: Sequence[Line]) -> Iterable[tuple[str, Iterable[Line]]]:
    """Yield runs of lines of one kind; a blank line separates two pieces of code."""
    number = 0
    keyed: list[tuple[tuple[str, int], Line]] = []
    for line in lines:
        if line.kind == FIXED and line.gap > 1:
            number += 1
        keyed.append(((line.kind, number if line.kind == FIXED else 0), line))
    for (kind, _), same in groupby(keyed, key=lambda each: each[0]):
        yield kind, (line for _, line in same)


def _each_line(blocks: Sequence[Block], change: Callable[[Sequence[Span]], tuple[Span, ...]]) -> list[Block]:
    return [
        tuple(tuple(replace(line, spans=change(line.spans)) for line in item) for item in block)
        for block in blocks
    ]


def _links_in_words(spans: Sequence[Span], kept: tuple[str, ...]) -> tuple[Span, ...]:
    """Return the spans with links of schemes other than `kept` written out after their title."""
    written: list[Span] = []
    for link, same in groupby(spans, key=lambda span: span.link):
        titled = list(same)
        if not link or link.lower().startswith(kept):
            written.extend(titled)
            continue
        title = "".join(span.text for span in titled)
        address = _address(link)
        written.extend(replace(span, link="") for span in titled)
        if _bare(address) not in _bare(title):
            written.append(Span(f" ({address})"))
    return tuple(written)


def _address(link: str) -> str:
    """Return a link as a reader dials or types it."""
    scheme, _, rest = link.partition(":")
    return rest.partition("?")[0] if scheme.lower() in ("tel", "mailto") else link


def _bare(text: str) -> str:
    return "".join(char for char in text.lower().rstrip("/") if not char.isspace() and char not in ".-()")
