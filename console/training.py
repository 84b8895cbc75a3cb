"""A training of the model (`covan train`) in the background, with its progress.

The index is built by the publisher first: an edit meanwhile is published at once, and begins that build again. The
running Rasa takes a trained model over by itself; a conversation goes on with the model that its turn began with.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from console.publishing import Publisher

logger = logging.getLogger(__name__)

TOLD_LINES = 12
"""The last lines of a training's output that are kept."""

LOOK_EVERY_S = 0.2

_MODEL_IS_MADE = ("Trained in", "The model is current")
_IS_LIVE = "The chat that is running uses it"


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of the latest training.

    `step` is "" (none yet), "index", "model", "live" (Rasa takes it over), "done" or "failed". `is_live`: a running
    Rasa uses the model. `told` is the end of the output of a training that failed. Times are seconds since 1970.
    """

    step: str = ""
    by: str = ""
    began_at: float = 0.0
    ended_at: float = 0.0
    is_live: bool = False
    told: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether the training goes on."""
        return self.step in ("index", "model", "live")


class Training:
    """Trains with `command`, one training at a time."""

    def __init__(
        self, publisher: Publisher, command: Sequence[str], clock: Callable[[], float] = time.time
    ) -> None:
        self._publisher = publisher
        self.command = list(command)
        self._now = clock
        self._lock = threading.Lock()
        self._progress = Progress()
        self._process: subprocess.Popen[str] | None = None
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def progress(self) -> Progress:
        """The progress as it is now."""
        return self._progress

    def begin(self, by: str) -> bool:
        """Begin a training; False when one is under way."""
        with self._lock:
            if self._progress.is_under_way:
                return False
            self._progress = Progress("index", by, self._now())
            self._thread = threading.Thread(target=self._run, name="training", daemon=True)
            self._thread.start()
        return True

    def close(self) -> None:
        """End a training that is under way; the model before stays in use."""
        with self._lock:
            self._closing.set()
            self._end_process()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            self._train()
        except Exception as error:
            logger.exception("The training could not be run.")
            self._end("failed", told=type(error).__name__)

    def _train(self) -> None:
        self._publisher.build()
        while self._publisher.is_building and not self._closing.wait(LOOK_EVERY_S):
            pass
        with self._lock:
            if self._closing.is_set():
                return self._end("failed")
            self._process = process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
                # Rasa's process ends with it.
                start_new_session=True,
            )
        self._to("model")
        told = deque[str](maxlen=TOLD_LINES)
        is_live = False
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                told.append(line.rstrip())
                if line.startswith(_MODEL_IS_MADE):
                    self._to("live")
                is_live = is_live or line.startswith(_IS_LIVE)
        if process.wait() == 0:
            return self._end("done", is_live=is_live)
        return self._end("failed", told="\n".join(told))

    def _to(self, step: str) -> None:
        self._progress = replace(self._progress, step=step)

    def _end(self, step: str, *, is_live: bool = False, told: str = "") -> None:
        self._progress = replace(self._progress, step=step, ended_at=self._now(), is_live=is_live, told=told)

    def _end_process(self) -> None:
        if self._process is not None and self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)
