"""How much of a question stands in a text, word by word, without diacritics."""

from __future__ import annotations

from functools import lru_cache
from math import log

from rag.retrieve.lexical import STOPWORDS, Bm25Index
from rag.text import fold, words

_FOLDED_STOPWORDS = frozenset(map(fold, STOPWORDS))


def said(text: str) -> frozenset[str]:
    """The words of a text that say something, folded."""
    return frozenset(map(fold, words(text))) - _FOLDED_STOPWORDS


class Coverage:
    """Compares a question with texts, each word weighed by how rare it is in the collection (its IDF in BM25).

    A word that no text has weighs most: it is what the school has not written about.
    """

    def __init__(self, question: str, folded: Bm25Index) -> None:
        self._folded = folded
        self._weights = {token: self._weight(token) for token in said(question)}
        self._whole = sum(self._weights.values())

    def of(self, text: frozenset[str]) -> float:
        """The share in 0..1 of the question that stands in a text; 0 when the question says nothing."""
        return self._shared(text) / self._whole if self._whole else 0.0

    def dice(self, other: frozenset[str]) -> float:
        """The Dice coefficient in 0..1 of the question and another one."""
        both = self._whole + sum(self._weights.get(token) or self._weight(token) for token in other)
        return 2 * self._shared(other) / both if both else 0.0

    def _shared(self, text: frozenset[str]) -> float:
        return sum(weight for token, weight in self._weights.items() if token in text)

    def _weight(self, token: str) -> float:
        return _idf(self._folded.document_frequency(token), self._folded.count)


@lru_cache(maxsize=100_000)
def _idf(found: int, total: int) -> float:
    return log(1 + (total - found + 0.5) / (found + 0.5))
