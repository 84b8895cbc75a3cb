"""The model of the cross-encoder reranker, which reads question and text together.

It is slower and more exact than comparing vectors (Nogueira and Cho, 2019, arXiv:1901.04085).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rag.errors import SettingsError
from rag.model_source import PREFIX, ModelSource
from school.sentence_embedder import VectorArray, embeddable

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


class CrossEncoderModel(Protocol):
    """Scores how well texts answer a question. Thread-safe."""

    @property
    def name(self) -> str: ...

    def scores(self, question: str, texts: Sequence[str]) -> VectorArray:
        """Return one score for each text, shape (n,), float32 in 0..1; more is better."""
        ...


def load_cross_encoder(spec: str) -> CrossEncoderModel:
    """Return the model that a preset names: "sentence-transformers:NAME_OR_PATH" of a cross-encoder.

    The model is loaded at its first use. Raises SettingsError when `spec` names no model, or its packages are missing.
    """
    if not spec.startswith(PREFIX):
        raise SettingsError(f"the reranker {spec!r} is not known; it may be '{PREFIX}NAME_OR_PATH'")
    return SentenceTransformerCrossEncoder(ModelSource.of(spec))


class SentenceTransformerCrossEncoder:
    """A cross-encoder in this process. Loaded at the first use; thread-safe, one question at a time.

    The score is the logistic function of the model's one output, whatever its own last layer is.
    """

    def __init__(self, source: ModelSource) -> None:
        self._source = source
        # The library does not promise thread safety; sharing the model between threads was no faster.
        self._lock = threading.Lock()
        self._model: CrossEncoder | None = None

    @property
    def name(self) -> str:
        return self._source.name

    def scores(self, question: str, texts: Sequence[str]) -> VectorArray:
        """Return scores (n,), float32 in 0..1. Raises SettingsError when the model does not load, or has classes."""
        if not texts:
            return np.zeros(0, np.float32)
        pairs = [(embeddable(question), embeddable(text)) for text in texts]
        with self._lock:
            scores = self._loaded().predict(pairs, show_progress_bar=False)
        return np.asarray(scores, np.float32)

    def _loaded(self) -> CrossEncoder:
        if self._model is None:
            from sentence_transformers import CrossEncoder  # noqa: PLC0415
            from torch.nn import Sigmoid  # noqa: PLC0415

            model = self._source.load(CrossEncoder)
            if model.num_labels != 1:
                raise SettingsError(
                    f"{self._source.place} sorts pairs into {model.num_labels} classes; a reranker has one score"
                )
            model.activation_fn = Sigmoid()
            self._model = model
        return self._model
