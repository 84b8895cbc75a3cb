"""A survey of a PDF's pages: which of them are read wrongly, or not at all."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2.raw

from rag.ingest.loaders.pdf import MAX_PAGES, is_scan, open_pdf, page_text

_pdfium: Any = pypdfium2.raw

THINNEST = 3.0
"""A path that is thinner, in points, is a rule."""

SHORTEST_ACROSS, SHORTEST_DOWN = 20.0, 8.0
"""The length of a rule in points; shorter ones are signs and underlined words."""

FEWEST_RULES = 3
"""The rules of a table in each direction: those around two cells. A frame of the page has two."""

COVERED = 0.8
"""The share of a page that its scan covers at least; a letterhead or a figure is smaller."""

MOST_OBJECTS = 20_000
"""The objects of a page that are looked at; a map or a plan has more."""


@dataclass(frozen=True, slots=True)
class PageSurvey:
    """The number of a file's pages, and those, from 1, that are read wrongly or not at all.

    `recognized` are scans with a text layer: its words were recognized by a machine.
    """

    count: int
    without_text: tuple[int, ...] = ()
    recognized: tuple[int, ...] = ()
    with_table: tuple[int, ...] = ()


def survey_pages(path: Path) -> PageSurvey:
    """Return the survey of a PDF. Raises pypdfium2.PdfiumError when it cannot be read."""
    without_text, recognized, with_table = [], [], []
    with open_pdf(path) as document:
        count = min(len(document), MAX_PAGES)
        for number in range(1, count + 1):
            with closing(document[number - 1]) as page:
                if is_scan(page_text(page)):
                    without_text.append(number)
                elif _is_covered(page):
                    recognized.append(number)
                elif _has_table(page):
                    with_table.append(number)
    return PageSurvey(count, tuple(without_text), tuple(recognized), tuple(with_table))


def _is_covered(page: Any) -> bool:
    """Return whether a picture covers a page."""
    width, height = page.get_size()
    for place, each in enumerate(page.get_objects(filter=[_pdfium.FPDF_PAGEOBJ_IMAGE])):
        if place == MOST_OBJECTS:
            break
        left, bottom, right, top = each.get_bounds()
        if (right - left) * (top - bottom) >= COVERED * width * height:
            return True
    return False


def _has_table(page: Any) -> bool:
    """Return whether lines cross on a page as in a table; its text is read line by line, without the columns."""
    across: set[int] = set()
    down: set[int] = set()
    for left, bottom, right, top in _ruled(page):
        if right - left >= SHORTEST_ACROSS:
            across.update(map(round, (bottom, top)))
        if top - bottom >= SHORTEST_DOWN:
            down.update(map(round, (left, right)))
        if _distinct(across) >= FEWEST_RULES and _distinct(down) >= FEWEST_RULES:
            return True
    return False


def _ruled(page: Any) -> Iterable[tuple[float, float, float, float]]:
    """Yield left, bottom, right and top of the rules and outlined boxes of a page; a background is none."""
    for place, each in enumerate(page.get_objects(filter=[_pdfium.FPDF_PAGEOBJ_PATH])):
        if place == MOST_OBJECTS:
            return
        left, bottom, right, top = each.get_bounds()
        if min(right - left, top - bottom) < THINNEST or _is_outlined(each):
            yield left, bottom, right, top


def _is_outlined(path: Any) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    return bool(_pdfium.FPDFPath_GetDrawMode(path.raw, fill, stroke)) and bool(stroke.value)


def _distinct(places: set[int]) -> int:
    """Return how many places are left when those within the thickness of a rule count once."""
    found, last = 0, float("-inf")
    for place in sorted(places):
        if place - last > THINNEST:
            found, last = found + 1, place
    return found
