"""The embedder with any sentence-transformers model (Reimers and Gurevych, 2019, arXiv:1908.10084)."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from rag.errors import SettingsError
from rag.model_source import ModelSource
from school.sentence_embedder import VectorArray, embeddable

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Role = Literal["query", "passage"]
PROMPT_NAMES: Mapping[Role, Sequence[str]] = {
    "query": ("query",),
    "passage": ("document", "passage", "corpus"),
}
"""The names that models give to the prompt of a question and of a text to be found."""

E5_PROMPTS: Mapping[Role, str] = {"query": "query: ", "passage": "passage: "}
"""The prompts of E5 (arXiv:2402.05672), which most of its model files leave out."""


class SentenceTransformerEmbedder:
    """A sentence-transformers model in this process. Loaded at the first use; thread-safe, one text at a time."""

    def __init__(self, source: ModelSource) -> None:
        self._source = source
        # The library does not promise thread safety; sharing the model between threads was no faster.
        self._lock = threading.RLock()
        self._model: SentenceTransformer | None = None

    @classmethod
    def of(cls, spec: str) -> SentenceTransformerEmbedder:
        return cls(ModelSource.of(spec))

    @property
    def name(self) -> str:
        return self._source.name

    @property
    def dimension(self) -> int:
        """The size of a vector. Raises SettingsError when the model does not load, or is no embedding model."""
        with self._lock:
            size = self._loaded().get_embedding_dimension()
        if not size:
            raise SettingsError(
                f"{self._source.place} does not make vectors of one size; choose an embedding model"
            )
        return int(size)

    def query(self, text: str) -> VectorArray:
        with self._lock:
            model = self._loaded()
            vectors = model.encode_query(
                [embeddable(text)],
                prompt=prompt(model.prompts, "query", is_e5=self._source.is_e5),
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors[0], np.float32)

    def passages(self, texts: Sequence[str]) -> VectorArray:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        with self._lock:
            model = self._loaded()
            vectors = model.encode_document(
                [embeddable(text) for text in texts],
                prompt=prompt(model.prompts, "passage", is_e5=self._source.is_e5),
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors, np.float32)

    def _loaded(self) -> SentenceTransformer:
        if self._model is None:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415

            self._model = self._source.load(SentenceTransformer)
        return self._model


def prompt(own: Mapping[str, str | None], role: Role, *, is_e5: bool) -> str:
    """Return the model's own prompt for a role, else E5's for an E5 model, else "".

    The library itself stops at the first name: it finds an empty "document" where a model has "passage".
    """
    for name in PROMPT_NAMES[role]:
        if found := own.get(name):
            return found
    return E5_PROMPTS[role] if is_e5 else ""
