"""Parse Markdown into blocks of items of lines, the units a chat shows.

A line is one line on a platform without markup; the form (`channels.delivery.markdown`) writes its markup. Each line
carries its own styles, so that a text can be split between any two lines (`channels.delivery.markdown_split`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

BOLD, ITALIC, STRIKE, CODE = "b", "i", "s", "code"
"""Styles of a span, by the names of their tags in HTML."""

PLAIN, QUOTE, FOLDED, FIXED = "plain", "quote", "folded", "fixed"
"""Kinds of a line: running text; a quotation; a quotation that may be collapsed; code or a table in columns."""

LINK_SCHEMES = ("http:", "https:", "tel:", "mailto:")
"""Links with another scheme keep only their title."""

DEEPEST = 20
"""Quotations and lists nested deeper are read as text."""

BULLET = "• "
RULE = "———"
_INDENT = "   "
_CELL_GAP = "  "

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""Control characters, lone surrogates and direction marks; the joiner of emoji is kept."""


@dataclass(frozen=True)
class Span:
    """Text of one style, without a line break."""

    text: str
    styles: frozenset[str] = frozenset()
    link: str = ""


@dataclass(frozen=True)
class Line:
    """A line with its prefix (`lead`) and the number of line breaks before it (`gap`, 1 or 2).

    `leads_on` marks a line that introduces the next one (a heading, "… gồm:"); a piece should not end with it.
    """

    spans: tuple[Span, ...]
    kind: str = PLAIN
    lead: str = ""
    gap: int = 1
    leads_on: bool = False

    @property
    def text(self) -> str:
        """Return the line without styles."""
        return "".join(span.text for span in self.spans)


Item = tuple[Line, ...]
Block = tuple[Item, ...]
"""A paragraph is one item, a list one for each point, a table one for each row."""


def blocks_of(markdown: str, widest_table: int) -> list[Block]:
    """Return the blocks of a Markdown text (CommonMark, tables, strikethrough; HTML is text).

    A table is set in columns when a row takes at most `widest_table` characters, else row by row as "Column: value".
    Line breaks and blank lines are kept.
    """
    source = seen(markdown)
    tokens = _parser().parse(source)
    # The parser drops deeper nesting, and no text may be lost.
    if any(token.level >= DEEPEST - 1 for token in tokens):
        return blocks_of_text(source)
    tree = SyntaxTreeNode(tokens)
    return list(_Reader(source.split("\n"), widest_table).blocks(tree.children))


def blocks_of_text(text: str) -> list[Block]:
    """Return the paragraphs of plain text as blocks."""
    found: list[Block] = []
    for paragraph in re.split(r"\n\s*\n", seen(text).strip()):
        lines = [
            Line((Span(line.rstrip()),), gap=1 if at else 2) for at, line in enumerate(paragraph.split("\n"))
        ]
        if any(line.text for line in lines):
            found.append((tuple(lines),))
    return found


def seen(text: str) -> str:
    """Return `text` in NFC with "\\n" for line breaks and without invisible control characters."""
    return unicodedata.normalize("NFC", _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST}).enable(["table", "strikethrough"])


