"""A school with as many regulations as one likes, made of those of a real one: for measuring speed and memory.

The first documents are the school's own. Those that follow are rewritten from them: sentences are exchanged between
clauses, numbers are other numbers, and words give way to names and codes that nobody has used before, rarer the more
there are, so that the vocabulary grows as n^HEAPS (Heaps' law) and a few new words are frequent while most are not
(the process of Simon, 1955). Vectors are those of the clauses they were made of with noise, L2-normalised again. What
such a school says is nonsense: nothing about right and wrong can be measured with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from random import Random

import numpy as np

from rag.index.dense import FaissIndex
from rag.index.format import Index
from rag.index.lexical import TextIndex
from rag.ingest.enrich import article_terms, passage_terms
from rag.types import FaqEntry, Passage
from school.abbreviations import Abbreviations
from school.sentence_embedder import VectorArray
from vietnamese.text import words

HEAPS = 0.6
"""The exponent by which a vocabulary grows; 0.4 to 0.7 in natural language."""

HEAPS_FACTOR = 10

REPLACED = 0.1
"""The share of words that are names and codes of their own."""

EXCHANGED = 0.5
"""The share of sentences that come from another clause; the first of a clause stays."""

NOISE = 0.33
"""The length of the noise added to a vector of length 1: the two then have a cosine of 0.95, as near clauses have."""

_SENTENCE_END = re.compile(r"(?<=[.;])\s+")
_WORD = re.compile(r"\d+|[^\W\d_]+")
_ONSET = re.compile(r"(?:ngh|ng|nh|kh|ch|gh|gi|ph|qu|th|tr|[bcdđghklmnprstvx])?")


class Rewriter:
    """Makes new texts of old ones. The same seed makes the same texts."""

    def __init__(self, texts: Sequence[str], seed: int) -> None:
        self._random = Random(seed)
        self._pool = [sentence for text in texts for sentence in _SENTENCE_END.split(text)]
        syllables = sorted({word for text in texts for word in words(text) if word.isalpha()})
        self._parts = [(match[0], word[match.end() :]) for word in syllables if (match := _ONSET.match(word))]
        self._said: list[str] = []
        self._invented = 0

    def text(self, text: str) -> str:
        """Return another text of about that length, with the same first sentence but for some words and all numbers."""
        first, *others = _SENTENCE_END.split(text)
        exchanged = [
            self._random.choice(self._pool) if self._random.random() < EXCHANGED else sentence
            for sentence in others
        ]
        return self.wording(" ".join((first, *exchanged)))

    def wording(self, text: str) -> str:
        """Return the same text with other numbers and some other words."""
        return _WORD.sub(lambda match: self._word(match[0]), text)

    def _word(self, word: str) -> str:
        if word.isdigit():
            return "".join(self._random.choices("123456789", k=len(word)))
        return self._new_word() if self._random.random() < REPLACED else word

    def _new_word(self) -> str:
        """Return a new word, with the probability that Heaps' law has at this place, or a known one."""
        place = len(self._said) + 1
        if self._random.random() < HEAPS * HEAPS_FACTOR * place ** (HEAPS - 1):
            self._invented += 1
            word = self._invent()
        else:
            word = self._random.choice(self._said)
        self._said.append(word)
        return word

    def _invent(self) -> str:
        """Return a possible syllable, or a code: the number of syllables is limited."""
        if self._random.random() < 0.5:
            return f"{self._random.choice(self._parts)[0].upper()}{self._invented}"
        return self._random.choice(self._parts)[0] + self._random.choice(self._parts)[1]


