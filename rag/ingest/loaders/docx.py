"""Word documents: headings, paragraphs, numbered lists and tables, in the order in which they stand."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
from docx.oxml.ns import qn
from lxml.etree import LxmlError  # type: ignore[import-untyped]

from rag.ingest.cleaning import clean_block, clean_line
from rag.ingest.loaders.loader import Loading, RawDocument
from rag.ingest.loaders.numbering import Numbering
from rag.messages import Message

MAX_UNPACKED_BYTES = 500 * 1024 * 1024
"""The largest unpacked document: a few kilobytes of zip can hold gigabytes."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADING = re.compile(r"(?:heading|đầu đề|tiêu đề)\s*(\d)", re.IGNORECASE)
_TITLE = re.compile(r"title|tiêu đề", re.IGNORECASE)
_CONTENTS = re.compile(r"toc\b|table of figures|mục lục", re.IGNORECASE)
_MOTTO = re.compile(r"CỘNG\s+H[ÒO][AÀ]\s+XÃ\s+HỘI\s+CHỦ\s+NGHĨA", re.IGNORECASE)


class DocxLoader:
    """Reads Word documents without tracked deletions, tables of contents, headers and footers."""

    suffixes = (".docx",)

    def load(self, path: Path) -> Loading:
        with path.open("rb") as file:
            if file.read(len(_OLE)) == _OLE:
                return Loading.failed(
                    "the file is protected by a password, or an old .doc; save it as .docx without a password"
                )
        try:
            with zipfile.ZipFile(path) as archive:
                if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED_BYTES:
                    return Loading.failed(
                        "the file unpacks to more than 500 MB; it is damaged or meant to do harm"
                    )
            document = docx.Document(str(path))
            blocks = list(_Reader(document).blocks())
        except (zipfile.BadZipFile, KeyError, ValueError, OSError, LxmlError, AttributeError) as error:
            reason = clean_line(str(error))[:80] or type(error).__name__
            return Loading.failed(Message("damaged_docx", reason=reason))
        return Loading((RawDocument(clean_block("\n\n".join(blocks))),))


