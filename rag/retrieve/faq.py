"""FAQ retrieval: ranks entries by the question's similarity to their phrasings, and by their answers."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from rag.index.format import Index
from rag.index.lexical import top
from rag.pipeline import FaqWeights, Fusion
from rag.query.same_words import own_words
from rag.rerank.coverage import KEPT_TEXTS, Coverage, Floats, Said, TextWords, said_in
from rag.rerank.opposites import opposite, poles
from rag.retrieve.fusion import reciprocal_ranks
from rag.types import FAQ_SOURCE, Candidate, Passage
from school.sentence_embedder import VectorArray

VERBATIM = "verbatim"
"""The score (0 or 1) of a phrasing in the very words of the question, words of politeness aside."""

_TEXTS = 60
"""The number of nearest phrasings that are compared word by word."""

_LIKELY = 10
"""The number of most likely families whose nearest phrasings are compared, too."""

_SUPPORTING = 30
"""The number of best passages that may support an entry that cites them."""


Places = npt.NDArray[np.intp]


class OfficePhrasings:
    """The phrasings that an office has written, by their words, those of politeness aside."""

    def __init__(self, index: Index) -> None:
        self._texts = index.faq_texts
        self._by_letters: dict[tuple[str, ...], list[int]] = {}
        for place, text in enumerate(index.faq_texts):
            if place not in index.faq_generated and (letters := _asked_in(text)[1]):
                self._by_letters.setdefault(letters, []).append(place)

    def in_the_words_of(self, text: str) -> list[int]:
        """Return the places of the phrasings in the words of a question."""
        said = own_words(text)
        places = self._by_letters.get(said.letters, ())
        return [place for place in places if said.are_those_of(own_words(self._texts[place]))]


class FaqRetriever:
    """Ranks the curated entries of an index for a question."""

    def __init__(self, index: Index, weights: FaqWeights, fusion: Fusion = "weighted") -> None:
        self._index = index
        self._weights = weights
        self._fusion = fusion
        self._phrasings = TextWords([said_in(text) for text in index.faq_texts], index.faq_terms)
        self._entries = TextWords(whole_entries(index), index.faq_terms)
        every = [_asked_in(text)[0] for text in index.faq_texts]
        self._opposites = cache(lambda asked: np.asarray([opposite(asked, own) for own in every], bool))
        self._own = office_phrasings(index)
        self._articles = [
            [(source.document, _article(source.locator)) for source in entry.sources] for entry in index.faq
        ]
        self._rows = np.asarray([row for rows in index.faq_rows for row in rows], np.intp)
        self._counts = np.asarray([len(rows) for rows in index.faq_rows], np.intp)
        self._ends = np.cumsum(self._counts)
        self._classifier = index.entry_classifier if weights.ranking else None
        columns = {label: column for column, label in enumerate(self._labels)}
        self._columns = np.asarray([columns.get(entry.family, -1) for entry in index.faq], np.intp)
        self._phrasings_of = _by_family(index)

    def retrieve(self, text: str, vector: VectorArray, passages: Sequence[Candidate] = ()) -> list[Candidate]:
        """Return the entries near a question, best first, as `retrieve_each` does."""
        return self.retrieve_each([text], vector[None, :], [passages])[0]

    def retrieve_each(
        self, texts: Sequence[str], vectors: VectorArray, passages: Sequence[Sequence[Candidate]]
    ) -> list[list[Candidate]]:
        """Return the entries near each question, best first, each by its best phrasing; `vectors`: shape (texts, d).

        A text is a question in plain wording, `passages` are its best passages, best first. All at once take less time:
        the vectors of the entries are read from the computer's memory once. A candidate's `scores` are:
        `cosine` with the phrasing; `dense`, the cosine scaled from its floor; `lexical`, the BM25 of the phrasing (the
        best has 1); `dice`, the Dice coefficient of both questions' words by their IDF; `coverage`, the share of the
        question in the entry with its answer; `support`, the score of the best passage of the articles it cites;
        `similarity`, the weighted mean in 0..1 of `dense`, `dice`, `coverage` and `support` (the cosine alone for the
        fusion "dense"); `entry`, the score in 0..1 of its family by the entry classifier, and `entry_lead`, its lead
        over the best other family. By the fusion, `score` is the weighted sum of the ranking (the similarity without
        one), the sum of reciprocal ranks by `cosine` and `lexical`, or one of these two. `verbatim` is 1 for a question
        in the very words of a phrasing that an office has written: then the weighted sum, `dense`, `dice` and
        `coverage` are 1. A phrasing that asks for the opposite is skipped.
        """
        if not self._index.faq:
            return [[] for _ in texts]
        families = self._families(vectors)
        every = zip(texts, vectors, families, passages, strict=True)
        return [self._retrieved(*each) for each in every]

    def _retrieved(
        self, text: str, vector: VectorArray, families: Floats, passages: Sequence[Candidate]
    ) -> list[Candidate]:
        rows, scores = self._scores(text, vector, families, _articles(passages[:_SUPPORTING]))
        by = {"dense": "cosine", "lexical": "lexical"}.get(self._fusion, "similarity")
        best = _best_of_each(rows, scores[by])
        of_best = {name: column[best] for name, column in scores.items()}
        match self._fusion:
            case "weighted":
                ranked = self._ranked(of_best)
            case "rrf":
                # Cosines above 0 give every entry a rank.
                cosines, lexical = (
                    scores[name][_best_of_each(rows, scores[name])] for name in ("cosine", "lexical")
                )
                fused = reciprocal_ranks((cosines.astype(np.float32) + 2, lexical.astype(np.float32)))
                ranked = fused.astype(np.float64)
            case _:
                ranked = of_best[by]
        parts = zip(*(column.tolist() for column in of_best.values()), strict=True)
        found = [
            Candidate(FAQ_SOURCE, self._index.faq[row], score, dict(zip(of_best, own, strict=True)))
            for row, score, own in zip(rows[best].tolist(), ranked.tolist(), parts, strict=True)
        ]
        return sorted(found, key=lambda candidate: -candidate.score)

    @property
    def _labels(self) -> Sequence[str]:
        return self._classifier.labels if self._classifier is not None else ()

    def _families(self, vectors: VectorArray) -> Floats:
        """Return the score in 0..1 of each family by the entry classifier for each vector; empty without one."""
        if self._classifier is None:
            return np.zeros((len(vectors), 0))
        scores = self._classifier.scores([""] * len(vectors), vectors).astype(np.float64)
        return np.asarray(np.clip(scores, 0.0, 1.0))

    def _scores(
        self,
        text: str,
        vector: VectorArray,
        families: Floats,
        supported: Mapping[tuple[str, str], float],
    ) -> tuple[Places, dict[str, Floats]]:
        """Return the rows of the entries of each phrasing near the question, and their scores: columns (phrasings,)."""
        index, floor = self._index, self._weights.cosine_floor
        likely = np.argsort(-families, kind="stable")[:_LIKELY]
        lexical = index.faq_terms.scores(text)
        places = self._near(vector, lexical, [self._labels[column] for column in likely])
        cosines = index.faq_vectors.cosines(vector, places).astype(np.float64)
        fitting = ~self._opposites(poles(text))[places]
        places, cosines = places[fitting], cosines[fitting]
        question = Coverage(text, index.faq_terms)
        of_phrasing = {
            "cosine": cosines,
            "dense": np.clip((cosines - floor) / (1 - floor), 0.0, 1.0),
            "lexical": lexical[places].astype(np.float64) / (float(lexical.max(initial=0)) or 1.0),
            "dice": question.dice_with_each(self._phrasings)[places],
            VERBATIM: np.isin(places, self._own.in_the_words_of(text)).astype(np.float64),
        }
        counts = self._counts[places]
        # The rows of a phrasing end at its place in `_ends`.
        rows = self._rows[np.repeat(self._ends[places] - np.cumsum(counts), counts) + np.arange(counts.sum())]
        scores = {name: np.repeat(column, counts) for name, column in of_phrasing.items()}
        scores["coverage"] = question.of_each(self._entries)[rows]
        scores["support"] = self._support(rows, supported)
        if len(families):
            columns = self._columns[rows]
            scores["entry"] = np.append(families, 0.0)[columns]
            first, second = np.append(families[likely], (0.0, 0.0))[:2]
            scores["entry_lead"] = scores["entry"] - np.where(columns == likely[0], second, first)
        for name in ("dense", "dice", "coverage"):
            scores[name][scores[VERBATIM] == 1] = 1.0
        alone = self._fusion == "dense"
        scores["similarity"] = np.clip(scores["cosine"], 0.0, 1.0) if alone else self._fused(scores)
        return rows, scores

    def _near(self, vector: VectorArray, lexical: VectorArray, likely: Sequence[str]) -> Places:
        """Return the places of the phrasings near the question, and of those of the `likely` families."""
        nearest, _ = self._index.faq_vectors.search(vector, _TEXTS)
        of_likely = [self._phrasings_of[family] for family in likely if family in self._phrasings_of]
        return np.unique(np.concatenate([nearest, top(lexical, _TEXTS), *of_likely])).astype(np.intp)

    def _support(self, rows: Places, supported: Mapping[tuple[str, str], float]) -> Floats:
        """Return the best score of the articles that the entry of each row cites."""
        unique, where = np.unique(rows, return_inverse=True)
        best = [max((supported.get(one, 0.0) for one in self._articles[row]), default=0.0) for row in unique]
        return np.asarray(best, np.float64)[where]

    def _ranked(self, scores: Mapping[str, Floats]) -> Floats:
        weights = self._weights.ranking
        if weights is None or "entry" not in scores:
            ranked = scores["similarity"]
        else:
            fused = (
                weights.entry * scores["entry"]
                + weights.coverage * scores["coverage"]
                + weights.support * scores["support"]
            )
            ranked = fused / (weights.entry + weights.coverage + weights.support)
        return np.where(scores[VERBATIM] == 1, 1.0, ranked)

    def _fused(self, scores: Mapping[str, Floats]) -> Floats:
        weights = self._weights
        fused = (
            weights.dense * scores["dense"]
            + weights.dice * scores["dice"]
            + weights.coverage * scores["coverage"]
            + weights.support * scores["support"]
        )
        return fused / (weights.dense + weights.dice + weights.coverage + weights.support)


@lru_cache(maxsize=1)
def office_phrasings(index: Index) -> OfficePhrasings:
    """Return the phrasings that an office has written: once for the parts of one engine."""
    return OfficePhrasings(index)


def mean_vectors(index: Index) -> VectorArray:
    """Return the mean vector of each entry's phrasings, shape (entries, d), of length 1."""
    vectors = index.faq_vectors.vectors
    total = np.zeros((len(index.faq), vectors.shape[1] if len(index.faq) else 0), np.float32)
    for place, rows in enumerate(index.faq_rows):
        for row in rows:
            total[row] += vectors[place]
    lengths = np.linalg.norm(total, axis=1, keepdims=True)
    mean: VectorArray = total / np.maximum(lengths, 1e-6)
    return mean


