"""The reranker: a second, closer look at the few texts that retrieval found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rag.errors import SettingsError
from rag.model_source import PREFIX, ModelSource
from rag.rerank.cross_encoder import CrossEncoderReranker
from rag.types import VectorArray


class Reranker(Protocol):
    """Says how well each of some texts answers a question. Thread-safe."""

    @property
    def name(self) -> str: ...

    def scores(self, question: str, texts: Sequence[str]) -> VectorArray:
        """One score for each text, shape (n,), float32 in 0..1; more is better."""
        ...


def load_reranker(spec: str) -> Reranker:
    """The reranker that a setting names: "sentence-transformers:NAME_OR_PATH" of a cross-encoder.

    The model itself is loaded at the first use. Raises SettingsError when the setting names no reranker, or the
    packages that it needs are not installed.
    """
    if not spec.startswith(PREFIX):
        raise SettingsError(f"the reranker {spec!r} is not known; it may be '{PREFIX}NAME_OR_PATH'")
    return CrossEncoderReranker(ModelSource.of(spec))
