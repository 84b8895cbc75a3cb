"""The cells of a table's row ("Nhóm: I; Đơn giá: 480.000"), and whether a sentence takes one for another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vietnamese.text import words

PERSON = "person"
_PERSON = re.compile(r"(?:[A-Z][a-zA-Z]*\.\s*)+")


@dataclass(frozen=True, slots=True)
class _Cell:
    heading: frozenset[str]
    value: tuple[str, ...]
    kind: str


def names_another_cell(sentence: str, row: str) -> bool:
    """Return whether a sentence gives the value of a cell under the heading of another one.

    The other cell is alike: of the same table's kind of value, or under a heading with the same words ("Lần 1",
    "Lần 2"). The sentence names more of the words that only the other heading has, and does not give its value.
    """
    cells = list(_cells(row))
    said = _plain(sentence)
    line, known = f" {' '.join(said)} ", frozenset(said)
    given = [cell for cell in cells if f" {' '.join(cell.value)} " in line]
    others = [cell for cell in cells if cell not in given]
    named = frozenset().union(*(cell.heading for cell in given))
    for cell in given:
        # A person has the office that the heading names, and no other.
        if cell.kind == PERSON and 0 < _share(cell.heading, known) < 1:
            return True
        alike = [each for each in given if each.value == cell.value]
        for other in others:
            is_alike = bool(other.heading & cell.heading) or (cell.kind == other.kind != "text")
            own = max(_share(each.heading - other.heading, known) for each in alike)
            if cell is not cells[0] and is_alike and _share(other.heading - named, known) > own:
                return True
    return False


def _share(heading: frozenset[str], known: frozenset[str]) -> float:
    return len(heading & known) / len(heading) if heading else 0.0


def _cells(row: str) -> Iterator[_Cell]:
    for piece in row.split(";"):
        heading, colon, value = piece.rpartition(": ")
        if colon and words(heading) and words(value):
            yield _Cell(frozenset(_plain(heading)), _plain(value), _kind(value.strip()))


def _kind(value: str) -> str:
    if value[0].isdigit():
        return "number"
    return PERSON if _PERSON.match(value) else "text"


def _plain(text: str) -> tuple[str, ...]:
    return tuple(word.lstrip("0") or "0" for word in words(text))
