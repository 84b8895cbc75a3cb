"""FAQ retrieval: ranks entries by the question's similarity to their phrasings, and by their answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter

import numpy as np

from rag.index.format import Index
from rag.index.lexical import top
from rag.pipeline import FaqWeights, Fusion
from rag.query.same_words import own_words
from rag.rerank.coverage import Coverage, Said
from rag.rerank.opposites import opposite, poles
from rag.retrieve.fusion import reciprocal_ranks
from rag.types import FAQ_SOURCE, Candidate, FaqEntry, Passage
from school.sentence_embedder import VectorArray

VERBATIM = "verbatim"
"""The score (0 or 1) of a phrasing in the very words of the question, words of politeness aside."""

_TEXTS = 60
"""The number of nearest phrasings that are compared word by word."""

_LIKELY = 10
"""The number of most likely families whose nearest phrasings are compared, too."""

_SUPPORTING = 30
"""The number of best passages that may support an entry that cites them."""


class FaqRetriever:
    """Ranks the curated entries of an index for a question."""

    def __init__(self, index: Index, weights: FaqWeights, fusion: Fusion = "weighted") -> None:
        self._index = index
        self._weights = weights
        self._fusion = fusion
        self._asked = [Said.by(text) for text in index.faq_texts]
        self._poles = [poles(text) for text in index.faq_texts]
        self._whole = whole_entries(index)
        self._classifier = index.entry_classifier if weights.ranking else None
        self._phrasings_of = _by_family(index)

    def retrieve(self, text: str, vector: VectorArray, passages: Sequence[Candidate] = ()) -> list[Candidate]:
        """Return the entries near the question, best first, each by its best phrasing.

        `text` is the question in plain wording, `passages` its best passages, best first. A candidate's `scores` are:
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
            return []
        families = self._families(vector)
        phrasings = self._phrasings(text, vector, _articles(passages[:_SUPPORTING]), families)
        if self._fusion == "rrf":
            scored = self._by_rank(phrasings)
        else:
            by = {"weighted": "similarity", "dense": "cosine", "lexical": "lexical"}[self._fusion]
            best = {row: max(ways, key=lambda scores: scores[by]) for row, ways in phrasings.items()}
            ranked = self._ranked if self._fusion == "weighted" else itemgetter(by)
            scored = {row: (ranked(scores), scores) for row, scores in best.items()}
        found = [
            Candidate(FAQ_SOURCE, self._index.faq[row], score, scores)
            for row, (score, scores) in scored.items()
        ]
        return sorted(found, key=lambda candidate: -candidate.score)

    def _families(self, vector: VectorArray) -> dict[str, float]:
        """Return the score in 0..1 of each family by the entry classifier; empty without one."""
        classifier = self._classifier
        if classifier is None:
            return {}
        scores = np.clip(classifier.scores([""], vector[None, :])[0], 0.0, 1.0)
        return dict(zip(classifier.labels, scores.tolist(), strict=True))

    def _phrasings(
        self,
        text: str,
        vector: VectorArray,
        supported: dict[tuple[str, str], float],
        families: Mapping[str, float],
    ) -> dict[int, list[dict[str, float]]]:
        """Return the scores of each phrasing near the question, by the row of its entry."""
        floor = self._weights.cosine_floor
        nearest, _ = self._index.faq_vectors.search(vector, _TEXTS)
        lexical = self._index.faq_terms.scores(text)
        likely = sorted(families, key=lambda family: -families[family])[: _LIKELY + 1]
        of_likely = [place for family in likely[:_LIKELY] for place in self._phrasings_of[family]]
        places = np.union1d(nearest, top(lexical, _TEXTS)).astype(np.intp)
        places = np.union1d(places, np.asarray(of_likely, np.intp))
        cosines = self._index.faq_vectors.cosines(vector, places)
        most = float(lexical.max(initial=0)) or 1.0
        question = Coverage(text, self._index.faq_terms)
        asked, said = poles(text), own_words(text)
        of_entry: dict[int, dict[str, float]] = {}
        found: dict[int, list[dict[str, float]]] = {}
        for place, cosine in zip(places, cosines, strict=True):
            if opposite(asked, self._poles[place]):
                continue
            of_phrasing = {
                "cosine": float(cosine),
                "dense": min(max((float(cosine) - floor) / (1 - floor), 0.0), 1.0),
                "lexical": float(lexical[place]) / most,
                "dice": question.dice(self._asked[place]),
                VERBATIM: float(
                    place not in self._index.faq_generated
                    and said.are_those_of(own_words(self._index.faq_texts[place]))
                ),
            }
            for row in self._index.faq_rows[place]:
                if row not in of_entry:
                    of_entry[row] = {
                        "coverage": question.of(self._whole[row]),
                        "support": _support(self._index.faq[row], supported),
                    }
                    if families:
                        family = self._index.faq[row].family
                        own, others = (
                            families.get(family, 0.0),
                            (families[one] for one in likely if one != family),
                        )
                        of_entry[row] |= {"entry": own, "entry_lead": own - next(others, 0.0)}
                scores = of_phrasing | of_entry[row]
                if scores[VERBATIM]:
                    scores |= dict.fromkeys(("dense", "dice", "coverage"), 1.0)
                alone = self._fusion == "dense"
                scores["similarity"] = min(max(scores["cosine"], 0.0), 1.0) if alone else self._fused(scores)
                found.setdefault(row, []).append(scores)
        return found

    def _by_rank(
        self, phrasings: Mapping[int, Sequence[Mapping[str, float]]]
    ) -> dict[int, tuple[float, Mapping[str, float]]]:
        """Return each entry's sum of reciprocal ranks by the best cosine and the best BM25 of its phrasings."""
        best = {
            name: np.asarray(
                [max(scores[name] for scores in ways) for ways in phrasings.values()], np.float32
            )
            for name in ("cosine", "lexical")
        }
        # Cosines above 0 give every entry a rank.
        fused = reciprocal_ranks((best["cosine"] + 2, best["lexical"]))
        return {
            row: (float(score), max(ways, key=lambda scores: scores["similarity"]))
            for (row, ways), score in zip(phrasings.items(), fused, strict=True)
        }

    def _ranked(self, scores: Mapping[str, float]) -> float:
        weights = self._weights.ranking
        if scores[VERBATIM]:
            return 1.0
        if weights is None or "entry" not in scores:
            return scores["similarity"]
        fused = (
            weights.entry * scores["entry"]
            + weights.coverage * scores["coverage"]
            + weights.support * scores["support"]
        )
        return fused / (weights.entry + weights.coverage + weights.support)

    def _fused(self, scores: Mapping[str, float]) -> float:
        weights = self._weights
        fused = (
            weights.dense * scores["dense"]
            + weights.dice * scores["dice"]
            + weights.coverage * scores["coverage"]
            + weights.support * scores["support"]
        )
        return fused / (weights.dense + weights.dice + weights.coverage + weights.support)


