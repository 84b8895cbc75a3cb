"""Classification of texts by advising topic: kernel regression over meaning and spelling.

The similarity of two texts is the mean of two cosines: of their TF-IDF vectors over pieces of words (2 to 5 characters,
sublinear), and of their embeddings, less the mean embedding of the training texts (the vectors of a sentence encoder
share one direction, which says nothing). The kernel exp(SHARPNESS (similarity - 1)) lets near copies count most.
Regularised least squares, one topic against the rest, is as accurate as a support vector machine on the same kernel
(Rifkin, Yeo & Poggio, 2003, "Regularized least-squares classification"), is solved in one step without any randomness,
and gives the scores that every training text would have had without it in closed form. From those the temperature
is fitted that makes scores probabilities (Guo et al., 2017, arXiv:1706.04599).

Alternatives, with figures: docs/decisions/0007-topic-classifier.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax
from sklearn.feature_extraction.text import TfidfVectorizer

from rag.errors import CovanError
from school.sentence_embedder import VectorArray
from vietnamese.text import MAX_QUESTION_CHARS, clean

MAX_TEXTS = 10_000
"""Training keeps a few square matrices of this size: 0.8 GB each at this number."""

PIECES = (2, 5)
"""Characters of a piece of a word, least and most."""

SHARPNESS = 4.0
RIDGE = 0.03
"""Chosen by cross-validation, from the middle of a wide plateau."""

TEMPERATURES = (0.05, 50.0)

Matrix = npt.NDArray[np.float64]
Embed = Callable[[Sequence[str]], VectorArray]


class TopicsError(CovanError):
    """A classifier cannot be trained on what it was given."""


class TopicClassifier:
    """Learns topics from labelled texts, then says how probable each is for another text.

    `embed` turns n texts into L2-normalised vectors, (n, d); the classifier cleans and caps texts before.
    """

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._labels: tuple[str, ...] = ()
        self._pieces = TfidfVectorizer(
            analyzer="char_wb", ngram_range=PIECES, sublinear_tf=True, lowercase=True
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The topics, sorted: the order of the columns of `predict_proba`. Empty before `fit`."""
        return self._labels

    def fit(self, texts: Sequence[str], labels: Sequence[str]) -> TopicClassifier:
        """Learn from n texts and the topic of each. The order of the texts does not matter.

        Raises TopicsError when there are fewer than two topics, no words at all, or more than MAX_TEXTS texts.
        """
        if len(texts) != len(labels):
            raise ValueError(f"{len(texts)} texts, but {len(labels)} labels")
        if len(texts) > MAX_TEXTS:
            raise TopicsError(f"{len(texts)} texts to learn from, at most {MAX_TEXTS} fit into memory")
        topics = tuple(sorted(set(labels)))
        if len(topics) < 2:
            raise TopicsError(f"two topics are needed to tell them apart, there is {len(topics)}")
        cleaned = prepared(texts)
        if not any(cleaned):
            raise TopicsError("every text to learn from is empty")
        self._spelling = self._pieces.fit_transform(cleaned)
        vectors = np.asarray(self._embed(cleaned), np.float64)
        self._centre = vectors.mean(axis=0)
        self._meaning = _unit(vectors - self._centre)
        targets = np.where(np.asarray(labels)[:, None] == np.asarray(topics), 1.0, -1.0)

        kernel = self._kernel(self._spelling, self._meaning)
        self._weights, left_out = regularised(kernel, targets)
        self._temperature = _temperature(left_out, targets.argmax(axis=1))
        self._labels = topics
        return self

    def predict_proba(self, texts: Sequence[str]) -> Matrix:
        """Return the probability of each topic, (n, topics), rows sum to 1. Raises TopicsError before `fit`."""
        if not self._labels:
            raise TopicsError("the classifier has learnt nothing yet: call fit first")
        if not len(texts):
            return np.zeros((0, len(self._labels)))
        cleaned = prepared(texts)
        meaning = _unit(np.asarray(self._embed(cleaned), np.float64) - self._centre)
        scores = self._kernel(self._pieces.transform(cleaned), meaning) @ self._weights
        return np.asarray(softmax(self._temperature * scores, axis=1), np.float64)

    def predict(self, texts: Sequence[str]) -> list[str]:
        """Return the most probable topic of each text."""
        return [self._labels[column] for column in self.predict_proba(texts).argmax(axis=1)]

    def _kernel(self, spelling: Matrix, meaning: Matrix) -> Matrix:
        """Return the similarity of each of m texts to each training text, (m, n); 1 is the same."""
        alike = np.asarray((spelling @ self._spelling.T).toarray(), np.float64)
        alike += meaning @ self._meaning.T
        return np.asarray(np.exp(SHARPNESS * (alike / 2 - 1)), np.float64)


def prepared(texts: Sequence[str]) -> list[str]:
    """Return the texts as they are embedded: clean, at most MAX_QUESTION_CHARS long."""
    return [clean(text, MAX_QUESTION_CHARS) for text in texts]


def regularised(kernel: Matrix, targets: Matrix) -> tuple[Matrix, Matrix]:
    """Return the weights (n, topics) of regularised least squares with the ridge RIDGE, and the left-out scores.

    A left-out score (n, topics) is the score of a text by training on all others, in closed form:
    Rifkin & Lippert (2007), "Notes on regularized least squares", MIT-CSAIL-TR-2007-025.
    """
    inverse = cho_solve(cho_factor(kernel + RIDGE * np.eye(len(kernel)), lower=True), np.eye(len(kernel)))
    weights = np.asarray(inverse @ targets, np.float64)
    return weights, targets - weights / np.diag(inverse)[:, None]


def _unit(vectors: Matrix) -> Matrix:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float64)


def _temperature(scores: Matrix, truth: npt.NDArray[np.intp]) -> float:
    """Return the factor before the softmax that makes the true topics most likely; scores are (n, topics)."""
    rows = np.arange(len(scores))

    def loss(logarithm: float) -> float:
        return -float(log_softmax(np.exp(logarithm) * scores, axis=1)[rows, truth].mean())

    return float(np.exp(minimize_scalar(loss, bounds=np.log(TEMPERATURES), method="bounded").x))
