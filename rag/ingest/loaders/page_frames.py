"""Where the lines of a passage stand on the pages of a PDF, for people who compare it with their pictures."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pypdfium2.raw

from rag.ingest.loaders.pdf import MAX_PAGES, open_pdf

_pdfium: Any = pypdfium2.raw

FEWEST_WORDS = 3
"""The words in a row that a page and a passage have in common at least; fewer stand on any page."""

_WORD = re.compile(r"([^\W_](?:[^\W_]|[\u0300-\u036f])*)[^\w\s]*")
"""Letters, those with marks of their own among them, and digits, then the signs behind them."""

_SIZE = 1_000_000
"""Units of a page's width and height, in which PDFium tells whole numbers."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle of a page as it is shown: shares of its width and height, from its left and its top."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a page, and its first and last character there, the signs behind it among them."""

    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Inked:
    """A part of a text: where its ink is, and how far its font reaches, which tells lines and overlaps the next one."""

    ink: Frame
    reach: Frame


def passage_frames(path: Path, text: str, first: int, last: int) -> Mapping[int, Sequence[Frame]]:
    """Return the frames around the lines of a passage that begins on page `first` of a PDF, by page, from 1.

    It may go on as far as page `last`. Lines below each other have one frame, columns have one each. A page without the
    passage's words, as a scan has none, is left out. Raises pypdfium2.PdfiumError when the file cannot be read.
    """
    wanted: Sequence[str] = [word.text for word in _words(text)]
    found: dict[int, Sequence[Frame]] = {}
    with open_pdf(path) as document:
        for number in range(max(first, 1), min(last, len(document), MAX_PAGES) + 1):
            with closing(document[number - 1]) as page, closing(page.get_textpage()) as text_page:
                spans, wanted = _spans(wanted, _words(_text(text_page)))
                if not spans:
                    break
                found[number] = _frames(_inked(page, text_page, spans))
            if len(wanted) < FEWEST_WORDS:
                break
    return found


def _text(text_page: Any) -> str:
    """Return the characters of a page, each at its own place."""
    return "".join(
        chr(_pdfium.FPDFText_GetUnicode(text_page, place)) for place in range(text_page.count_chars())
    )


def _words(text: str) -> Sequence[_Word]:
    return [
        _Word(unicodedata.normalize("NFC", match[1]), match.start(), match.end() - 1)
        for match in _WORD.finditer(text)
    ]


def _spans(wanted: Sequence[str], words: Sequence[_Word]) -> tuple[Sequence[tuple[int, int]], Sequence[str]]:
    """Return the first and last characters of the parts of a page that are `wanted`, and what is wanted still."""
    matcher = SequenceMatcher(None, wanted, [word.text for word in words], autojunk=False)
    fewest = min(FEWEST_WORDS, len(wanted))
    blocks = [block for block in matcher.get_matching_blocks() if block.size >= max(fewest, 1)]
    spans = [(words[block.b].first, words[block.b + block.size - 1].last) for block in blocks]
    return spans, wanted[blocks[-1].a + blocks[-1].size :] if blocks else wanted


def _inked(page: Any, text_page: Any, spans: Iterable[tuple[int, int]]) -> Iterator[_Inked]:
    """Yield the characters that are drawn."""
    for first, last in spans:
        for place in range(first, last + 1):
            ink, reach = (text_page.get_charbox(place, loose=loose) for loose in (False, True))
            if ink[0] < ink[2] and ink[1] < ink[3]:
                yield _Inked(_frame(page, ink), _frame(page, reach))


def _frame(page: Any, box: tuple[float, float, float, float]) -> Frame:
    left, bottom, right, top = box
    across, down = zip(_shown(page, left, bottom), _shown(page, right, top), strict=True)
    return Frame(min(across), min(down), max(across), max(down))


def _shown(page: Any, across: float, up: float) -> tuple[float, float]:
    """Return a point of a page as it is shown, turned and cut as it is."""
    left, top = ctypes.c_int(), ctypes.c_int()
    _pdfium.FPDF_PageToDevice(page, 0, 0, _SIZE, _SIZE, 0, across, up, left, top)
    return left.value / _SIZE, top.value / _SIZE


def _frames(characters: Iterable[_Inked]) -> Sequence[Frame]:
    """Return the frames around characters in their order: first their lines, then the lines below each other."""
    return [each.ink for each in _joined(_joined(characters, _goes_on), _is_below)]


def _joined(parts: Iterable[_Inked], belongs: Callable[[Frame, Frame], bool]) -> Sequence[_Inked]:
    found = list[_Inked]()
    for part in parts:
        if found and belongs(found[-1].reach, part.reach):
            found[-1] = _Inked(_around(found[-1].ink, part.ink), _around(found[-1].reach, part.reach))
        else:
            found.append(part)
    return found


def _around(one: Frame, other: Frame) -> Frame:
    return Frame(
        min(one.left, other.left),
        min(one.top, other.top),
        max(one.right, other.right),
        max(one.bottom, other.bottom),
    )


def _goes_on(line: Frame, box: Frame) -> bool:
    return line.top <= (box.top + box.bottom) / 2 <= line.bottom and box.right >= line.left


def _is_below(above: Frame, line: Frame) -> bool:
    middle = (line.top + line.bottom) / 2
    return middle > above.top and line.left < above.right and above.left < line.right