@lru_cache(maxsize=1)
def whole_entries(index: Index) -> Sequence[Said]:
    """Return the words of each entry, its phrasings and its answer: once for the parts of one engine."""
    texts: dict[int, list[str]] = defaultdict(list)
    for text, rows in zip(index.faq_texts, index.faq_rows, strict=True):
        for row in rows:
            texts[row].append(text)
    return [Said.by("\n".join((*texts[row], entry.answer))) for row, entry in enumerate(index.faq)]


def _by_family(index: Index) -> dict[str, list[int]]:
    """Return the places of the phrasings of each family."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, rows in enumerate(index.faq_rows):
        for family in {index.faq[row].family for row in rows}:
            found[family].append(place)
    return found


def _articles(passages: Sequence[Candidate]) -> dict[tuple[str, str], float]:
    """Return the best score of each article, by document and the first part of its locator."""
    found: dict[tuple[str, str], float] = {}
    for candidate in passages:
        if isinstance(candidate.item, Passage):
            found.setdefault((candidate.item.document_id, _article(candidate.item.locator)), candidate.score)
    return found


def _support(entry: FaqEntry, articles: dict[tuple[str, str], float]) -> float:
    return max(
        (articles.get((source.document, _article(source.locator)), 0.0) for source in entry.sources),
        default=0.0,
    )


def _article(locator: str) -> str:
    return locator.partition(",")[0].strip()
