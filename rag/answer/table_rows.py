"""The rows of a table that an answer uses: a citation quotes these, never the row of something else.

A row is used when the answer has its numbers and names, or when it is about the student's own major, cohort or
programme. Where no row surely is, or most are, the whole table is quoted, or the sentence that leads in
to a long one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag.types import Passage
from vietnamese.stopwords import says_something
from vietnamese.text import words
from vietnamese.written_values import amount_in

MOST_WORDS = 150
"""The longest table that is quoted as a whole, in words: two screens of a phone."""

_SURE = 1.5
"""The evidence from which a row is used. A small number or one name (1.0) may stand in an answer by chance."""

_TELLING = 2.0
"""The evidence of the student's own value, of a date, and of a large number: "980.000" tells a row by itself."""

_NEARLY = 0.6
"""The share of the best row's evidence from which another row is used as well: an answer may compare two rows."""

_LARGE = 100
"""Numbers above it are large, percentages are not."""

_ROW = re.compile(r"[^:;]{1,80}: [^;]+(?:; [^:;]{1,80}: [^;]+)+")
_CELL = re.compile(r"; (?=[^;:]{1,80}: )")
_ITEM = re.compile(r"\s*[,;]\s+")
_DATE = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?:/\d{4})?(?![\d/])")
_NUMBER = re.compile(r"(?<![\w.,/])(?!20\d\d(?![.,]?\d))\d+(?:[.,]\d+)*(?!\d*/)")
_WITH_ZEROS = re.compile(r"[.,]0{1,2}$")

_GRADE = re.compile(r"(?<!\w)[A-F]\+?(?![\w+])")


def quotation(passages: Sequence[Passage], answer: str, names: Iterable[str] = ()) -> str:
    """Return the words at a place that `answer` rests on: rows of its tables, else its first passage.

    `passages` are those at the place, at least one, in their order; `names` are the names of the student's values.
    """
    tables: dict[str, list[Passage]] = {}
    for passage in passages:
        if passage.table:
            tables.setdefault(passage.table, []).append(passage)
    said = _Said.of(answer, names)
    for table in tables.values():
        if used := _used(table, said):
            return _quoted(table, used)
    first = passages[0]
    return _quoted(tables[first.table], tables[first.table]) if first.table else first.text


def is_row(line: str) -> bool:
    """Return whether a line is a table's row as a statement: "Nơi: Hồ bơi; Giờ mở cửa: 5:30 – 20:00"."""
    return _ROW.fullmatch(line) is not None


@dataclass(frozen=True, slots=True)
class _Said:
    """The answer as numbers, letter grades and a phrase, and the student's own values as phrases."""

    numbers: frozenset[float | str]
    grades: frozenset[str]
    phrase: str
    own: frozenset[str]

    @classmethod
    def of(cls, answer: str, names: Iterable[str]) -> _Said:
        own = frozenset(map(_phrase, names))
        return cls(_numbers(answer), frozenset(_GRADE.findall(answer)), _phrase(answer), own)


@dataclass(frozen=True, slots=True)
class _Cell:
    numbers: frozenset[float | str]
    grades: frozenset[str]
    items: frozenset[str]


def _used(table: Sequence[Passage], said: _Said) -> list[Passage]:
    """Return the rows that an answer surely uses, in their order."""
    rows = [_cells(row.text) for row in table]
    common = _in_most(rows)
    evidence = [sum(_evidence(cell, said, common) for cell in cells) for cells in rows]
    least = max(_SURE, _NEARLY * max(evidence))
    used = [row for row, worth in zip(table, evidence, strict=True) if worth >= least]
    return used if 2 * len(used) <= len(table) else list(table)


def _evidence(cell: _Cell, said: _Said, common: frozenset[float | str]) -> float:
    """Return how surely an answer uses a cell; what stands in most rows tells none."""
    numbers, items = cell.numbers - common, cell.items - common
    if not items.isdisjoint(said.own):
        return _TELLING
    shared = numbers & said.numbers
    if any("/" in number if isinstance(number, str) else number > _LARGE for number in shared):
        return _TELLING
    named = any(item in said.phrase for item in items) or bool(cell.grades & said.grades)
    return max(len(shared) / len(numbers) if numbers else 0.0, float(named))


@lru_cache(maxsize=8_192)
def _cells(row: str) -> tuple[_Cell, ...]:
    """Return the cells of a row's statement, "Nhóm: Nhóm V; Đơn giá: 980.000", without the numbers of its headings."""
    return tuple(map(_cell, _CELL.split(row)))


def _cell(said: str) -> _Cell:
    heading, _, text = said.rpartition(": ") if said.count(": ") == 1 else said.partition(": ")
    items = frozenset(phrase for item in _ITEM.split(text) if _says(phrase := _phrase(item)))
    return _Cell(_numbers(text) - _numbers(heading), frozenset(_GRADE.findall(text)), items)


def _in_most(rows: Sequence[Sequence[_Cell]]) -> frozenset[float | str]:
    """Return the numbers and items that more than half of several rows have."""
    found = Counter(
        value for cells in rows for value in {v for cell in cells for v in cell.numbers | cell.items}
    )
    return frozenset(value for value, count in found.items() if count > max(1, len(rows) / 2))


def _says(phrase: str) -> bool:
    """Return whether a phrase is a name or a term: more than a number, a letter or words of asking."""
    return any(len(word) > 1 and not word[0].isdigit() and says_something(word) for word in phrase.split())


def _phrase(text: str) -> str:
    """Return the words of a text between blanks, so that "nhóm i" is no part of "nhóm ii"."""
    return f" {' '.join(words(text))} "


def _numbers(text: str) -> frozenset[float | str]:
    """Return the numbers of a text, and its dates as "2/7"; years tell nothing.

    A mark of a table is written with its decimals: the "2" of "2 lần" is no "2,0".
    """
    dates = (f"{int(day)}/{int(month)}" for day, month in _DATE.findall(text))
    found: set[float | str] = set(dates)
    for match in _NUMBER.finditer(text):
        number = amount_in(text[match.start() :])
        if number is not None:
            found.add(f"{number:.1f}" if _WITH_ZEROS.search(match[0]) else number)
    return frozenset(found)


def _quoted(table: Sequence[Passage], rows: Sequence[Passage]) -> str:
    """Return rows behind the sentence that leads in to their table, each below the headings within it.

    Of more than `MOST_WORDS` words it is that sentence alone.
    """
    shared = _shared_context(table)
    lines = list(shared[-1:])
    headings: tuple[str, ...] = ()
    for row in rows:
        own = row.context[len(shared) :]
        lines += [*(own if own != headings else ()), row.text]
        headings = own
    quoted = "\n".join(lines)
    return quoted if len(quoted.split()) <= MOST_WORDS else "\n".join(shared[-1:])


def _shared_context(table: Sequence[Passage]) -> tuple[str, ...]:
    """Return the headings above a table that all its rows have."""
    shared: list[str] = []
    for level in zip(*(row.context for row in table), strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return tuple(shared)
