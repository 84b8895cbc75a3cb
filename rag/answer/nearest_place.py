"""Contradictions between a sentence and the place nearest to it: of a denial, a count, a title, an opposite."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rag.answer.comparable_text import ComparableText, word_lists
from rag.answer.negations import affirms, affirms_nearly, denied_in, denies

ONE, MANY = "một", "nhiều"


def nearest(said: ComparableText, places: Sequence[ComparableText]) -> ComparableText | None:
    """Return the place with most of a sentence's telling words, of several the shortest; None without places."""
    return max(
        places, key=lambda place: (len(said.telling & place.telling), -len(place.tokens)), default=None
    )


def denies_otherwise(said: ComparableText, place: ComparableText) -> bool:
    """Return whether a sentence says what the place denies, or denies what it says."""
    return _denied_there(said, place) or _affirmed_there(said, place)


def says_opposite(said: ComparableText, place: ComparableText) -> bool:
    """Return whether a sentence has one of two opposite words where the place has the other alone."""
    return any(
        mine in said.line and theirs not in said.line and theirs in place.line and mine not in place.line
        for mine, theirs in word_lists().opposites
    )


def _affirmed_there(said: ComparableText, place: ComparableText) -> bool:
    """Return whether the place says what a sentence denies, though another place may deny it of others."""
    return any(
        affirms(denied.words[:2], [place.tokens]) and not denies(denied.words[:2], [place.tokens])
        for denied in denied_in(said.tokens)
    )


def counts_otherwise(said: ComparableText, place: ComparableText) -> bool:
    """Return whether a sentence says "một" or "nhiều" of what the place nearest to it counts otherwise."""
    counts = {ONE, MANY, *word_lists().numbers}
    for word, behind in pairwise(said.tokens):
        if word not in (ONE, MANY) or behind in word_lists().times:
            continue
        counted = {
            each for each, thing in pairwise(place.tokens) if thing == behind and _counts(each, counts)
        }
        if counted and word not in counted:
            return True
    return False


def _counts(word: str, counts: set[str]) -> bool:
    return word in counts or word.isdecimal()


def has_greater_title(said: ComparableText, place: ComparableText) -> bool:
    """Return whether the place nearest to a sentence has its title only as a lesser one: "phó hiệu trưởng"."""
    for word, *title in zip(place.tokens, place.tokens[1:], place.tokens[2:], strict=False):
        if word not in word_lists().lesser:
            continue
        plain, lesser = f" {' '.join(title)} ", f" {word} {' '.join(title)} "
        if plain in said.line.replace(lesser, " ") and plain not in place.line.replace(lesser, " "):
            return True
    return False


def _denied_there(said: ComparableText, place: ComparableText) -> bool:
    """Return whether the place denies what a sentence says, though another place may say it of others."""
    return any(
        affirms_nearly(denied.words[:2], said.tokens) and not affirms(denied.words[:2], [place.tokens])
        for denied in denied_in(place.tokens)
    )