class _Reader:
    def __init__(self, source: Sequence[str], widest_table: int) -> None:
        self._source = source
        self._widest_table = widest_table

    def blocks(self, nodes: Sequence[SyntaxTreeNode], kind: str = PLAIN, indent: str = "") -> Iterator[Block]:
        for node in nodes:
            block = self._block(node, kind, indent)
            if block:
                yield _with_gap(block, self._gap_before(node))

    def _block(self, node: SyntaxTreeNode, kind: str, indent: str) -> Block:
        if node.type in ("bullet_list", "ordered_list"):
            return tuple(self._points(node, kind, indent))
        if node.type == "blockquote":
            return tuple(item for block in self.blocks(node.children, QUOTE, indent) for item in block)
        if node.type == "table":
            return tuple(self._rows(node, kind, indent))
        if node.type in ("fence", "code_block"):
            rows = node.content.rstrip("\n").split("\n")
            return tuple((Line((Span(row.replace("\t", "    ")),), FIXED),) for row in rows)
        if node.type == "hr":
            return ((Line((Span(RULE),), kind, indent),),)
        heading = node.type == "heading"
        styles = frozenset({BOLD}) if heading else frozenset()
        lines = [
            Line(spans, kind, indent, leads_on=heading)
            for spans in _lines_of(_spans(node.children, styles, ""))
        ]
        if lines and lines[-1].text.endswith(":"):
            lines[-1] = replace(lines[-1], leads_on=True)
        return (tuple(lines),) if lines else ()

    def _points(self, node: SyntaxTreeNode, kind: str, indent: str) -> Iterator[Item]:
        number = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
        for point in node.children:
            mark = BULLET if number is None else f"{number}. "
            lines = [
                line
                for block in self.blocks(point.children, kind, indent + _INDENT)
                for item in block
                for line in item
            ]
            # Only nested points are indented, since the lines of a chat are short.
            lines = [
                replace(line, lead=line.lead if _nested(line, indent) else indent)
                if line.kind != FIXED
                else line
                for line in lines
            ] or [Line((Span(""),), kind)]
            if lines[0].kind == FIXED:
                lines.insert(0, Line((Span(""),), kind))
            lines[0] = replace(lines[0], lead=indent + mark, gap=self._gap_before(point))
            if number is not None:
                number += 1
            yield tuple(lines)

    def _rows(self, node: SyntaxTreeNode, kind: str, indent: str) -> Iterator[Item]:
        rows = [
            [tuple(_spans(cell.children, frozenset(), "")) for cell in row.children]
            for part in node.children
            for row in part.children
        ]
        texts = [["".join(span.text for span in cell).replace("\n", " ") for cell in row] for row in rows]
        widths = [max(_width(row[at]) for row in texts) for at in range(len(texts[0]))]
        if sum(widths) + len(_CELL_GAP) * (len(widths) - 1) <= self._widest_table:
            for cells in texts:
                padded = [
                    cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=False)
                ]
                yield (Line((Span(_CELL_GAP.join(padded).rstrip()),), FIXED),)
            return
        head, *body = rows
        for at, row in enumerate(body):
            lines: list[Line] = []
            for name, cell in zip(head, row, strict=False):
                title = "".join(span.text for span in name).strip()
                if not any(span.text.strip() for span in cell):
                    continue
                named = (Span(f"{title}:", frozenset({BOLD})), Span(" ")) if title else ()
                lines.extend(Line(spans, kind, indent) for spans in _lines_of([*named, *cell]))
            if lines:
                yield (replace(lines[0], gap=2 if at else 1), *lines[1:])

    def _gap_before(self, node: SyntaxTreeNode) -> int:
        if not node.map or node.map[0] == 0:
            return 1
        return 1 if self._source[node.map[0] - 1].strip(" >\t") else 2


def _with_gap(block: Block, gap: int) -> Block:
    first, *rest = block
    return ((replace(first[0], gap=gap), *first[1:]), *rest)


def _nested(line: Line, indent: str) -> bool:
    return len(line.lead) > len(indent) + len(_INDENT)


def _spans(nodes: Sequence[SyntaxTreeNode], styles: frozenset[str], link: str) -> Iterator[Span]:
    for node in nodes:
        if node.type in ("softbreak", "hardbreak"):
            yield Span("\n", styles, link)
        elif node.type == "code_inline":
            yield Span(node.content, frozenset({CODE}) if not link else styles, link)
        elif node.type in ("strong", "em", "s"):
            style = {"strong": BOLD, "em": ITALIC, "s": STRIKE}[node.type]
            yield from _spans(node.children, styles | {style}, link)
        elif node.type in ("link", "image"):
            to = str(node.attrs.get("href") or node.attrs.get("src") or "")
            to = to if to.lower().startswith(LINK_SCHEMES) else ""
            inner = list(_spans(node.children, styles, link or to))
            yield from (
                inner if "".join(span.text for span in inner).strip() else [Span(to, styles, link or to)]
            )
        elif node.children:
            yield from _spans(node.children, styles, link)
        elif node.content:
            yield Span(node.content, styles, link)


def _lines_of(spans: Iterator[Span] | Sequence[Span]) -> Iterator[tuple[Span, ...]]:
    """Yield the spans of each line, without empty lines."""
    line: list[Span] = []
    for span in spans:
        first, *rest = span.text.split("\n")
        line.append(replace(span, text=first))
        for part in rest:
            yield from _stripped(line)
            line = [replace(span, text=part)]
    yield from _stripped(line)


def _stripped(line: Sequence[Span]) -> Iterator[tuple[Span, ...]]:
    spans = [span for span in line if span.text]
    if any(span.text.strip() for span in spans):
        spans[0] = replace(spans[0], text=spans[0].text.lstrip())
        spans[-1] = replace(spans[-1], text=spans[-1].text.rstrip())
        yield tuple(span for span in spans if span.text)


def _width(text: str) -> int:
    """Return the columns that a text takes in a monospaced font."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
