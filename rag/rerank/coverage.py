"""Coverage: the weighted share of a question's words that stand in a text.

Two texts with diacritics are compared as written ("bóng đá" is not "bỏng da"); when one has none, by bare letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import fsum, log

from rag.index.lexical import TextIndex
from vietnamese.equivalents import with_equivalents
from vietnamese.stopwords import STOPWORDS, says_something
from vietnamese.text import fold, words


@dataclass(frozen=True, slots=True)
class Said:
    """The words of a text without stopwords, as written and by their bare letters."""

    written: frozenset[str]
    folded: frozenset[str]
    bare: bool
    """Whether the text was typed without diacritics."""

    @classmethod
    def by(cls, text: str) -> Said:
        tokens = words(text)
        return cls(
            written=frozenset(token for token in with_equivalents(tokens) if token not in STOPWORDS),
            folded=frozenset(
                fold(token) for token in with_equivalents(tokens, by_letters=True) if says_something(token)
            ),
            bare=all(token == fold(token) for token in tokens),
        )


class Coverage:
    """Compares a question with texts; each word weighs its IDF in BM25, so that a word of no text weighs most."""

    def __init__(self, question: str, collection: TextIndex) -> None:
        self._collection = collection
        self._said = Said.by(question)
        # A question is compared with hundreds of texts that have the same words.
        self._weight = cache(self._written_weight)
        self._bare_weight = cache(self._folded_weight)
        self._written = {token: self._weight(token) for token in self._said.written}
        self._folded = {token: self._bare_weight(token) for token in self._said.folded}
        self._wholes = {by: sum(self._weights(by).values()) for by in (False, True)}
        # A word typed bare within a text that has diacritics ("học phí nganh cntt") is compared by its letters.
        self._typed_bare = {token for token in self._written if token == fold(token)}

    def of(self, text: Said) -> float:
        """Return the share in 0..1 of the question that stands in a text; 0 for a question of stopwords."""
        by_letters = self._by_letters(text)
        whole = self._wholes[by_letters]
        return self._shared(text, by_letters) / whole if whole else 0.0

    def dice(self, other: Said) -> float:
        """Return the Dice coefficient in 0..1 of the question and another one."""
        by_letters = self._by_letters(other)
        shared = self._shared(other, by_letters)
        if not shared:
            return 0.0
        others = map(self._bare_weight, other.folded) if by_letters else map(self._weight, other.written)
        return 2 * shared / (self._wholes[by_letters] + sum(others))

    def heaviest_missing(self, text: Said) -> float:
        """Return the weight of the question's heaviest word that the text lacks, as a share of its heaviest word."""
        missing = max(
            (weight for token, weight in self._folded.items() if token not in text.folded), default=0.0
        )
        heaviest = max(self._folded.values(), default=0.0)
        return missing / heaviest if heaviest else 0.0

    def _by_letters(self, text: Said) -> bool:
        return self._said.bare or text.bare

    def _weights(self, by_letters: bool) -> dict[str, float]:
        return self._folded if by_letters else self._written

    def _shared(self, text: Said, by_letters: bool) -> float:
        if by_letters:
            return fsum(self._folded[token] for token in self._folded.keys() & text.folded)
        shared = self._written.keys() & text.written | self._typed_bare & text.folded
        return fsum(self._written[token] for token in shared)

    def _written_weight(self, token: str) -> float:
        written = self._collection.written
        return (
            self._bare_weight(token)
            if token == fold(token)
            else idf(written.document_frequency(token), written.count)
        )

    def _folded_weight(self, token: str) -> float:
        folded = self._collection.folded
        return idf(folded.document_frequency(token), folded.count)


@lru_cache(maxsize=100_000)
def idf(found: int, total: int) -> float:
    """Return the IDF in BM25 of a term that `found` of `total` texts have."""
    return log(1 + (total - found + 0.5) / (found + 0.5))
