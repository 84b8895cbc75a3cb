"""The lexical index: BM25 (Robertson & Zaragoza, 2009) over words, word bigrams and diacritic-less forms.

Most Vietnamese words have two syllables, so bigrams of syllables replace word segmentation and avoid its errors on
students' spelling. There are two fields: as written, and folded to bare letters for questions without diacritics.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from school.sentence_embedder import VectorArray
from vietnamese.equivalents import with_equivalents
from vietnamese.stopwords import STOPWORDS, says_something
from vietnamese.text import fold, fold_each, words

if TYPE_CHECKING:
    import bm25s

K1, B = 0.9, 0.5
"""BM25's saturation and length normalisation: clauses differ less in length than web pages do."""

_KEPT_FREQUENCIES = 65_536


def terms(tokens: Sequence[str]) -> list[str]:
    """Return the words that are no stopwords, then the bigrams with at least one such word."""
    tokens = with_equivalents(tokens)
    return _terms(tokens, [token not in STOPWORDS for token in tokens])


def folded_terms(tokens: Sequence[str]) -> list[str]:
    """Return the same terms over bare letters."""
    tokens = with_equivalents(tokens, by_letters=True)
    return _terms(fold_each(tokens), [says_something(token) for token in tokens])


def _terms(tokens: Sequence[str], telling: Sequence[bool]) -> list[str]:
    single = [token for token, tells in zip(tokens, telling, strict=True) if tells]
    pairs = [
        f"{first} {second}"
        for (first, tells), (second, tells_too) in pairwise(zip(tokens, telling, strict=True))
        if tells or tells_too
    ]
    return single + pairs


def is_undiacritised(text: str) -> bool:
    """Return whether `text` has no diacritics."""
    return fold(text) == text.lower()


class Bm25Index:
    """BM25 over lists of terms, on disk as a folder."""

    def __init__(self, postings: _Postings, count: int) -> None:
        self._postings = postings
        self.count = count
        self._found = lru_cache(_KEPT_FREQUENCIES)(lambda term: len(postings.of_term(term)[0]))

    @classmethod
    def build(cls, documents: Iterable[list[str]]) -> Bm25Index:
        corpus = [document or ["\0"] for document in documents]
        if not corpus:
            return cls(_Postings.none(), 0)
        # It imports SciPy, which what only reads an index does without.
        import bm25s  # noqa: PLC0415

        # It sets its own level, and notes each index that is built.
        logging.getLogger("bm25s").setLevel(logging.WARNING)
        model = bm25s.BM25(method="lucene", k1=K1, b=B)
        model.index(corpus, show_progress=False)
        return cls(_Postings.of(model), len(corpus))

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "count.json").write_text(json.dumps(self.count), encoding="utf-8")
        if self.count:
            self._postings.save(folder)

    @classmethod
    def load(cls, folder: Path) -> Bm25Index:
        """Load the index. Raises OSError, EOFError or ValueError when a file is missing or damaged."""
        count = int(json.loads((folder / "count.json").read_text(encoding="utf-8")))
        if not count:
            return cls(_Postings.none(), 0)
        return cls(_Postings.load(folder, count), count)

    def scores(self, terms: Sequence[str]) -> VectorArray:
        scores = np.zeros(self.count, np.float32)
        for term in terms:
            places, weights = self._postings.of_term(term)
            np.add.at(scores, places, weights)
        return scores

    def document_frequency(self, term: str) -> int:
        """Return the number of items that have `term`."""
        return self._found(term)


