"""The model of the cross-encoder reranker: it reads question and text together.

Slower than comparing vectors, and closer (Nogueira and Cho, 2019, arXiv:1901.04085): for the first few dozen only.
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
    """Says how well each of some texts answers a question. Thread-safe."""

    @property
    def name(self) -> str: ...

    def scores(self, question: str, texts: Sequence[str]) -> VectorArray:
        """Return one score for each text, shape (n,), float32 in 0..1; more is better."""
        ...


def load_cross_encoder(spec: str) -> CrossEncoderModel:
    """Return the model that a preset names: "sentence-transformers:NAME_OR_PATH" of a cross-encoder.

    The model itself is loaded at the first use. Raises SettingsError when `spec` names no model, or the packages that
    it needs are not installed.
    """
    if not spec.startswith(PREFIX):
        raise SettingsError(f"the reranker {spec!r} is not known; it may be '{PREFIX}NAME_OR_PATH'")
    return SentenceTransformerCrossEncoder(ModelSource.of(spec))


class SentenceTransformerCrossEncoder:
    """A cross-encoder in this process. Loaded at the first use; thread-safe, one question at a time.

    Whatever the model ends in, its score is the logistic function of its one output: between 0 and 1, same order.
    """

    def __init__(self, source: ModelSource) -> None:
        self._source = source
        # The library promises nothing about threads, and one model asked by several was no faster.
        self._lock = threading.Lock()
        self._model: CrossEncoder | None = None

    @property
    def name(self) -> str:
        return self._source.name

    def scores(self, question: str, texts: Sequence[str]) -> VectorArray:
        """(n,) float32 in 0..1. Raises SettingsError when the model cannot be loaded, or sorts into classes."""
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
