"""Text classification: kernel ridge regression over a message's meaning (a sentence vector) and its letters.

It tells the intent of a message and the FAQ entry of a question (docs/decisions/0013-intents.md and
0021-entry-classifier.md have the alternatives that were measured). The similarity of two messages is
`exp((cosine - 1) / width)` of their vectors, centred on the examples, plus `letters` times the TF-IDF cosines of their
words and of their characters. The scores become probabilities by a softmax with a temperature (Guo et al., 2017,
arXiv:1706.04599). A message unlike every example has low scores for every label, and so a low confidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from school.ngrams import ANALYZERS, FloatArray, NgramIndex
from school.sentence_embedder import QuestionEmbedder

_BLOCK = 256
"""Rows that `_substituted` solves for at once."""

NEIGHBOURS = 256
"""The examples that are solved again when others are added (`KernelClassifier.extended`)."""


@dataclass(frozen=True)
class Hyperparameters:
    """The numbers of the classifier, chosen by cross-validation over the training data (`make nlu-report`).

    `ridge` smooths the examples; `temperature` divides the scores. `letters` may be 0 (letters are then not looked at),
    the others must be positive.
    """

    width: float = 0.8
    letters: float = 0.2
    ridge: float = 0.1
    temperature: float = 0.07

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not (value > 0 or (name == "letters" and value == 0)):
                raise ValueError(f"`{name}` of a classifier must be a positive number, not {value}")


@dataclass(frozen=True)
class Example:
    """A labelled message as the classifier sees it: its `label`, its letters and the text that is embedded."""

    label: str
    letters: str
    embedded: str


@dataclass(eq=False)
class KernelClassifier:
    """The trained classifier. `vectors` are the examples' sentence vectors, centred and of length 1, shape (n, d)."""

    labels: tuple[str, ...]
    centre: FloatArray
    vectors: FloatArray
    ngrams: Sequence[NgramIndex]
    weights: FloatArray
    numbers: Hyperparameters
    learnt_from: str
    embedder: str

    @classmethod
    def learn(
        cls,
        examples: Sequence[Example],
        vectors: FloatArray,
        embedder: str,
        numbers: Hyperparameters | None = None,
    ) -> KernelClassifier:
        """Learn from examples and the vectors, shape (n, d), that `embedder` made of their `embedded` texts.

        Raises:
            ValueError: when the examples have fewer than two labels.
        """
        numbers = numbers or Hyperparameters()
        order = sorted(range(len(examples)), key=lambda place: astuple(examples[place]))
        examples, vectors = [examples[place] for place in order], vectors[order]
        labels = sorted({example.label for example in examples})
        if len(labels) < 2:
            raise ValueError(f"a classifier needs examples of two labels at least, not of {len(labels)}")
        columns = {label: column for column, label in enumerate(labels)}
        wanted = np.zeros((len(examples), len(labels)))
        wanted[np.arange(len(examples)), [columns[example.label] for example in examples]] = 1
        centre = vectors.mean(axis=0, dtype=np.float32)
        letters = [example.letters for example in examples]
        ngrams = [NgramIndex.learn(analyzer, letters) for analyzer in ANALYZERS if numbers.letters]
        centred, empty = _centred(vectors, centre), np.zeros((0, 0), np.float32)
        untaught = cls(tuple(labels), centre, centred, ngrams, empty, numbers, digest(examples), embedder)
        kernel = untaught._similarity(vectors, (each.own_cosines() for each in ngrams)).astype(np.float64)
        kernel[np.diag_indices_from(kernel)] += numbers.ridge
        return replace(untaught, weights=_solved(kernel, wanted - 1 / len(labels)).astype(np.float32))

    @classmethod
    def taught(cls, examples: Sequence[Example], embedder: QuestionEmbedder) -> KernelClassifier:
        """Learn from examples, whose texts `embedder` embeds one by one."""
        vectors = np.stack([embedder.query(example.embedded) for example in examples])
        return cls.learn(examples, vectors, embedder.name)

    def extended(self, label: str, vectors: FloatArray) -> KernelClassifier:
        """Return the classifier with further examples of `label`, known or new, by their vectors, shape (m, d).

        The weights of the `NEIGHBOURS` nearest examples are solved again beside the new ones, the others stay: a
        fraction of a second instead of the time of `learn`, which gives the exact solution. For a classifier without
        letters.
        """
        if self.ngrams:
            raise ValueError("a classifier that looks at letters must be learnt anew")
        is_new = label not in self.labels
        labels = (*self.labels, label) if is_new else self.labels
        weights = np.pad(self.weights, ((0, len(vectors)), (0, int(is_new)))).astype(np.float64)
        added = _centred(vectors, self.centre)
        alike = np.exp((added @ self.vectors.T - 1) / self.numbers.width)
        near = np.argsort(-alike.max(axis=0), kind="stable")[:NEIGHBOURS]
        every = np.concatenate([self.vectors, added])
        some = np.concatenate([near, np.arange(len(self.vectors), len(every))])
        kernel = np.exp((every[some] @ every[some].T - 1) / self.numbers.width).astype(np.float64)
        kernel[np.diag_indices_from(kernel)] += self.numbers.ridge
        # What the solved weights leave unexplained: nothing of the old examples, but their distance from a new label.
        rest = np.zeros((len(some), len(labels)))
        if is_new:
            rest[: len(near), -1] = -1 / len(labels)
        rest[len(near) :] = -1 / len(labels)
        rest[len(near) :, labels.index(label)] += 1
        rest[len(near) :, : len(self.labels)] -= alike @ self.weights
        weights[some] += np.linalg.solve(kernel, rest)
        return replace(self, labels=labels, vectors=every, weights=weights.astype(np.float32))

    def without(self, labels: Collection[str]) -> KernelClassifier:
        """Return the classifier that no longer knows `labels`; their examples stay as examples of none."""
        kept = [column for column, label in enumerate(self.labels) if label not in labels]
        return replace(
            self, labels=tuple(self.labels[column] for column in kept), weights=self.weights[:, kept]
        )

    def scores(self, letters: Sequence[str], vectors: FloatArray) -> FloatArray:
        """Return the score of each label for each message, shape (messages, labels): near 1 for its own examples.

        `vectors` are the messages' sentence vectors, shape (messages, d).
        """
        return np.asarray(self._alike(letters, vectors) @ self.weights, np.float32)

    def probabilities(self, letters: Sequence[str], vectors: FloatArray) -> FloatArray:
        """Return the probability of each label for each message, shape (messages, labels); each row sums to 1."""
        scores = self.scores(letters, vectors) / self.numbers.temperature
        exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(exponentials / exponentials.sum(axis=1, keepdims=True), np.float32)

    def rankings(self, letters: Sequence[str], vectors: FloatArray) -> list[dict[str, float]]:
        """Return the probability of every label for each message, the most probable first."""
        rows = self.probabilities(letters, vectors)
        return [{self.labels[at]: float(row[at]) for at in np.argsort(-row, kind="stable")} for row in rows]

    def _alike(self, letters: Sequence[str], vectors: FloatArray) -> FloatArray:
        """Return the similarity of each message to each example, shape (messages, examples)."""
        return self._similarity(vectors, (each.cosines(letters) for each in self.ngrams))

    def _similarity(self, vectors: FloatArray, cosines: Iterable[FloatArray]) -> FloatArray:
        """Return the same from the cosines of the messages' letters, those of each of `ngrams`."""
        alike = np.exp((_centred(vectors, self.centre) @ self.vectors.T - 1) / self.numbers.width)
        for each in cosines:
            alike += self.numbers.letters * each
        return np.asarray(alike, np.float32)

    def save(self, to: Path | BinaryIO) -> None:
        """Write the classifier to a file (.npz without pickled objects)."""
        arrays: dict[str, Any] = {
            f"{ngrams.analyzer}_{name}": array
            for ngrams in self.ngrams
            for name, array in ngrams.arrays().items()
        }
        # Compressed, it is a twelfth smaller; an edit of the FAQ that is to be live in seconds waits for 0.8 s more.
        np.savez(
            to,
            labels=np.array(self.labels, dtype=np.str_),
            learnt_from=np.array(self.learnt_from),
            embedder=np.array(self.embedder),
            numbers=np.array([number for _, number in sorted(asdict(self.numbers).items())]),
            centre=self.centre,
            vectors=self.vectors,
            weights=self.weights,
            **arrays,
        )

    @classmethod
    def load(cls, source: Path | BinaryIO) -> KernelClassifier:
        """Read the classifier from a file.

        Raises:
            OSError, ValueError, KeyError: when the file is missing or `save` has not written it.
        """
        with np.load(source, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        ngrams = []
        for analyzer in ANALYZERS:
            own = {name: array for name, array in arrays.items() if name.startswith(f"{analyzer}_")}
            named = {name.removeprefix(f"{analyzer}_"): array for name, array in own.items()}
            if named:
                ngrams.append(NgramIndex.restored(analyzer, named))
        names = sorted(asdict(Hyperparameters()))
        return cls(
            tuple(arrays["labels"].tolist()),
            arrays["centre"],
            arrays["vectors"],
            ngrams,
            arrays["weights"],
            Hyperparameters(**dict(zip(names, arrays["numbers"].tolist(), strict=True))),
            str(arrays["learnt_from"]),
            str(arrays["embedder"]),
        )


def astuple(example: Example) -> tuple[str, str, str]:
    """Return the sort key of an example: the same set gives the same classifier."""
    return example.label, example.letters, example.embedded


def digest(examples: Sequence[Example]) -> str:
    """Return a hash of a set of examples, in whatever order they come."""
    parts = "\0".join("\1".join(astuple(example)) for example in sorted(examples, key=astuple))
    return hashlib.sha256(parts.encode()).hexdigest()


def _centred(vectors: FloatArray, centre: FloatArray) -> FloatArray:
    moved = vectors - centre
    length = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.asarray(moved / np.maximum(length, 1e-9), np.float32)


def _solved(kernel: npt.NDArray[np.float64], wanted: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Solve `kernel @ x = wanted` by Cholesky's decomposition; `kernel` is symmetric and positive definite."""
    lower = np.asarray(np.linalg.cholesky(kernel), np.float64)
    halfway = _substituted(lower, wanted)
    return _substituted(lower.T[::-1, ::-1], halfway[::-1])[::-1]


def _substituted(lower: npt.NDArray[np.float64], wanted: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Solve `lower @ x = wanted` for a lower triangular matrix, block by block: numpy has no such function."""
    found = np.empty_like(wanted)
    for start in range(0, len(lower), _BLOCK):
        block = slice(start, start + _BLOCK)
        rest = wanted[block] - lower[block, :start] @ found[:start]
        found[block] = np.linalg.solve(lower[block, block], rest)
    return found