def grown(index: Index, passages: int, faq: int, seed: int) -> Index:
    """`index` with so many passages and FAQ entries, fewer or more than it has."""
    generator = np.random.default_rng(seed)
    grown_passages, origins = _passages(index, passages, seed)
    vectors = index.passage_vectors.vectors[origins]
    entries, texts, rows, asked_origins = _faq(index, faq, seed)
    asked_vectors = index.faq_vectors.vectors[asked_origins]
    short = Abbreviations(index.reading.abbreviations)
    # Passages of an article follow each other.
    articles = [list(group) for _, group in groupby(grown_passages, lambda passage: passage.parent)]
    own, own_texts = len(index.passages), len(index.faq_texts)
    return replace(
        index,
        manifest=replace(
            index.manifest, version=f"grown-{passages}-{faq}", passages=len(grown_passages), faq=len(entries)
        ),
        passages=tuple(grown_passages),
        passage_vectors=FaissIndex.build(_noisy(vectors, own, generator), index.manifest.dimension),
        passage_terms=TextIndex.build(passage_terms(passage, short) for passage in grown_passages),
        article_rows=tuple(row for row, article in enumerate(articles) for _ in article),
        article_terms=TextIndex.build(article_terms(article, short) for article in articles),
        faq=tuple(entries),
        faq_texts=tuple(texts),
        faq_rows=tuple(rows),
        faq_vectors=FaissIndex.build(_noisy(asked_vectors, own_texts, generator), index.manifest.dimension),
        faq_terms=TextIndex.build(texts),
    )


def _passages(index: Index, count: int, seed: int) -> tuple[list[Passage], list[int]]:
    """Return so many passages, document by document, and the row that each was made of."""
    rewriter = Rewriter([passage.text for passage in index.passages], seed)
    made: list[Passage] = []
    origins: list[int] = []
    turn = 0
    while len(made) < count:
        for row, passage in enumerate(index.passages[: count - len(made)]):
            made.append(_rewritten(passage, turn, rewriter) if turn else passage)
            origins.append(row)
        turn += 1
    return made, origins


def _rewritten(passage: Passage, turn: int, rewriter: Rewriter) -> Passage:
    return replace(
        passage,
        id=f"{passage.id}~{turn}",
        document_id=f"{passage.document_id}~{turn}",
        parent=f"{passage.parent}~{turn}",
        title=f"{passage.title} {turn}",
        text=rewriter.text(passage.text),
        context=tuple(rewriter.wording(heading) for heading in passage.context),
    )


def _faq(
    index: Index, count: int, seed: int
) -> tuple[list[FaqEntry], list[str], list[tuple[int, ...]], list[int]]:
    """Return so many entries, their wordings, the entry of each wording, and the row that it was made of."""
    rewriter = Rewriter([entry.answer for entry in index.faq], seed)
    entries: list[FaqEntry] = []
    texts: list[str] = []
    rows: list[tuple[int, ...]] = []
    origins: list[int] = []
    for turn in range(-(-count // max(len(index.faq), 1))):
        first = len(entries)
        for entry in index.faq[: count - first]:
            entries.append(
                replace(
                    entry,
                    id=f"{entry.id}~{turn}",
                    question=rewriter.wording(entry.question),
                    answer=rewriter.text(entry.answer),
                )
                if turn
                else entry
            )
        for origin, (text, asked_for) in enumerate(zip(index.faq_texts, index.faq_rows, strict=True)):
            if kept := tuple(first + row for row in asked_for if first + row < count):
                texts.append(rewriter.wording(text) if turn else text)
                rows.append(kept)
                origins.append(origin)
    return entries, texts, rows, origins


def _noisy(vectors: VectorArray, own: int, generator: np.random.Generator) -> VectorArray:
    """Vectors of shape (n, d) with noise after the first `own`, L2-normalised, with the precision of kept ones."""
    noisy = np.array(vectors, np.float32)
    size = noisy[own:].shape
    noisy[own:] += NOISE / max(size[1], 1) ** 0.5 * generator.standard_normal(size, np.float32)
    noisy[own:] /= np.linalg.norm(noisy[own:], axis=1, keepdims=True)
    return noisy.astype(np.float16).astype(np.float32)
