"""Coverage: the weighted share of a question's words that stand in a text.

Two texts with diacritics are compared as written ("bóng đá" is not "bỏng da"); when one has none, by bare letters.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from math import log

import numpy as np
import numpy.typing as npt

from rag.index.lexical import TextIndex
from vietnamese.equivalents import with_equivalents
from vietnamese.stopwords import STOPWORDS, says_something
from vietnamese.text import fold, fold_each, words

KEPT_TEXTS = 16_384
"""The texts of collections whose words are kept: twice those of the sample school, in 10 MB."""

Floats = npt.NDArray[np.float64]
_Places = Mapping[str, npt.NDArray[np.intp]]


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
        telling = [token for token in with_equivalents(tokens, by_letters=True) if says_something(token)]
        return cls(
            written=frozenset(token for token in with_equivalents(tokens) if token not in STOPWORDS),
            folded=frozenset(fold_each(telling)),
            bare=tokens == fold_each(tokens),
        )


@lru_cache(maxsize=KEPT_TEXTS)
def said_in(text: str) -> Said:
    """Return the words of a text of a collection, which the next version of the index has mostly the same.

    A student's message is no such text: it would be kept.
    """
    said = Said.by(text)
    return Said(frozenset(map(sys.intern, said.written)), frozenset(map(sys.intern, said.folded)), said.bare)


class TextWords:
    """The words of n texts of a collection, by which a question is compared with all of them at once."""

    def __init__(self, texts: Sequence[Said], collection: TextIndex) -> None:
        self._collection = collection
        self.count = len(texts)
        self.bare = np.asarray([text.bare for text in texts], bool)
        """Whether each text was typed without diacritics, shape (n,)."""
        self.written = _places_of_words(text.written for text in texts)
        """The places of the texts with each word as written."""
        self.folded = _places_of_words(text.folded for text in texts)

    @cached_property
    def written_weights(self) -> Floats:
        """The sum of the weights of each text's words, shape (n,)."""
        return self._summed(self.written, written_weight)

    @cached_property
    def folded_weights(self) -> Floats:
        """The same of the words by their bare letters."""
        return self._summed(self.folded, folded_weight)

    def _summed(self, places: _Places, weight: Callable[[str, TextIndex], float]) -> Floats:
        found = [(weight(word, self._collection), its_places) for word, its_places in places.items()]
        return _sums(found, self.count)


class Coverage:
    """Compares a question with texts; each word weighs its IDF in BM25, so that a word of no text weighs most."""

    def __init__(self, question: str, collection: TextIndex) -> None:
        self._said = Said.by(question)
        # A question is compared with many texts that have the same words.
        self._weight = cache(partial(written_weight, collection=collection))
        self._bare_weight = cache(partial(folded_weight, collection=collection))
        self._written = {token: self._weight(token) for token in self._said.written}
        self._folded = {token: self._bare_weight(token) for token in self._said.folded}
        self._wholes = {by: _sum(self._weights(by).values()) for by in (False, True)}
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
        return 2 * shared / (self._wholes[by_letters] + _sum(others))

    def of_each(self, texts: TextWords) -> Floats:
        """Return `of` for each of many texts, shape (n,)."""
        return _quotients(self._shared_with_each(texts), self._whole_for_each(texts))

    def dice_with_each(self, texts: TextWords) -> Floats:
        """Return `dice` for each of many texts, shape (n,)."""
        others = texts.folded_weights
        if not self._said.bare:
            others = np.where(texts.bare, others, texts.written_weights)
        return _quotients(2 * self._shared_with_each(texts), self._whole_for_each(texts) + others)

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
            return _sum(self._folded[token] for token in self._folded.keys() & text.folded)
        shared = self._written.keys() & text.written | self._typed_bare & text.folded
        return _sum(self._written[token] for token in shared)

    def _whole_for_each(self, texts: TextWords) -> Floats:
        return np.where(texts.bare | self._said.bare, self._wholes[True], self._wholes[False])

    def _shared_with_each(self, texts: TextWords) -> Floats:
        none = np.zeros(0, np.intp)
        by_letters = ((weight, texts.folded.get(word, none)) for word, weight in self._folded.items())
        folded = _sums(by_letters, texts.count)
        if self._said.bare:
            return folded
        as_written = (
            (
                weight,
                np.union1d(texts.written.get(word, none), texts.folded.get(word, none))
                if word in self._typed_bare
                else texts.written.get(word, none),
            )
            for word, weight in self._written.items()
        )
        return np.where(texts.bare, folded, _sums(as_written, texts.count))


def written_weight(word: str, collection: TextIndex) -> float:
    """Return the weight of a word as written; one without diacritics weighs as its letters do."""
    written = collection.written
    return (
        folded_weight(word, collection)
        if word == fold(word)
        else idf(written.document_frequency(word), written.count)
    )


def folded_weight(word: str, collection: TextIndex) -> float:
    """Return the weight of a word by its bare letters."""
    folded = collection.folded
    return idf(folded.document_frequency(word), folded.count)


@lru_cache(maxsize=100_000)
def idf(found: int, total: int) -> float:
    """Return the IDF in BM25 of a term that `found` of `total` texts have."""
    return log(1 + (total - found + 0.5) / (found + 0.5))


def _places_of_words(texts: Iterable[frozenset[str]]) -> _Places:
    found: dict[str, list[int]] = defaultdict(list)
    for place, said in enumerate(texts):
        for word in said:
            found[word].append(place)
    return {word: np.asarray(places, np.intp) for word, places in found.items()}


def _sum(weights: Iterable[float]) -> float:
    """Return the sum of weights, in any order the same to the last bit."""
    return sum(sorted(weights))


def _sums(weighed: Iterable[tuple[float, npt.NDArray[np.intp]]], count: int) -> Floats:
    """Return the `_sum` of the weights at each of `count` places."""
    sums = np.zeros(count)
    for weight, places in sorted(weighed, key=lambda one: one[0]):
        sums[places] += weight
    return sums


def _quotients(parts: Floats, wholes: Floats) -> Floats:
    return np.divide(parts, wholes, out=np.zeros_like(parts), where=parts > 0)
