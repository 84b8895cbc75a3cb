"""Whether two questions are in the same words, words of politeness aside."""

from __future__ import annotations

from collections.abc import Sequence

from vietnamese.ellipsis import without_politeness
from vietnamese.text import fold, words


def own_words(text: str) -> list[str]:
    """Return the words of a question without those of politeness: "ad ơi", "vậy ạ"."""
    return words(without_politeness(text))


def folded_words(text: str) -> tuple[str, ...]:
    """Return the words of a question without diacritics, equal for the ways of typing it."""
    return tuple(own_words(fold(text)))


def are_same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two texts have the same words; by their bare letters when one was typed without diacritics."""
    letters, others = [fold(token) for token in one], [fold(token) for token in other]
    is_bare = list(one) == letters or list(other) == others
    return list(one) == list(other) or (is_bare and letters == others)
