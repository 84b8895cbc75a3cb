"""A stand-in for the real embedder: small, fast, the same everywhere, with a count of its calls.

A text is the bag of its folded words and pairs of words, hashed into a few hundred numbers. As with E5, all vectors
share one direction, so that the cosines of unrelated texts are high and everything lives in a narrow range.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from zlib import crc32

import numpy as np

from school.sentence_embedder import VectorArray
from vietnamese.text import fold, words

SHARED = 0.75
"""The cosine of two texts that have nothing in common."""


class EmbedderStandIn:
    """Implements `rag.retrieve.embedder.Embedder`."""

    def __init__(self, name: str = "bag-of-words-1", dimension: int = 257) -> None:
        self.name = name
        self.dimension = dimension
        self.embedded_queries: list[str] = []
        self.embedded_passages: list[str] = []

    def query(self, text: str) -> VectorArray:
        self.embedded_queries.append(text)
        return self._vector(text)

    def passages(self, texts: Sequence[str]) -> VectorArray:
        self.embedded_passages.extend(texts)
        return np.stack([self._vector(text) for text in texts])

    def forget(self) -> None:
        """Count from nothing again."""
        self.embedded_queries.clear()
        self.embedded_passages.clear()

    def _vector(self, text: str) -> VectorArray:
        tokens = words(fold(text))
        own = np.zeros(self.dimension - 1, np.float32)
        for term in (*tokens, *(f"{first} {second}" for first, second in pairwise(tokens))):
            number = crc32(term.encode("utf-8"))
            own[number % len(own)] += 1.0 if number & 0x10000 else -1.0
        length = float(np.linalg.norm(own))
        if length:
            own *= np.sqrt(1 - SHARED) / length
        vector = np.append(own, np.float32(np.sqrt(SHARED))).astype(np.float32)
        return np.asarray(vector / np.linalg.norm(vector), np.float32)


class NothingToEmbed:
    """An embedder by name only: it raises as soon as it is asked to embed."""

    def __init__(self, name: str, dimension: int) -> None:
        self.name = name
        self.dimension = dimension

    def query(self, text: str) -> VectorArray:
        raise AssertionError(f"asked to embed the question {text!r}")

    def passages(self, texts: Sequence[str]) -> VectorArray:
        raise AssertionError(f"asked to embed {len(texts)} passages, the first {texts[0]!r}")
