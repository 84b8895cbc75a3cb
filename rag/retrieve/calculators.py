"""Retrieval of calculators: by their examples, as FAQ entries are, but without the numbers of the question."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import numpy as np

from rag.index.format import Index
from rag.index.lexical import TextIndex
from rag.pipeline import FaqWeights
from rag.rerank.coverage import Coverage, Said
from school.sentence_embedder import VectorArray

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class CalculatorRetriever:
    """Compares a question with the examples of each calculator of an index."""

    def __init__(self, index: Index, weights: FaqWeights) -> None:
        self._index = index
        self._floor = weights.cosine_floor
        self._texts = [_without_numbers(text) for text in index.calculator_texts]
        self._terms = TextIndex.build(self._texts)
        self._asked = [Said.by(text) for text in self._texts]
        texts: list[list[str]] = [[case.say for case in calculator.cases] for calculator in index.calculators]
        for text, row in zip(self._texts, index.calculator_rows, strict=True):
            texts[row].append(text)
        self._whole = [Said.by("\n".join(some)) for some in texts]

    def scores(
        self, text: str, vector: VectorArray, rows: Collection[int]
    ) -> Mapping[int, Mapping[str, float]]:
        """Return the scores of the nearest example, of each calculator in `rows`.

        `cosine` of question and example; `dense`, the cosine scaled from its floor; `dice`, the Dice coefficient of
        both texts' words by their IDF; `coverage`, the share of the question in all texts of the calculator;
        `similarity`, the mean of these three.
        """
        vectors = self._index.calculator_vectors
        places = np.asarray(
            [place for place, row in enumerate(self._index.calculator_rows) if row in rows], np.intp
        )
        if vectors is None or not len(places):
            return {}
        cosines = vectors.cosines(vector, places)
        question = Coverage(_without_numbers(text), self._terms)
        covered: dict[int, float] = {}
        found: dict[int, dict[str, float]] = {}
        for place, cosine in zip(places, cosines, strict=True):
            dense = min(max((float(cosine) - self._floor) / (1 - self._floor), 0.0), 1.0)
            dice = question.dice(self._asked[place])
            row = self._index.calculator_rows[place]
            if row not in covered:
                covered[row] = question.of(self._whole[row])
            scores = {"cosine": float(cosine), "dense": dense, "dice": dice, "coverage": covered[row]}
            scores["similarity"] = (dense + dice + covered[row]) / 3
            if row not in found or scores["similarity"] > found[row]["similarity"]:
                found[row] = scores
        return found


def _without_numbers(text: str) -> str:
    return " ".join(_NUMBER.sub(" ", text).split())