class _Reader:
    def __init__(self, document: Any) -> None:
        self.body = document.element.body
        self.styles = {style.style_id: style for style in document.styles}
        self.numbering = Numbering(document)

    def blocks(self) -> Iterator[str]:
        """Yield headings, paragraphs and tables; the items of a list are one block."""
        items: list[str] = []
        for element in _children(self.body):
            if element.tag == qn("w:p"):
                text, is_item = self._paragraph(element)
                if not text:
                    continue
                if is_item:
                    items.append(text)
                    continue
            else:
                text = self._table(element)
            if items:
                yield "\n".join(items)
                items = []
            if text:
                yield text
        if items:
            yield "\n".join(items)

    def _paragraph(self, paragraph: Any) -> tuple[str, bool]:
        """Return the Markdown of a paragraph, and whether it is an item of a list."""
        style_names = [style.name or "" for style in self._style_chain(paragraph)]
        if any(_CONTENTS.match(name) for name in style_names):
            return "", False
        text = clean_block(_text(paragraph)).strip()
        label, depth = self.numbering.label(paragraph, self._style_chain(paragraph))
        boxes = "\n\n".join(filter(None, (clean_line(_text(box)) for box in _boxes(paragraph))))
        if not text:
            return boxes, False
        level = self._heading_level(paragraph, style_names)
        if level:
            return "\n\n".join(filter(None, (f"{'#' * level} {clean_line(f'{label} {text}')}", boxes))), False
        if label:
            text = f"{'  ' * depth if label == '-' else ''}{label} {' '.join(text.split())}"
        return "\n\n".join(filter(None, (text, boxes))), bool(label) and not boxes

    def _style_chain(self, paragraph: Any) -> list[Any]:
        """Return the paragraph's style and those it is based on."""
        properties = paragraph.pPr
        style = self.styles.get(properties.style) if properties is not None and properties.style else None
        chain: list[Any] = []
        while style is not None and len(chain) < 20:
            chain.append(style)
            style = getattr(style, "base_style", None)
        return chain

    def _heading_level(self, paragraph: Any, style_names: list[str]) -> int:
        """Return 1..6 for a heading, by its style or outline level; 0 for any other paragraph."""
        for name in style_names:
            if match := _HEADING.match(name):
                return min(int(match[1]) or 1, 6)
            if _TITLE.fullmatch(name):
                return 1
        for element in (paragraph, *(style.element for style in self._style_chain(paragraph))):
            outline = element.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
            if outline is not None:
                level = int(outline.get(qn("w:val"), "9"))
                return min(level + 1, 6) if level < 9 else 0
        return 0

    def _table(self, table: Any) -> str:
        # A table may stand inside a cell of another.
        own = (row for row in table.iter(qn("w:tr")) if next(row.iterancestors(qn("w:tbl"))) is table)
        rows = [cells for cells in map(self._row, own) if any(cells)]
        if not rows:
            return ""
        width = max(len(row) for row in rows)
        cells = [cell for row in rows for cell in row]
        if width == 1 or any(_MOTTO.search(cell) for cell in cells):
            return "\n\n".join(dict.fromkeys(filter(None, cells)))
        _fill_merged(rows)
        lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in rows]
        lines.insert(1, "|" + " --- |" * width)
        return "\n".join(lines)

    def _row(self, row: Any) -> list[str]:
        """Return the cells of a row, one for each column; `_MERGED` where a cell continues the row above."""
        cells: list[str] = []
        for cell in _children(row, qn("w:tc")):
            properties = cell.tcPr
            merge = None if properties is None else properties.find(qn("w:vMerge"))
            goes_on = merge is not None and merge.get(qn("w:val"), "continue") == "continue"
            text = _MERGED if goes_on else self._cell(cell)
            cells.extend([text] * min(cell.grid_span, 100))
        return cells

    def _cell(self, cell: Any) -> str:
        parts = []
        for paragraph in cell.iter(qn("w:p")):
            label, _ = self.numbering.label(paragraph, self._style_chain(paragraph))
            parts.append(clean_line(f"{label} {_text(paragraph)}"))
        return " ".join(filter(None, parts)).replace("|", "\\|")


_MERGED = "\x00"


def _fill_merged(rows: list[list[str]]) -> None:
    """Repeat the text of a cell that spans several rows in each of them, because rows are read alone."""
    above: list[str] = []
    for row in rows:
        for column, text in enumerate(row):
            if text == _MERGED:
                row[column] = above[column] if column < len(above) else ""
        above = row


def _children(parent: Any, *tags: str) -> Iterator[Any]:
    """Yield paragraphs and tables (or `tags`) of `parent`, also in content controls and tracked insertions."""
    wanted = tags or (qn("w:p"), qn("w:tbl"))
    for child in parent.iterchildren():
        if child.tag in wanted:
            yield child
        elif child.tag in (qn("w:sdt"), qn("w:sdtContent"), qn("w:ins"), qn("w:customXml"), qn("w:moveTo")):
            yield from _children(child, *wanted)


_LEFT_OUT = {qn("w:del"), qn("w:moveFrom"), qn("w:pPr"), qn("w:rPr"), qn("w:txbxContent"), qn("w:instrText")}
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SIGNS = {qn("w:tab"): " ", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}


def _text(element: Any) -> str:
    """Return the visible text of a paragraph: with insertions and links, without deletions and text boxes."""
    parts: list[str] = []
    for child in element.iterchildren():
        if child.tag in _LEFT_OUT or child.tag == _FALLBACK:
            continue
        if child.tag == qn("w:t"):
            parts.append(child.text or "")
        elif child.tag in _SIGNS:
            parts.append(_SIGNS[child.tag])
        else:
            parts.append(_text(child))
    return "".join(parts)


def _boxes(paragraph: Any) -> Iterator[Any]:
    """Yield the paragraphs of text boxes anchored in a paragraph, without the copy for old programs."""
    for box in paragraph.iter(qn("w:txbxContent")):
        if next(box.iterancestors(_FALLBACK), None) is None:
            yield from box.iterchildren(qn("w:p"))
