"""Whether two questions are in the same words, words of politeness aside."""

from __future__ import annotations

from dataclasses import dataclass

from vietnamese.ellipsis import without_politeness
from vietnamese.text import fold, fold_each, words


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The words of a question without those of politeness ("ad ơi", "vậy ạ"), as written and by their bare letters."""

    written: tuple[str, ...]
    letters: tuple[str, ...]

    def are_those_of(self, other: OwnWords) -> bool:
        """Return whether both have the same words; by their letters when one was typed without diacritics."""
        is_bare = self.written == self.letters or other.written == other.letters
        return self.written == other.written or (is_bare and self.letters == other.letters)


def own_words(text: str) -> OwnWords:
    """Return the own words of a question."""
    written = tuple(words(without_politeness(text)))
    return OwnWords(written, tuple(fold_each(written)))


def folded_words(text: str) -> tuple[str, ...]:
    """Return the words of a question without diacritics, equal for the ways of typing it."""
    return own_words(fold(text)).written
