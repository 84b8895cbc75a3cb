"""From the lines of printed pages back to paragraphs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

EDGE_LINES = 3
"""How many lines at the top and at the bottom of a page may be running headers, footers and page numbers."""

LONGEST_FOOTER = 200
"""Letters of a line that may be a running header or footer with a number."""

FULL_LINE = 0.88
"""A line was wrapped when the next word would have filled it to this share of the page's width in letters."""

_PAGE_NUMBER = re.compile(
    r"(?:[-–—]\s*)?(?:trang|page)?\s*(?P<number>\d{1,4})(?:\s*(?:/|of|trên)\s*\d{1,4})?(?:\s*[-–—])?\.?",
    re.IGNORECASE,
)
_CALLED_PAGE = re.compile(r"(?:trang|page|tr\.)\s*\d{1,4}(?:\s*(?:/|of|trên)\s*\d{1,4})?")
_NUMBER_AT_END = re.compile(
    r"(?P<first>\d{1,4})\s+(?P<after>.*[^\W\d].*)|(?P<before>.*[^\W\d].*)\s+(?P<last>\d{1,4})"
)
_UNIT = re.compile(
    r"""(?P<strong>
        (?i:phần|chương|mục|tiểu\ mục|phụ\ lục)\s+(?:[IVXLC]+|thứ|\d{1,3}|[A-Z])\b
            (?:[.:]|\s*$|\s+[^\W\d_a-zà-ỹđ])
        | (?i:điều)\s+\d{1,3}[a-zđ]?(?:[.:]|\s*$)
        | (?:\d{1,2}\.)*\d{1,2}[.)]?\s+(?=["“(]?[^\W\d_a-zà-ỹđ])(?<=[.)]\s)
        | \d{1,2}(?:\.\d{1,2}){1,3}[.)]?\s+(?=["“(]?[^\W\d_a-zà-ỹđ])
        | [IVX]{1,5}[.)]\s+
        | [a-zđ]\d?\)\s*
        | [a-zA-ZđĐ]\.\s+(?=[^\W\d_a-zà-ỹđ])
        | [-–+*]\s*(?=["“(]?[^\W\d_a-zà-ỹđ])
        | (?i:căn\ cứ|xét\ đề\ nghị|theo\ đề\ nghị|nơi\ nhận|kính\ gửi|bước\ \d+)\b
    )
    | (?P<weak>\d{1,2}[.)]\s+ | [-–+*]\s)
    """,
    re.VERBOSE,
)
_ENDED = re.compile(r"[.;:!?…]['\"”»)]*$")
_BULLET_INSIDE = re.compile(r"(?<=[.;:]) (?=[-–+] [^\W\d_a-zà-ỹđ])")
_LIST_ITEM = re.compile(r"[-–+*]\s|[a-zđ]\d?\)|\d{1,2}[.)]\s")


def without_running_lines(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages' lines without page numbers and without headers and footers that repeat from page to page.

    A header is a line that stands near an edge of more than half of the pages (at least three), the same but
    for the number of the page, unless it begins a unit of structure ("Điều 3"). A page number is a number
    alone near the edge that goes up with the pages.
    """
    kept = [[line.strip() for line in page if line.strip()] for page in pages]
    repeated = _repeated(kept)
    offset = _number_offset(kept)
    result = []
    for index, lines in enumerate(kept):
        edges = _edges(len(lines))
        result.append(
            [
                line
                for place, line in enumerate(lines)
                if place not in edges
                or not (_shapes(line, index) & repeated or _is_number_of(line, index, offset))
            ]
        )
    return result


@dataclass(frozen=True, slots=True)
class Flow:
    """Printed pages as running text; `begins` has the line of `text` (from 0) at which each page (from 0) begins.

    A page is left out on which no paragraph begins.
    """

    text: str
    begins: Mapping[int, int]


def reflow(pages: Sequence[Sequence[str]]) -> Flow:
    """Make paragraphs of lines: a wrapped line is joined to the one before, a unit of structure begins one."""
    paragraphs: list[tuple[str, int]] = []
    previous = ""
    for page, lines in enumerate(pages):
        width = _width(lines)
        for line in _split_bullets(lines):
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
    """What a line has in common with its like on other pages: all but the number of the page.

    Only a number that is called one ("Trang 3/10"), or that goes up with the pages, is taken for it: "Tổng:
    15" and "Tổng: 20" are not the same line.
    """
    line = line.casefold()
    shapes = {_CALLED_PAGE.sub("#", line)}
    if len(line) <= LONGEST_FOOTER and (match := _NUMBER_AT_END.fullmatch(line)):
        number = int(match["first"] or match["last"])
        shapes.add(f"{match['after'] or match['before']} #{number - index}")
    return shapes


def _repeated(pages: Sequence[Sequence[str]]) -> set[str]:
    counts: Counter[str] = Counter()
    for index, lines in enumerate(pages):
        edge = {lines[place] for place in _edges(len(lines)) if not _UNIT.match(lines[place])}
        counts.update({shape for line in edge for shape in _shapes(line, index)})
    enough = max(3, len(pages) // 2 + 1)
    # "#" alone are page numbers, which have a rule of their own; a short shape may be a cell of a table.
    return {shape for shape, count in counts.items() if count >= enough and sum(map(str.isalpha, shape)) >= 4}


def _page_number(line: str) -> int | None:
    match = _PAGE_NUMBER.fullmatch(line)
    return None if match is None else int(match["number"])


def _is_number_of(line: str, index: int, offset: int | None) -> bool:
    return offset is not None and _page_number(line) == index + offset


def _number_offset(pages: Sequence[Sequence[str]]) -> int | None:
    """What to add to a page's index to get the number printed on it; None when no numbers are printed.

    One number alone is believed only when it is the page's own.
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
    """The length of a full line of this page, in letters: what four lines of five do not exceed."""
    lengths = sorted(len(line) for line in lines if len(line) >= 30)
    return lengths[int(len(lengths) * 0.8)] if len(lengths) >= 3 else 80


def _split_bullets(lines: Sequence[str]) -> Iterator[str]:
    """Lines with each bullet on its own: pdfium runs lines together that stand close."""
    for line in lines:
        yield from _BULLET_INSIDE.split(line)


def _goes_on(previous: str, line: str, width: int) -> bool:
    """Whether `line` is the rest of a paragraph that `previous` had to break off."""
    unit = _UNIT.match(line)
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
