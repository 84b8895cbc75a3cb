"""An engine that follows its index: a new version serves from the next question on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from rag.decide.calibration import calibration_file
from rag.engine import Engine
from rag.errors import IndexUnusableError
from rag.index.versions import current_version
from rag.json_file import changed_at
from rag.language_model.exchange import ModelAccess
from rag.rerank.ranking_model import ranking_file
from rag.retrieve.embedder import Embedder, load_embedder

logger = logging.getLogger(__name__)


class LiveEngine:
    """Opens the engine at the first use, and again after a new index, calibration, ranking or language model."""

    def __init__(
        self,
        index: Path,
        preset: str = "covan",
        embedder: Embedder | None = None,
        model: Callable[[], ModelAccess | None] = lambda: None,
    ) -> None:
        """`model` returns the access to the language model in use, the same one until it is another."""
        self._path = index
        self._preset = preset
        self._embedder = embedder or load_embedder()
        self._model = model
        self._lock = threading.Lock()
        self._opened: tuple[Engine, _Stamp] | None = None
        self.problem = ""
        """Why the current index is not the one in use; empty when it is."""

    def current(self) -> Engine:
        """Return the engine of the current index; the last usable one when the current index is damaged.

        Raises IndexUnusableError when no index was usable yet.
        """
        stamp = self._stamp()
        opened = self._opened
        if opened is not None and (opened[1] == stamp or stamp[0] is None):
            return opened[0]
        with self._lock:
            if self._opened is None or self._opened[1] != stamp:
                try:
                    engine = Engine.open(self._path, self._preset, self._embedder, model=self._model())
                except IndexUnusableError as error:
                    if self._opened is None:
                        raise
                    engine = self._opened[0]
                    self.problem = str(error)
                    logger.error(
                        "The new index cannot be used, and the one before (version %s) stays in use: %s",
                        engine.index_version,
                        error,
                    )
                else:
                    self.problem = ""
                self._opened = engine, stamp
            return self._opened[0]

    def _stamp(self) -> _Stamp:
        """Return the state of the files. A damaged index is tried once for each state."""
        files = [calibration_file(self._path, self._preset), ranking_file(self._path)]
        return current_version(self._path), self._model(), *map(changed_at, files)


_Stamp = tuple[str | int | ModelAccess | None, ...]
