"""The trained models: the live one, the one before it, and a candidate that is not live yet.

Rasa uses the newest model of its folder and takes another one over between two turns (`server/model_watcher.py`), so
that a conversation goes on with the model that its turn began with. The candidate is in a folder of its own.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rag.errors import CovanError
from rag.json_file import write_at_once

COMPARISON_FILE = "comparison.json"
BEGINNINGS_FILE = "beginnings.json"


class ModelError(CovanError):
    """A model cannot be made live; `code` is "model_changed" or "model_not_loaded"."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ModelFolder:
    """The models in the folder `models`, and the candidate in the folder `candidates`.

    `set_aside` is the file with the name of the model that a start must not make live by itself. `wait_until_live`
    returns whether a running Rasa uses a model, and raises CovanError when it cannot load it; `kept` is the number of
    models that stay in `models`.
    """

    def __init__(
        self,
        models: Path,
        candidates: Path,
        set_aside: Path,
        wait_until_live: Callable[[Path], bool],
        kept: int = 2,
    ) -> None:
        self._models = models
        self._candidates = candidates
        self._set_aside = set_aside
        self._wait_until_live = wait_until_live
        self._kept = kept
        self._lock = threading.Lock()

    @property
    def live(self) -> Path | None:
        """The model in use."""
        return next(iter(_newest_first(self._models)), None)

    @property
    def before(self) -> Path | None:
        """The model that was in use before the live one, as long as it is kept."""
        return next(iter(_newest_first(self._models)[1:]), None)

    @property
    def candidate(self) -> Path | None:
        """The trained model that is not live yet."""
        return next(iter(_newest_first(self._candidates)), None)

    @property
    def comparison_file(self) -> Path:
        """The file of the candidate's comparison with the live model."""
        return self._candidates / COMPARISON_FILE

    def note_beginning(self, model: Path, at: float) -> None:
        """Note when the training began that brought `model`, in seconds since 1970: it knows what was there then."""
        kept = {path.name for path in (*_newest_first(self._models), *_newest_first(self._candidates))}
        known = {name: began for name, began in self._beginnings().items() if name in kept}
        self._models.mkdir(parents=True, exist_ok=True)
        write_at_once(self._models / BEGINNINGS_FILE, json.dumps({**known, model.name: at}))

    def began_at(self, model: Path) -> float:
        """Return when the training of `model` began; of one that was trained elsewhere, when its file was written."""
        return self._beginnings().get(model.name) or model.stat().st_mtime

    def _beginnings(self) -> Mapping[str, float]:
        try:
            found: Mapping[str, float] = json.loads(
                (self._models / BEGINNINGS_FILE).read_text(encoding="utf-8")
            )
        except (OSError, ValueError):
            return {}
        return found

    def _touch(self, model: Path) -> None:
        """Make `model` the newest of its folder; when it was trained stays known."""
        self.note_beginning(model, self.began_at(model))
        model.touch()

    def promote(self, name: str) -> bool:
        """Make the candidate `name` live; return whether a running Rasa uses it.

        Raises ModelError when that is no longer the candidate, or Rasa cannot load it: it stays the candidate then.
        """
        with self._lock:
            candidate = _named(self.candidate, name)
            promoted = self._models / name
            self._models.mkdir(parents=True, exist_ok=True)
            self._touch(candidate)
            candidate.replace(promoted)
            try:
                is_live = self._wait_until_live(promoted)
            except CovanError as error:
                # The one before is the newest again, and Rasa still uses it.
                promoted.replace(candidate)
                raise ModelError("model_not_loaded", str(error)) from error
            self.comparison_file.unlink(missing_ok=True)
            for old in _newest_first(self._models)[self._kept :]:
                old.unlink()
            return is_live

    def roll_back(self, name: str) -> bool:
        """Make `name`, the model before, live again; return whether a running Rasa uses it. Raises ModelError."""
        with self._lock:
            before, live = _named(self.before, name), self.live
            assert live is not None
            self._touch(before)
            try:
                is_live = self._wait_until_live(before)
            except CovanError as error:
                self._touch(live)
                raise ModelError("model_not_loaded", str(error)) from error
            write_at_once(self._set_aside, live.name)
            return is_live

    def discard(self, name: str) -> None:
        """Delete the candidate `name`. Raises ModelError when that is no longer the candidate."""
        with self._lock:
            candidate = _named(self.candidate, name)
            self._models.mkdir(parents=True, exist_ok=True)
            write_at_once(self._set_aside, name)
            candidate.unlink()
            self.comparison_file.unlink(missing_ok=True)


def _named(model: Path | None, name: str) -> Path:
    if model is None or model.name != name:
        raise ModelError("model_changed", "somebody has trained, promoted or discarded a model meanwhile")
    return model


def _newest_first(folder: Path) -> Sequence[Path]:
    return sorted(folder.glob("*.tar.gz"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
