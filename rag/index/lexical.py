"""The lexical index: BM25 (Robertson & Zaragoza, 2009) over words, word bigrams and diacritic-less forms.

Most Vietnamese words have two syllables, so bigrams of syllables replace word segmentation and avoid its errors on
students' spelling. There are two fields: as written, and folded to bare letters for questions without diacritics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from math import log
from pathlib import Path

import numpy as np
import numpy.typing as npt

from school.sentence_embedder import VectorArray
from vietnamese.equivalents import with_equivalents
from vietnamese.stopwords import STOPWORDS, says_something
from vietnamese.text import fold, fold_each, words

K1, B = 0.9, 0.5
"""BM25's saturation and length normalisation: clauses differ less in length than web pages do."""

_KEPT_FREQUENCIES = 65_536

_HASH_BYTES = 16


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
    """BM25, in Lucene's variant, over lists of terms, on disk as a folder."""

    def __init__(self, postings: _Postings, lengths: npt.NDArray[np.int32]) -> None:
        """`lengths`, shape (n,), are the numbers of terms of the items."""
        self._postings = postings
        self._lengths = lengths
        self.count = len(lengths)
        self._found = lru_cache(_KEPT_FREQUENCIES)(lambda term: len(postings.of_term(term)[0]))

    @classmethod
    def build(cls, documents: Iterable[list[str]]) -> Bm25Index:
        return cls.updated(None, (), documents)

    @classmethod
    def updated(
        cls, before: Bm25Index | None, kept: Sequence[tuple[int, int]], others: Iterable[list[str]]
    ) -> Bm25Index:
        """Return the index of items of `before` and of `others`: byte for byte the one that is built of them all.

        `kept` are pairs of a place in the new index and the place in `before`, each at most once; `others` have the
        remaining places in their order.
        """
        documents = [document or ["\0"] for document in others]
        count = len(kept) + len(documents)
        if not count:
            return cls(_Postings.none(), np.zeros(0, np.int32))
        new, old = np.asarray(kept, np.int64).reshape(-1, 2).T
        free = np.setdiff1d(np.arange(count), new)
        lengths = np.zeros(count, np.int32)
        lengths[free] = [len(document) for document in documents]
        parts = [_counted(documents, free)]
        if before is not None and len(kept):
            lengths[new] = before._lengths[old]
            parts.append(before._postings.moved(old, new, before.count))
        keys, places, counts = map(np.concatenate, zip(*parts, strict=True))
        return cls(_Postings.of(keys, places, counts, lengths), lengths)

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "lengths.npy", self._lengths)
        if self.count:
            self._postings.save(folder)

    @classmethod
    def load(cls, folder: Path) -> Bm25Index:
        """Load the index. Raises OSError, EOFError or ValueError when a file is missing or damaged."""
        lengths = np.load(folder / "lengths.npy", allow_pickle=False)
        if not len(lengths):
            return cls(_Postings.none(), lengths)
        return cls(_Postings.load(folder, len(lengths)), lengths)

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
    `starts[i]` to `starts[i + 1]`, and `counts` are how often the items have it, from which an update weighs it anew. A
    key is 64 bits of a hash, because strings would take most of an index's memory. Two of t terms share a key with the
    probability t² / 2^65: 3 in 100 million for a million terms.
    """

    keys: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    places: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]
    weights: VectorArray

    @classmethod
    def none(cls) -> _Postings:
        no_number = np.zeros(0, np.int32)
        return cls(
            np.zeros(0, np.uint64), np.zeros(1, np.int64), no_number, no_number, np.zeros(0, np.float32)
        )

    @classmethod
    def of(
        cls,
        keys: npt.NDArray[np.uint64],
        places: npt.NDArray[np.int32],
        counts: npt.NDArray[np.int32],
        lengths: npt.NDArray[np.int32],
    ) -> _Postings:
        """Return the postings of items with these lengths from the key, place and count of each, shape (p,) all."""
        order = np.lexsort((places, keys))
        places, counts = places[order], counts[order]
        terms, found = np.unique(keys[order], return_counts=True)
        starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(found)))
        rarity = np.zeros(len(lengths) + 1, np.float32)
        for each in np.unique(found).tolist():
            rarity[each] = log(1 + (len(lengths) - each + 0.5) / (each + 0.5))
        saturation = K1 * ((1 - B) + B * lengths / lengths.mean())
        weights = np.repeat(rarity[found], found) * (counts / (saturation[places] + counts))
        return cls(terms, starts, places, counts, weights.astype(np.float32))

    def moved(
        self, old: npt.NDArray[np.int64], new: npt.NDArray[np.int64], count: int
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return key, place and count of the postings of the items at the places `old`, which are at `new` now."""
        place_now = np.full(count, -1, np.int32)
        place_now[old] = new
        places = place_now[self.places]
        stay = places >= 0
        return np.repeat(self.keys, np.diff(self.starts))[stay], places[stay], self.counts[stay]

    def save(self, folder: Path) -> None:
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path, count: int) -> _Postings:
        # An engine never looks at the counts, which would take as much memory as the weights.
        loaded = cls(
            *(
                np.load(folder / f"{name}.npy", "r" if name == "counts" else None, allow_pickle=False)
                for name in _ARRAYS
            )
        )
        if (
            len(loaded.starts) != len(loaded.keys) + 1
            or not len(loaded.places) == len(loaded.counts) == len(loaded.weights) == loaded.starts[-1]
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


_ARRAYS = ("keys", "starts", "places", "counts", "weights")


def _counted(
    documents: Sequence[list[str]], places: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return key, place and count of each term in each of the documents that have these places."""
    key_of = lru_cache(maxsize=None)(_key)
    counted = [Counter(document) for document in documents]
    size = sum(map(len, counted))
    return (
        np.fromiter((key_of(term) for each in counted for term in each), np.uint64, size),
        np.repeat(places.astype(np.int32), [len(each) for each in counted]),
        np.fromiter((number for each in counted for number in each.values()), np.int32, size),
    )


def _key(term: str) -> np.uint64:
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


def _text_hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).digest()


class TextIndex:
    """Two indexes of the same items: of the words as written, and of the folded words.

    `hashes` are those of the items' texts, by which an update knows the texts that it has not to read again.
    """

    def __init__(self, written: Bm25Index, folded: Bm25Index, hashes: Sequence[bytes]) -> None:
        self.written = written
        self.folded = folded
        self._hashes = hashes

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.written.count, self.folded.count, len(self._hashes)

    @classmethod
    def build(cls, texts: Iterable[str], before: TextIndex | None = None) -> TextIndex:
        """Return the index of `texts`; those that `before` has are taken from it, and make no difference."""
        texts = list(texts)
        hashes = [_text_hash(text) for text in texts]
        if before is not None and hashes == before._hashes:
            return before
        places: dict[bytes, list[int]] = {}
        for place, known in enumerate(before._hashes if before is not None else ()):
            places.setdefault(known, []).append(place)
        kept = [(place, places[known].pop()) for place, known in enumerate(hashes) if places.get(known)]
        read = set(range(len(texts))).difference(place for place, _ in kept)
        tokens = [words(texts[place]) for place in sorted(read)]
        written, folded = (before.written, before.folded) if before is not None else (None, None)
        return cls(
            Bm25Index.updated(written, kept, map(terms, tokens)),
            Bm25Index.updated(folded, kept, map(folded_terms, tokens)),
            hashes,
        )

    def save(self, folder: Path) -> None:
        self.written.save(folder / "written")
        self.folded.save(folder / "folded")
        (folder / "texts.bin").write_bytes(b"".join(self._hashes))

    @classmethod
    def load(cls, folder: Path) -> TextIndex:
        joined = (folder / "texts.bin").read_bytes()
        hashes = [joined[at : at + _HASH_BYTES] for at in range(0, len(joined), _HASH_BYTES)]
        return cls(Bm25Index.load(folder / "written"), Bm25Index.load(folder / "folded"), hashes)

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
