"""The FAQ tier: entries ranked by how like the question is to one of the ways each is asked, and by what they say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from rag.knowledge.index import Index
from rag.pipeline import FaqWeights
from rag.retrieve.coverage import Coverage, Said
from rag.retrieve.lexical import top
from rag.retrieve.opposites import opposite, poles
from rag.types import Candidate, FaqEntry, Passage, Tier, VectorArray

_TEXTS = 60
"""How many of the nearest phrasings are compared word by word."""

_SUPPORTING = 30
"""How many of the best passages may speak for an entry that rests on them."""


class FaqRetriever:
    """Ranks the curated entries of an index for a question."""

    def __init__(self, index: Index, weights: FaqWeights) -> None:
        self._index = index
        self._weights = weights
        self._asked = [Said.by(text) for text in index.faq_texts]
        self._poles = [poles(text) for text in index.faq_texts]
        texts: dict[int, list[str]] = defaultdict(list)
        for text, rows in zip(index.faq_texts, index.faq_rows, strict=True):
            for row in rows:
                texts[row].append(text)
        self._whole = [Said.by("\n".join((*texts[row], entry.answer))) for row, entry in enumerate(index.faq)]

    def retrieve(self, text: str, vector: VectorArray, passages: Sequence[Candidate] = ()) -> list[Candidate]:
        """The entries that come into question, best first, each by its best phrasing.

        `text` is the question in plain wording, `passages` what the document tier found for it, best first. `score`
        is the similarity in 0..1, the weighted mean of `scores`: `dense`, the cosine with the phrasing scaled from its
        floor; `dice`, the Dice coefficient of the two questions' words, each weighed by how rare it is; `coverage`, the
        share of the question that stands in the entry, answer and all; `support`, the score of the best passage of
        the articles the entry rests on. `cosine` is the unscaled one. A phrasing that asks for the opposite is passed
        over.
        """
        if not self._index.faq:
            return []
        floor = self._weights.cosine_floor
        nearest, _ = self._index.faq_vectors.search(vector, _TEXTS)
        places = np.union1d(nearest, top(self._index.faq_terms.scores(text), _TEXTS)).astype(np.intp)
        cosines = self._index.faq_vectors.cosines(vector, places)
        question = Coverage(text, self._index.faq_terms)
        asked = poles(text)
        supported = _articles(passages[:_SUPPORTING])
        of_entry: dict[int, dict[str, float]] = {}
        best: dict[int, Candidate] = {}
        for place, cosine in zip(places, cosines, strict=True):
            if opposite(asked, self._poles[place]):
                continue
            of_phrasing = {
                "cosine": float(cosine),
                "dense": min(max((float(cosine) - floor) / (1 - floor), 0.0), 1.0),
                "dice": question.dice(self._asked[place]),
            }
            for row in self._index.faq_rows[place]:
                entry = self._index.faq[row]
                if row not in of_entry:
                    of_entry[row] = {
                        "coverage": question.of(self._whole[row]),
                        "support": _support(entry, supported),
                    }
                scores = of_phrasing | of_entry[row]
                score = self._fused(scores)
                if row not in best or score > best[row].score:
                    best[row] = Candidate(Tier.FAQ, entry, score, scores)
        return sorted(best.values(), key=lambda candidate: -candidate.score)

    def _fused(self, scores: Mapping[str, float]) -> float:
        weights = self._weights
        fused = (
            weights.dense * scores["dense"]
            + weights.dice * scores["dice"]
            + weights.coverage * scores["coverage"]
            + weights.support * scores["support"]
        )
        return fused / (weights.dense + weights.dice + weights.coverage + weights.support)


def _articles(passages: Sequence[Candidate]) -> dict[tuple[str, str], float]:
    """The best score of each article, by document and the first part of its locator."""
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
