"""The engine that follows its index: what was swapped in is used from the next question on."""

from __future__ import annotations

import threading
from pathlib import Path

from rag.decide.calibration import calibration_file
from rag.engine import Engine
from rag.errors import IndexUnusableError
from rag.index.versions import current_version
from rag.rerank.ranking_model import ranking_file
from rag.retrieve.embedder import Embedder, load_embedder


class LiveEngine:
    """The engine of the current index: opened at the first use, and again when the index or what was learned for it
    (`covan calibrate`, `covan train-reranker`) was swapped in."""

    def __init__(self, index: Path, preset: str = "covan", embedder: Embedder | None = None) -> None:
        self._path = index
        self._preset = preset
        self._embedder = embedder or load_embedder()
        self._lock = threading.Lock()
        self._opened: tuple[Engine, _Stamp] | None = None

    def current(self) -> Engine:
        """What cannot be used changes nothing; raises IndexUnusableError when there never was another."""
        stamp = self._stamp()
        opened = self._opened
        if opened is not None and (opened[1] == stamp or stamp[0] is None):
            return opened[0]
        with self._lock:
            if self._opened is None or self._opened[1] != stamp:
                try:
                    engine = Engine.open(self._path, self._preset, self._embedder)
                except IndexUnusableError:
                    if self._opened is None:
                        raise
                    engine = self._opened[0]
                self._opened = engine, stamp
            return self._opened[0]

    def _stamp(self) -> _Stamp:
        """Tells one state of the files from another; what is damaged is tried once, until it changes again."""
        files = [calibration_file(self._path, self._preset), ranking_file(self._path)]
        return current_version(self._path), *(_changed(file) for file in files)


_Stamp = tuple[str | int | None, ...]


def _changed(file: Path) -> int | None:
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return None