@lru_cache(maxsize=1)
def whole_entries(index: Index) -> Sequence[Said]:
    """Return the words of each entry, its phrasings and its answer: once for the parts of one engine."""
    texts: dict[int, list[str]] = defaultdict(list)
    for text, rows in zip(index.faq_texts, index.faq_rows, strict=True):
        for row in rows:
            texts[row].append(text)
    return [said_in("\n".join((*texts[row], entry.answer))) for row, entry in enumerate(index.faq)]


def _by_family(index: Index) -> dict[str, Places]:
    """Return the places of the phrasings of each family."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, rows in enumerate(index.faq_rows):
        for family in {index.faq[row].family for row in rows}:
            found[family].append(place)
    return {family: np.asarray(places, np.intp) for family, places in found.items()}


@lru_cache(maxsize=KEPT_TEXTS)
def _asked_in(text: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the poles of a phrasing and the bare letters of its own words, kept as the words of `said_in` are."""
    return poles(text), tuple(map(sys.intern, own_words(text).letters))


def _best_of_each(rows: Places, scores: Floats) -> Places:
    """Return the place of the best score of each row, the first of equal ones; the rows in the order of `rows`."""
    order = np.lexsort((-scores, rows))
    _, begins = np.unique(rows[order], return_index=True)
    _, firsts = np.unique(rows, return_index=True)
    best: Places = order[begins][np.argsort(firsts)]
    return best


def _articles(passages: Sequence[Candidate]) -> dict[tuple[str, str], float]:
    """Return the best score of each article, by document and the first part of its locator."""
    found: dict[tuple[str, str], float] = {}
    for candidate in passages:
        if isinstance(candidate.item, Passage):
            found.setdefault((candidate.item.document_id, _article(candidate.item.locator)), candidate.score)
    return found


def _article(locator: str) -> str:
    return locator.partition(",")[0].strip()
