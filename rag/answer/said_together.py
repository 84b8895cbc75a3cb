"""Whether one place of a passage says a clause, or whether its words and values come from places with other matters.

"Ban tự quản được giảm 10 %" has nothing that its passage lacks, when the passage says that heads of rooms get 10 % off
and that the committee settles quarrels. Each place lacks words of it (`has_no_place`), or its value stands with the
words of another value of that kind (`stands_with_another`), or it goes on in another row (`goes_on_elsewhere`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag.answer.comparable_text import ComparableText, Value, comparable, word_lists
from rag.answer.values import is_bound, is_said, kind_of

WORDS_LEFT_OVER = 2
"""So many words of a clause must not be missing in the place that has most of it."""

FROM_HEADINGS = 1
"""So many words of a clause that other places have may come from the headings, besides one."""
AT_MOST = "tốiđa"

_NOTHING: frozenset[str] = frozenset()
_ATOM = re.compile(r"[,;](?=\s|$)|\s(?:và|còn|nhưng|hoặc|hay)\s")


@dataclass(frozen=True, slots=True)
class Stated:
    """A place with the words that it states, and those of the headings above it."""

    place: ComparableText
    words: frozenset[str]
    headings: frozenset[str]


def has_no_place(clause: ComparableText, places: Sequence[Stated]) -> bool:
    """Return whether every place with the values of a clause lacks two of its words.

    Headings may give two words that another place has, but no more: they name the matters of several.
    """
    wanted = clause.telling - word_lists().negations
    values = [value for value in clause.values if is_bound(value)]
    anywhere = frozenset().union(*(one.words for one in places))
    left_over = [
        max(
            len(wanted - one.words - one.headings) + len((wanted & anywhere) - one.words - one.headings),
            len((wanted & one.headings & anywhere) - one.words) - FROM_HEADINGS,
        )
        for one in places
        if clause.addresses <= one.place.addresses and all(is_said(value, one.place) for value in values)
    ]
    return bool(wanted) and min(left_over, default=0) >= WORDS_LEFT_OVER


def goes_on_elsewhere(
    before: ComparableText, clause: ComparableText, places: Sequence[ComparableText]
) -> bool:
    """Return whether a clause that names no matter of its own has values of another place than the clause before it.

    In "Loại Giỏi cần điểm trung bình từ 3,30 và điểm rèn luyện từ 65" the second value must be in the row of the first.
    """
    values, others = ([value for value in each.values if is_bound(value)] for each in (before, clause))
    # A second value may name the other place: "đợt 2 từ 02/01".
    if not values or len(others) != 1:
        return False
    homes = [place for place in places if all(is_said(value, place) for value in values)]
    if not homes or any(all(is_said(value, home) for value in others) for home in homes):
        return False
    return any(clause.telling <= home.telling for home in homes)


def stands_with_another(
    clause: ComparableText, said: ComparableText, places: Sequence[ComparableText]
) -> bool:
    """Return whether a value of a clause belongs to other words than the sentence's, which belong to a rival value."""
    return any(
        _is_rivals(value, clause, said, units, shared)
        for value in clause.values
        for units, shared in ((places, _NOTHING), *(atoms_of(place.text) for place in places))
    )


def _is_rivals(
    value: Value,
    clause: ComparableText,
    said: ComparableText,
    units: Sequence[ComparableText],
    shared: frozenset[str],
) -> bool:
    kind = _kind(value)
    if kind is None:
        return False
    homes = [unit for unit in units if is_said(value, unit)]
    rivals = [
        unit for unit in units if unit not in homes and any(_kind(each) == kind for each in unit.values)
    ]
    return bool(homes) and not any(
        all(_is_nearer(home, rival, kind, shared, (clause, said)) for rival in rivals) for home in homes
    )


def _is_nearer(
    home: ComparableText,
    rival: ComparableText,
    kind: str,
    shared: frozenset[str],
    texts: Sequence[ComparableText],
) -> bool:
    """Return whether the words that tell a home from a rival do not speak for the rival."""
    clause, said = texts
    # A sentence that gives both values has the words of both.
    gives_both = any(_kind(each) == kind and is_said(each, rival) for each in said.values)
    sides = list(zip(_sides(home, kind), _sides(rival, kind), strict=True))
    # Of "A pays 50 % of the fee, B 30 %" the second part leaves out what stands behind the value of the first.
    sides = [(mine, theirs) for mine, theirs in sides if mine and theirs]
    everything_mine, everything_theirs = (_marks(unit, kind, 0, len(unit.tokens)) for unit in (home, rival))
    for text in (clause,) if gives_both else texts:
        words_said = _marks(text, kind, 0, len(text.tokens)) - shared
        near = sum(len(words_said & mine - everything_theirs) for mine, _ in sides)
        far = sum(len(words_said & theirs - everything_mine) for _, theirs in sides)
        if near or far:
            return near >= far
    return True


def _sides(unit: ComparableText, kind: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the marks before the first value of a kind, and those behind the last one."""
    places = [value.at for value in unit.values if _kind(value) == kind] or [len(unit.tokens)]
    return _marks(unit, kind, 0, places[0]), _marks(unit, kind, places[-1] + 1, len(unit.tokens))


def _marks(text: ComparableText, kind: str, begin: int, end: int) -> frozenset[str]:
    """Return what may tell a place from another: telling words, limits, and values of other kinds."""
    units = word_lists().measures | word_lists().counted
    plain = {
        word
        for word in text.tokens[begin:end]
        if (word in text.telling and word not in units) or word == AT_MOST
    }
    values = {
        f"{value.before} {value.value}"
        for value in text.values
        if begin <= value.at < end and is_bound(value) and _kind(value) != kind
    }
    return frozenset(plain | values)


def _kind(value: Value) -> str | None:
    if (kind := kind_of(value)) is not None:
        return kind
    if len(value.value) > 1 and any(map(str.isdigit, value.value)) and not value.value[0].isdigit():
        return "code"
    if value.before in word_lists().counted:
        return f"{value.before} "
    if value.after == "%":
        return "%"
    if "h" in value.value and value.value[0].isdigit():
        return "clock"
    return "grade" if len(value.value) == 1 and value.value.isalpha() else None


@lru_cache(maxsize=1024)
def atoms_of(text: str) -> tuple[tuple[ComparableText, ...], frozenset[str]]:
    """Return the parts of a place between commas and conjunctions, and the words of the heading that all continue.

    A part without words belongs to the one before it.
    """
    heading, _, rest = text.rpartition(" . ")
    parts: list[str] = []
    for piece in _ATOM.split(rest.removeprefix(f"{heading}: ")):
        if parts and not comparable(piece).telling:
            parts[-1] += f", {piece}"
        elif piece.strip():
            parts.append(piece)
    return tuple(map(comparable, parts)), comparable(heading).telling