@dataclass(frozen=True, slots=True)
class _Postings:
    """The items of each term, with the weight that the term adds to their scores.

    `keys`, shape (t,) and sorted, stand for the terms; items and weights of term i are `places` and `weights` from
    `starts[i]` to `starts[i + 1]`. A key is 64 bits of a hash, because strings would take most of an index's memory.
    Two of t terms share a key with the probability t² / 2^65: 3 in 100 million for a million terms.
    """

    keys: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    places: npt.NDArray[np.int32]
    weights: VectorArray

    @classmethod
    def none(cls) -> _Postings:
        return cls(
            np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32)
        )

    @classmethod
    def of(cls, model: bm25s.BM25) -> _Postings:
        """Return the postings of an index by bm25s, in the order of the keys."""
        first = np.asarray(model.scores["indptr"], np.int64)
        # The vocabulary may have an empty term whose number has no postings.
        terms = [(number, term) for term, number in model.vocab_dict.items() if number < len(first) - 1]
        keys = np.fromiter((_key(term) for _, term in terms), np.uint64, len(terms))
        order = np.argsort(keys)
        numbers = np.fromiter((number for number, _ in terms), np.int64, len(terms))[order]
        lengths = first[numbers + 1] - first[numbers]
        starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
        rows = np.repeat(first[numbers] - starts[:-1], lengths) + np.arange(starts[-1])
        return cls(
            keys[order],
            starts,
            np.asarray(model.scores["indices"], np.int32)[rows],
            np.asarray(model.scores["data"], np.float32)[rows],
        )

    def save(self, folder: Path) -> None:
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path, count: int) -> _Postings:
        loaded = cls(*(np.load(folder / f"{name}.npy", allow_pickle=False) for name in _ARRAYS))
        if (
            len(loaded.starts) != len(loaded.keys) + 1
            or not len(loaded.places) == len(loaded.weights) == loaded.starts[-1]
            or loaded.places.min(initial=0) < 0
            or loaded.places.max(initial=-1) >= count
        ):
            raise ValueError(f"the arrays in {folder} do not belong together")
        return loaded

    def of_term(self, term: str) -> tuple[npt.NDArray[np.int32], VectorArray]:
        """Return the items that have `term`, and its weight in each."""
        key = _key(term)
        row = self.keys.searchsorted(key)
        found = row < len(self.keys) and self.keys[row] == key
        part = slice(self.starts[row], self.starts[row + 1]) if found else slice(0)
        return self.places[part], self.weights[part]


_ARRAYS = ("keys", "starts", "places", "weights")


def _key(term: str) -> np.uint64:
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


class TextIndex:
    """Two indexes of the same items: of the words as written, and of the folded words."""

    def __init__(self, written: Bm25Index, folded: Bm25Index) -> None:
        self.written = written
        self.folded = folded

    @property
    def counts(self) -> tuple[int, int]:
        return self.written.count, self.folded.count

    @classmethod
    def build(cls, texts: Iterable[str]) -> TextIndex:
        tokens = [words(text) for text in texts]
        return cls(
            Bm25Index.build(terms(some) for some in tokens),
            Bm25Index.build(folded_terms(some) for some in tokens),
        )

    def save(self, folder: Path) -> None:
        self.written.save(folder / "written")
        self.folded.save(folder / "folded")

    @classmethod
    def load(cls, folder: Path) -> TextIndex:
        return cls(Bm25Index.load(folder / "written"), Bm25Index.load(folder / "folded"))

    def scores(self, text: str, also: Sequence[str] = ()) -> VectorArray:
        """Return the BM25 scores (n,) of a question, folded when it has no diacritics.

        `also` are synonyms of its words; a term that it has already counts once.
        """
        tokens = words(text)
        index, to_terms = (self.folded, folded_terms) if is_undiacritised(text) else (self.written, terms)
        wanted = to_terms(tokens)
        for term in also:
            wanted += [more for more in to_terms(words(term)) if more not in wanted]
        return index.scores(wanted)


def top(scores: npt.NDArray[np.float32], count: int) -> npt.NDArray[np.intp]:
    """Return the places of the `count` highest scores, best first; ties in the order of the items."""
    if count < len(scores):
        some = np.argpartition(-scores, count)[:count]
        some.sort()
        return some[np.argsort(-scores[some], kind="stable")]
    return np.argsort(-scores, kind="stable")
