"""The embedder: text to vectors. The default is multilingual-e5-small (`school.sentence_embedder`).

Any sentence-transformers model can take its place (`rag/retrieve/sentence_transformer.py`); `load_embedder` chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rag.errors import SettingsError
from rag.registry import registered
from school.sentence_embedder import SentenceEmbedder, VectorArray

DEFAULT_EMBEDDER = "e5"


class Embedder(Protocol):
    """Turns texts into L2-normalised float32 vectors of `dimension` numbers. Thread-safe."""

    @classmethod
    def of(cls, spec: str) -> Embedder:
        """Return the embedder that the whole setting names, "NAME" or "NAME:MORE". Raises SettingsError."""
        ...

    @property
    def name(self) -> str:
        """The name that an index stores: two embedders of one name make the same vectors."""
        ...

    @property
    def dimension(self) -> int: ...

    def query(self, text: str) -> VectorArray:
        """Return the vector of one question, shape (d,)."""
        ...

    def passages(self, texts: Sequence[str]) -> VectorArray:
        """Return the vectors of texts to be found, shape (n, d)."""
        ...


class E5Embedder(SentenceEmbedder):
    """The embedder of `school.sentence_embedder`, as a setting names it."""

    @classmethod
    def of(cls, spec: str) -> E5Embedder:
        """Return the embedder. Raises SettingsError when `spec` asks for a variant."""
        if spec != DEFAULT_EMBEDDER:
            raise SettingsError(f"the embedder {spec!r} is not known; {DEFAULT_EMBEDDER!r} has no variants")
        return cls()


def load_embedder(spec: str = DEFAULT_EMBEDDER) -> Embedder:
    """Return the embedder that a setting names: "e5", "sentence-transformers:NAME_OR_PATH", or a plug-in's.

    The model is loaded at its first use. Raises SettingsError for an unknown embedder, or missing packages.
    """
    name, _, _ = spec.partition(":")
    try:
        embedder: Embedder = registered("embedders", name).of(spec)
    except SettingsError as error:
        raise SettingsError(f"COVAN_EMBEDDER: {error}") from error
    return embedder
