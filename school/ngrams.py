"""TF-IDF rows of texts over their n-grams, and the cosines of other texts with them.

The weights are those of scikit-learn's `TfidfVectorizer(sublinear_tf=True)`: `1 + ln(tf)` times
`ln((1 + n) / (1 + df)) + 1`, rows of length 1. They are computed with numpy because both environments must give the
same numbers, and their releases of scikit-learn differ.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float32]

_WORD = re.compile(r"\w+")

FREQUENT = 1 / 16
"""The share of texts from which a term is frequent: 250 terms of the sample school's examples, 8 MB."""

_BLOCK = 256
"""Texts with a term that `own_cosines` compares with all others at once: all would take the memory of the result."""


def word_ngrams(text: str) -> Iterator[str]:
    """Yield the words of `text`, and each pair of neighbours."""
    found = _WORD.findall(text)
    yield from found
    yield from (f"{one} {other}" for one, other in pairwise(found))


def character_ngrams(text: str) -> Iterator[str]:
    """Yield the pieces of 2 to 5 characters of each word, the blanks around it included."""
    for word in text.split():
        padded = f" {word} "
        for size in range(2, 6):
            yield padded[:size]
            if size >= len(padded):
                break
            yield from (padded[start : start + size] for start in range(1, len(padded) - size + 1))


ANALYZERS: Mapping[str, Callable[[str], Iterator[str]]] = {
    "words": word_ngrams,
    "characters": character_ngrams,
}


@dataclass(frozen=True, eq=False)
class NgramIndex:
    """The TF-IDF rows of n texts, by term: `rows[starts[t]:starts[t + 1]]` are the texts that have term t.

    Attributes:
        analyzer: a key of `ANALYZERS`.
        terms: the n-grams with their numbers, in the order of these.
        idf: the inverse document frequency of each term, shape (terms,).
        starts: shape (terms + 1,).
        rows: the numbers of texts, shape (entries,); of the type of an index, which numpy would make of another at
            each look-up, for half the time of `cosines`.
        weights: the TF-IDF weight of the term in the text, shape (entries,).
        size: the number of texts.
    """

    analyzer: str
    terms: Mapping[str, int]
    idf: FloatArray
    starts: npt.NDArray[np.int32]
    rows: npt.NDArray[np.intp]
    weights: FloatArray
    size: int

    @classmethod
    def learn(cls, analyzer: str, texts: Sequence[str]) -> NgramIndex:
        """Return the index of `texts`."""
        counts = [Counter(ANALYZERS[analyzer](text)) for text in texts]
        frequency = Counter(term for count in counts for term in count)
        terms = {term: number for number, term in enumerate(sorted(frequency))}
        idf = np.array([frequency[term] for term in terms], np.float32)
        idf = (np.log((1 + len(texts)) / (1 + idf)) + 1).astype(np.float32)
        entries = [_weighted(count, terms, idf) for count in counts]
        numbers = np.concatenate([numbers for numbers, _ in entries] or [np.zeros(0, np.int32)])
        weights = np.concatenate([weights for _, weights in entries] or [np.zeros(0, np.float32)])
        rows = np.repeat(np.arange(len(texts), dtype=np.intp), [len(numbers) for numbers, _ in entries])
        by_term = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[by_term], np.arange(len(terms) + 1)).astype(np.int32)
        return cls(analyzer, terms, idf, starts, rows[by_term], weights[by_term], len(texts))

    def cosines(self, texts: Sequence[str]) -> FloatArray:
        """Return the cosine of each text with each text of the index, shape (texts, n)."""
        every = [_weighted(Counter(ANALYZERS[self.analyzer](text)), self.terms, self.idf) for text in texts]
        place, of_frequent = self._frequent
        given = np.zeros((len(texts), len(of_frequent)), np.float32)
        for row, (numbers, weights) in zip(given, every, strict=True):
            is_frequent = place[numbers] >= 0
            row[place[numbers[is_frequent]]] = weights[is_frequent]
        found = given @ of_frequent
        for row, (numbers, weights) in zip(found, every, strict=True):
            is_rare = place[numbers] < 0
            rare = numbers[is_rare]
            parts = zip(self.starts[rare].tolist(), self.starts[rare + 1].tolist(), strict=True)
            for (start, end), weight in zip(parts, weights[is_rare], strict=True):
                row[self.rows[start:end]] += weight * self.weights[start:end]
        return found

    @cached_property
    def _frequent(self) -> tuple[npt.NDArray[np.intp], FloatArray]:
        """The place of each term among the frequent ones (-1 for a rare one), and the weights of these in each text.

        Most of a text's pieces of characters stand in very many texts: their columns are added as a product of matrices
        in a third of the time.
        """
        counts = np.diff(self.starts)
        frequent = np.flatnonzero(counts > self.size * FREQUENT)
        place = np.full(len(counts), -1, np.intp)
        place[frequent] = np.arange(len(frequent))
        weights = np.zeros((len(frequent), self.size), np.float32)
        for row, number in zip(weights, frequent, strict=True):
            entries = slice(self.starts[number], self.starts[number + 1])
            row[self.rows[entries]] = self.weights[entries]
        return place, weights

    def own_cosines(self) -> FloatArray:
        """Return what `cosines` returns for the texts of the index themselves, in half its time."""
        found = np.zeros((self.size, self.size), np.float32)
        for start, end in pairwise(self.starts.tolist()):
            texts, weights = self.rows[start:end], self.weights[start:end]
            for first in range(0, len(texts), _BLOCK):
                some = slice(first, first + _BLOCK)
                found[texts[some, None], texts] += weights[some, None] * weights
        return found

    def arrays(self) -> dict[str, Any]:
        """Return the arrays that `restored` needs, by name."""
        arrays = {name: getattr(self, name) for name in ("idf", "starts", "rows", "weights", "size")}
        arrays["rows"] = self.rows.astype(np.int32)
        return {"terms": np.array(list(self.terms), dtype=np.str_), **arrays}

    @classmethod
    def restored(cls, analyzer: str, arrays: Mapping[str, Any]) -> NgramIndex:
        """Return the index that `arrays` describes."""
        terms = {term: number for number, term in enumerate(arrays["terms"].tolist())}
        rest = {name: arrays[name] for name in ("idf", "starts", "weights")}
        return cls(analyzer, terms, rows=arrays["rows"].astype(np.intp), **rest, size=int(arrays["size"]))


def _weighted(
    count: Mapping[str, int], terms: Mapping[str, int], idf: FloatArray
) -> tuple[npt.NDArray[np.int32], FloatArray]:
    """Return the numbers of the known terms of a text, ascending, and their weights."""
    known = sorted((terms[term], times) for term, times in count.items() if term in terms)
    numbers = np.array([number for number, _ in known], np.int32)
    weights = (1 + np.log(np.array([times for _, times in known], np.float32))) * idf[numbers]
    length = float(np.linalg.norm(weights))
    return numbers, (weights / length if length else weights).astype(np.float32)
