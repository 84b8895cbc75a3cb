"""Candidates for a word with a typo: a letter wrong, missing or doubled, or two letters swapped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rapidfuzz.distance import OSA

from vietnamese.diacritics import Diacritics
from vietnamese.text import fold

MOST_CANDIDATES = 24
"""Candidates for one typo; rarer ones are left out."""

_LETTERS = "abcdeghiklmnopqrstuvxy"


class Typos:
    """Finds the words of a lexicon that are one typo away."""

    def __init__(self, diacritics: Diacritics) -> None:
        self._known = diacritics
        self.candidates = lru_cache(maxsize=10_000)(self._candidates)

    def _candidates(self, word: str, is_bare: bool) -> Sequence[str]:
        """Return the words that `word` (lower case) may be a typo of, the most frequent first.

        `is_bare`: the message is typed without diacritics. Otherwise a letter without its diacritic is the typo.
        """
        bare = fold(word)
        found = {
            reading
            for near in {bare, *_one_edit(bare)}
            # The first letter is seldom wrong; two words that differ in it are mostly two words.
            if near[:1] == bare[0] or sorted(near) == sorted(bare)
            for reading in self._known.readings(near)
            if is_bare or OSA.distance(word, reading) == 1
        }
        ranked = sorted(found, key=lambda reading: (-self._known.frequency(reading), reading))
        return ranked[:MOST_CANDIDATES]


def _one_edit(word: str) -> Iterator[str]:
    """Yield the words one typo away: two letters swapped, one too many, or one wrong or missing."""
    for place in range(len(word)):
        yield word[:place] + word[place + 1 :]
        if place + 1 < len(word):
            yield word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        for letter in _LETTERS:
            yield word[:place] + letter + word[place + 1 :]
            yield word[:place] + letter + word[place:]
    for letter in _LETTERS:
        yield word + letter
