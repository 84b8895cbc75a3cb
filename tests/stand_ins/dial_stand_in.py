"""An embedder whose cosines a test sets to the digit.

A text that is found has an axis of its own, told by a word in it; a question is as near to each axis as was dialled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from school.sentence_embedder import VectorArray


class DialStandIn:
    """Implements `rag.retrieve.embedder.Embedder`; the squares of the cosines dialled sum to 1 at most."""

    name = "dial-1"

    def __init__(self, *markers: str) -> None:
        self._markers = markers
        self.dimension = len(markers) + 2
        self.dial({})

    def dial(self, cosines: Mapping[str, float]) -> None:
        """Set the similarity of the next questions to the texts with each marker."""
        vector = np.zeros(self.dimension, np.float64)
        for marker, cosine in cosines.items():
            vector[self._markers.index(marker)] = cosine
        # What is left points to where no text is.
        vector[-1] = np.sqrt(1 - (vector**2).sum())
        self._question = vector.astype(np.float32)

    def query(self, text: str) -> VectorArray:
        axis = self._axis(text)
        return self._question if axis is None else self._one_hot(axis)

    def passages(self, texts: Sequence[str]) -> VectorArray:
        found = [self._axis(text) for text in texts]
        return np.stack([self._one_hot(self.dimension - 2 if axis is None else axis) for axis in found])

    def _axis(self, text: str) -> int | None:
        said = text.lower()
        return next((axis for axis, marker in enumerate(self._markers) if marker in said), None)

    def _one_hot(self, axis: int) -> VectorArray:
        vector = np.zeros(self.dimension, np.float32)
        vector[axis] = 1
        return vector
