"""Reflow: paragraphs from the lines of printed pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from vietnamese.data_files import yaml_beside

EDGE_LINES = 3
"""The lines at the top and at the bottom of a page that may be running headers, footers and page numbers."""

LONGEST_FOOTER = 200
"""The longest running header or footer with a number, in letters."""

FULL_LINE = 0.88
"""A line counts as wrapped when the next word would fill it to this share of the page's width in letters."""

_ENDED = re.compile(r"[.;:!?…]['\"”»)]*$")
_BULLET_INSIDE = re.compile(r"(?<=[.;:]) (?=[-–+] [^\W\d_a-zà-ỹđ])")
_LIST_ITEM = re.compile(r"[-–+*]\s|[a-zđ]\d?\)|\d{1,2}[.)]\s")


def without_running_lines(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the pages' lines without page numbers and repeated headers and footers.

    A header is a line near an edge of more than half of the pages (at least three), the same but for the page's
    number, unless it begins a unit of structure ("Điều 3"). A page number is a lone number near an edge that grows with
    the pages.
    """
    kept = [[line.strip() for line in page if line.strip()] for page in pages]
    repeated = _repeated(kept)
    offset = _number_offset(kept)
    result = []
    for index, lines in enumerate(kept):
        edges, number = _edges(len(lines)), None if offset is None else index + offset
        result.append(
            [
                line
                for place, line in enumerate(lines)
                if place not in edges
                or not (
                    _shapes(line, index) & repeated or (number is not None and _page_number(line) == number)
                )
            ]
        )
    return result


@dataclass(frozen=True, slots=True)
class Flow:
    """Printed pages as running text; `begins` has the first line in `text` of each page, both from 0.

    A page on which no paragraph begins is left out.
    """

    text: str
    begins: Mapping[int, int]


def reflow(pages: Sequence[Sequence[str]]) -> Flow:
    """Join wrapped lines to paragraphs; a unit of structure begins a new one."""
    paragraphs: list[tuple[str, int]] = []
    previous = ""
    for page, lines in enumerate(pages):
        width = _width(lines)
        # Each bullet on its own: pdfium joins lines that stand close.
        for line in (part for joined in lines for part in _BULLET_INSIDE.split(joined)):
            if paragraphs and _goes_on(previous, line, width):
                before, its_page = paragraphs[-1]
                paragraphs[-1] = f"{before} {line}", its_page
            else:
                paragraphs.append((line, page))
            previous = line
    text, before, lines_above = "", "", 0
    begins: dict[int, int] = {}
    for paragraph, page in paragraphs:
        both_items = bool(_LIST_ITEM.match(before) and _LIST_ITEM.match(paragraph))
        gap = "" if not text else "\n" if both_items else "\n\n"
        text, before, lines_above = f"{text}{gap}{paragraph}", paragraph, lines_above + len(gap)
        begins.setdefault(page, lines_above)
    return Flow(text, begins)


def _edges(count: int) -> set[int]:
    return set(range(min(EDGE_LINES, count))) | set(range(max(0, count - EDGE_LINES), count))


def _shapes(line: str, index: int) -> set[str]:
    """Return a line's forms without the number of the page, which equal those of its repetitions.

    A page number is labelled ("Trang 3/10") or grows with the pages: "Tổng: 15" and "Tổng: 20" are different lines.
    """
    line = line.casefold()
    shapes = {_pattern("called_page").sub("#", line)}
    if len(line) <= LONGEST_FOOTER and (match := _pattern("number_at_end").fullmatch(line)):
        number = int(match["first"] or match["last"])
        shapes.add(f"{match['after'] or match['before']} #{number - index}")
    return shapes


def _repeated(pages: Sequence[Sequence[str]]) -> set[str]:
    counts: Counter[str] = Counter()
    for index, lines in enumerate(pages):
        edge = {lines[place] for place in _edges(len(lines)) if not _pattern("unit").match(lines[place])}
        counts.update({shape for line in edge for shape in _shapes(line, index)})
    enough = max(3, len(pages) // 2 + 1)
    # A lone "#" is a page number, which has a rule of its own; a short shape may be a cell of a table.
    return {shape for shape, count in counts.items() if count >= enough and sum(map(str.isalpha, shape)) >= 4}


def _page_number(line: str) -> int | None:
    match = _pattern("page_number").fullmatch(line)
    return None if match is None else int(match["number"])


def _number_offset(pages: Sequence[Sequence[str]]) -> int | None:
    """Return the difference of printed page number and index; None when no numbers are printed.

    A single number counts only when it is the page's own.
    """
    offsets: Counter[int] = Counter()
    for index, lines in enumerate(pages):
        numbers = {_page_number(lines[place]) for place in _edges(len(lines))}
        offsets.update({number - index for number in numbers if number is not None})
    if not offsets:
        return None
    offset, count = offsets.most_common(1)[0]
    return offset if count >= 2 or offset == 1 else None


def _width(lines: Sequence[str]) -> int:
    """Return the length in letters of a full line of this page: the 80th percentile."""
    lengths = sorted(len(line) for line in lines if len(line) >= 30)
    return lengths[int(len(lengths) * 0.8)] if len(lengths) >= 3 else 80


def _goes_on(previous: str, line: str, width: int) -> bool:
    """Return whether `line` continues the paragraph of `previous`."""
    unit = _pattern("unit").match(line)
    if unit is not None and unit["strong"]:
        return False
    ended = bool(_ENDED.search(previous))
    if unit is not None and ended:
        return False
    if _is_capitals(previous) != _is_capitals(line):
        return False
    full = len(previous) + 1 + len(line.split(" ", 1)[0]) >= FULL_LINE * width
    if line[:1].islower():
        return full or not ended
    if previous.endswith(","):
        return True
    return full and not ended


def _is_capitals(line: str) -> bool:
    letters = [char for char in line if char.isalpha()]
    return len(letters) >= 4 and sum(map(str.isupper, letters)) > 0.9 * len(letters)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(yaml_beside(__file__, "reflow.yml")[name])
