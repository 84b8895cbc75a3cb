"""The lexical index: BM25 (Robertson & Zaragoza, 2009) over words, word bigrams and diacritic-less forms.

Vietnamese words are mostly two syllables, so bigrams of syllables carry what word segmentation would, without its
errors on what students type. Two fields are kept: as written, and folded to bare letters for questions typed
without diacritics.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import bm25s
import numpy as np
import numpy.typing as npt

from rag.text import fold, words
from rag.types import VectorArray
from rag.understand.stopwords import STOPWORDS, says_something

K1, B = 0.9, 0.5
"""BM25's saturation and length normalisation: clauses differ less in length than web pages do."""


class LexicalIndex(Protocol):
    """Scores every item for a bag of terms."""

    def scores(self, terms: Sequence[str]) -> VectorArray:
        """BM25 of each item, shape (n,)."""
        ...


def terms(tokens: Sequence[str]) -> list[str]:
    """Single words that say something, then bigrams with at least one such word."""
    return _terms(tokens, [token not in STOPWORDS for token in tokens])


def folded_terms(tokens: Sequence[str]) -> list[str]:
    """The same over bare letters."""
    return _terms([fold(token) for token in tokens], [says_something(token) for token in tokens])


def _terms(tokens: Sequence[str], telling: Sequence[bool]) -> list[str]:
    single = [token for token, tells in zip(tokens, telling, strict=True) if tells]
    pairs = [
        f"{first} {second}"
        for (first, tells), (second, tells_too) in pairwise(zip(tokens, telling, strict=True))
        if tells or tells_too
    ]
    return single + pairs


def is_undiacritised(text: str) -> bool:
    """Whether `text` was typed without diacritics: nothing in it would change by folding."""
    return fold(text) == text.lower()


class Bm25Index:
    """BM25 over lists of terms, on disk as a folder."""

    def __init__(self, model: bm25s.BM25, count: int) -> None:
        self._model = model
        self.count = count

    @classmethod
    def build(cls, documents: Iterable[list[str]]) -> Bm25Index:
        corpus = [document or ["\0"] for document in documents]
        model = bm25s.BM25(method="lucene", k1=K1, b=B)
        if corpus:
            model.index(corpus, show_progress=False)
        return cls(model, len(corpus))

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "count.json").write_text(json.dumps(self.count), encoding="utf-8")
        if self.count:
            self._model.save(str(folder), show_progress=False)

    @classmethod
    def load(cls, folder: Path) -> Bm25Index:
        count = int(json.loads((folder / "count.json").read_text(encoding="utf-8")))
        return cls(bm25s.BM25.load(str(folder)) if count else bm25s.BM25(), count)

    def scores(self, terms: Sequence[str]) -> VectorArray:
        if not self.count:
            return np.zeros(0, np.float32)
        vocabulary = self._model.vocab_dict
        ids = [vocabulary[term] for term in terms if term in vocabulary]
        if not ids:
            return np.zeros(self.count, np.float32)
        return np.asarray(self._model.get_scores_from_ids(ids), np.float32)

    def document_frequency(self, term: str) -> int:
        """How many items have `term`."""
        place = self._model.vocab_dict.get(term) if self.count else None
        if place is None:
            return 0
        starts = self._model.scores["indptr"]
        return int(starts[place + 1] - starts[place])


class TextIndex:
    """Words as written and folded, over the same items."""

    def __init__(self, written: Bm25Index, folded: Bm25Index) -> None:
        self.written = written
        self.folded = folded

    @property
    def counts(self) -> tuple[int, int]:
        """How many items each field has."""
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
        """BM25 for a question, by the field that its typing calls for, shape (n,).

        `also` are other names for what it says; words that it has already count once.
        """
        tokens = words(text)
        index, to_terms = (self.folded, folded_terms) if is_undiacritised(text) else (self.written, terms)
        wanted = to_terms(tokens)
        for term in also:
            wanted += [more for more in to_terms(words(term)) if more not in wanted]
        return index.scores(wanted)


def top(scores: npt.NDArray[np.float32], count: int) -> npt.NDArray[np.intp]:
    """The places of the `count` highest scores, best first; ties in the order of the items."""
    if count < len(scores):
        some = np.argpartition(-scores, count)[:count]
        some.sort()
        return some[np.argsort(-scores[some], kind="stable")]
    return np.argsort(-scores, kind="stable")
