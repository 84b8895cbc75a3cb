"""A training of a candidate model (`covan train --candidate`) in the background, with its progress.

The index is built by the publisher first: an edit meanwhile is published at once, and begins that build again. The
candidate is compared with the live model, and waits until a person promotes it (`console.model_folder`).
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from console.model_comparison import Comparer
from console.model_folder import ModelFolder
from console.publishing import Publisher
from rag.errors import CovanError
from rag.json_file import write_at_once

logger = logging.getLogger(__name__)

TOLD_LINES = 12
"""The last lines of a training's output that are kept."""

LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of the latest training.

    `step` is "" (none yet), "index", "model", "compare", "done" or "failed". `read` of `messages` messages are
    compared. `candidate` is the model that was trained; "" when there is nothing new to learn, which `learnt`, the live
    model, has learnt then. `told` is the end of the output of a training that failed. Times are seconds since 1970.
    """

    step: str = ""
    by: str = ""
    began_at: float = 0.0
    ended_at: float = 0.0
    read: int = 0
    messages: int = 0
    candidate: str = ""
    learnt: str = ""
    told: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether the training goes on."""
        return self.step in ("index", "model", "compare")


class Training:
    """Trains with `command`, one training at a time, and compares what comes of it."""

    def __init__(
        self,
        publisher: Publisher,
        models: ModelFolder,
        comparer: Comparer,
        command: Sequence[str],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._publisher = publisher
        self.models = models
        self._comparer = comparer
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

    def begin(self, by: str, *, compare_alone: bool = False) -> bool:
        """Begin a training, or the comparison of the candidate alone; False when one is under way."""
        with self._lock:
            if self._progress.is_under_way:
                return False
            self._progress = Progress("compare" if compare_alone else "index", by, self._now())
            work = self._compare if compare_alone else self._train
            self._thread = threading.Thread(target=self._run, args=(work,), name="training", daemon=True)
            self._thread.start()
        return True

    @property
    def comparison(self) -> Mapping[str, Any] | None:
        """The comparison of the candidate with the live model; None when there is none."""
        candidate = self.models.candidate
        try:
            found: Mapping[str, Any] = json.loads(self.models.comparison_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if candidate is not None and found["candidate"] == candidate.name else None

    def close(self) -> None:
        """End a training that is under way; the model before stays in use."""
        with self._lock:
            self._closing.set()
            self._end_process()
        if self._thread is not None:
            self._thread.join()

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except (CovanError, sa.exc.SQLAlchemyError) as error:
            self._end("failed", told=str(getattr(error, "orig", None) or error))
        except Exception as error:
            logger.exception("The training could not be run.")
            self._end("failed", told=type(error).__name__)

    def _train(self) -> None:
        self._publisher.build()
        while self._publisher.whole_build.is_running and not self._closing.wait(LOOK_EVERY_S):
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
        assert process.stdout is not None
        with process.stdout:
            told.extend(line.rstrip() for line in process.stdout)
        if process.wait() != 0:
            return self._end("failed", told="\n".join(told))
        live, candidate = self.models.live, self.models.candidate
        if (taught := candidate or live) is not None:
            self.models.note_beginning(taught, self._progress.began_at)
        if candidate is None and live is not None:
            return self._end("done", learnt=live.name)
        return self._compare()

    def _compare(self) -> None:
        candidate = self.models.candidate
        if candidate is None:
            return self._end("done")
        self._to("compare")
        found = self._comparer.compare(self.models.live, candidate, self._note_read)
        kept = {**found, "by": self._progress.by, "at": self._now()}
        write_at_once(self.models.comparison_file, json.dumps(kept, ensure_ascii=False))
        return self._end("done", candidate=candidate.name)

    def _note_read(self, read: int, messages: int) -> None:
        if self._closing.is_set():
            raise CovanError("the console was stopped")
        self._progress = replace(self._progress, read=read, messages=messages)

    def _to(self, step: str) -> None:
        self._progress = replace(self._progress, step=step)

    def _end(self, step: str, *, candidate: str = "", learnt: str = "", told: str = "") -> None:
        self._progress = replace(
            self._progress, step=step, ended_at=self._now(), candidate=candidate, learnt=learnt, told=told
        )

    def _end_process(self) -> None:
        if self._process is not None and self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)
