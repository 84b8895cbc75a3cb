"""Coverage: the weighted share of a question's words that stand in a text.

Two texts with diacritics are compared as written ("bóng đá" is not "bỏng da"); when one has none, by bare letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import log

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

    def of(self, text: Said) -> float:
        """Return the share in 0..1 of the question that stands in a text; 0 for a question of stopwords."""
        weights = self._weights(text)
        whole = sum(weights.values())
        return self._shared(text) / whole if whole else 0.0

    def dice(self, other: Said) -> float:
        """Return the Dice coefficient in 0..1 of the question and another one."""
        if self._by_letters(other):
            others = sum(self._bare_weight(token) for token in other.folded)
        else:
            others = sum(self._weight(token) for token in other.written)
        both = sum(self._weights(other).values()) + others
        return 2 * self._shared(other) / both if both else 0.0

    def heaviest_missing(self, text: Said) -> float:
        """Return the weight of the question's heaviest word that the text lacks, as a share of its heaviest word."""
        missing = max(
            (weight for token, weight in self._folded.items() if token not in text.folded), default=0.0
        )
        heaviest = max(self._folded.values(), default=0.0)
        return missing / heaviest if heaviest else 0.0

    def _by_letters(self, text: Said) -> bool:
        return self._said.bare or text.bare

    def _weights(self, text: Said) -> dict[str, float]:
        return self._folded if self._by_letters(text) else self._written

    def _shared(self, text: Said) -> float:
        if self._by_letters(text):
            return sum(weight for token, weight in self._folded.items() if token in text.folded)
        # A word typed bare within a text that has diacritics ("học phí nganh cntt") is compared by its letters.
        return sum(
            weight
            for token, weight in self._written.items()
            if token in text.written or (token in text.folded and token == fold(token))
        )

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
