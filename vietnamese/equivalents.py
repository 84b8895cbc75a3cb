"""Everyday words, and the words of regulations that mean the same ("tiền học", "học phí"), compared as one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from vietnamese.data_files import yaml_beside
from vietnamese.text import fold, fold_each

_LONGEST = 3


def with_equivalents(tokens: Sequence[str], *, by_letters: bool = False) -> list[str]:
    """Return `tokens` with each everyday phrase replaced by its equivalent; `by_letters`, diacritics do not matter."""
    known, keys = _equivalents(by_letters), fold_each(tokens) if by_letters else tokens
    first_words = _first_words(by_letters)
    if first_words.isdisjoint(keys):
        return list(tokens)
    found: list[str] = []
    place = 0
    while place < len(tokens):
        if keys[place] not in first_words:
            found.append(tokens[place])
            place += 1
            continue
        length = next((n for n in range(_LONGEST, 0, -1) if tuple(keys[place : place + n]) in known), 0)
        found += known[tuple(keys[place : place + length])] if length else tokens[place : place + 1]
        place += length or 1
    return found


@cache
def _equivalents(by_letters: bool) -> dict[tuple[str, ...], list[str]]:
    """Return the first words of each line by every phrase of it; words of one syllable need their diacritics."""
    return {
        tuple((fold(phrase) if by_letters else phrase).split()): first.split()
        for first, *others in yaml_beside(__file__, "equivalents.yml")
        for phrase in (first, *others)
        if not by_letters or " " in phrase or phrase == fold(phrase)
    }


@cache
def _first_words(by_letters: bool) -> frozenset[str]:
    return frozenset(first for first, *_ in _equivalents(by_letters))
