"""The thresholds: how sure Covan must be to answer, chosen on labelled questions.

A measurement is `covan calibrate --dry-run` in a process of its own: it asks the engine every question and keeps what
it saw. From that any risk can be chosen at once, as `covan calibrate` chooses it; the calibration is written beside the
index, and every engine takes it at its next question. The calibration before is kept.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import logging
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from console.label_names import BETWEEN, with_ids
from console.spreadsheet import csv_rows
from rag.decide.calibration import (
    Calibration,
    calibration_file,
    load_calibration,
    remove_calibration,
    save_calibration,
)
from rag.errors import CovanError, QuestionsError
from rag.index.format import Index
from rag.ingest.checked_questions import CheckedQuestion
from rag.json_file import read_json, remove_json, write_at_once, write_json
from rag.types import DecisionKind

logger = logging.getLogger(__name__)

TOLD_LINES = 12
"""The last lines of a measurement's output that are kept."""

_QUESTIONS, _MEASURED = "questions.csv", "measured.json"
_CHECKED = ""
"""The name of the file where the checked questions are asked."""
_BEFORE, _NOTHING_BEFORE = "before.json", "before.none"
_SHIPPED = "shipped"
"""The version of the shipped threshold."""
_DONE = (0, 1)
"""How `covan calibrate` ends when it has measured: 1 says that its own risk cannot be kept."""


class ThresholdsError(CovanError):
    """A threshold cannot be chosen; `code` is "not_measured", "measured_again", "not_certified" or "no_before"."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ThresholdConflictError(ThresholdsError):
    """Another threshold is in use than the one that was seen; `now` is it, None for the shipped one."""

    def __init__(self, now: Calibration | None, version: str) -> None:
        super().__init__("conflict", "somebody has chosen another threshold meanwhile")
        self.now = now
        self.version = version


class Calibrator(Protocol):
    """Chooses thresholds on what a measurement saw (`covan.calibrating`)."""

    def check(self, questions: Path, index: Index) -> Sequence[Mapping[str, Any]]:
        """Return the labels of a CSV that name nothing of the school: `line`, `column`, `value` and `why`.

        Raises QuestionsError when the questions are not labelled.
        """
        ...

    def measured(self, observations: Path) -> Mapping[str, Any]:
        """Return the number of `questions`, the `curve` of coverage and risk, and the `options`, one for each risk."""
        ...

    def calibration(self, observations: Path, risk: float, index_version: str) -> Calibration:
        """Return the calibration that keeps a risk."""
        ...


@dataclass(frozen=True, slots=True)
class Measuring:
    """The latest measurement: `step` is "" (none yet), "asking", "done" or "failed"; `told` is why it failed.

    `unknown` are the labels of its questions that name nothing of the school, as `Calibrator.check` returns them.
    """

    step: str = ""
    by: str = ""
    began_at: float = 0.0
    ended_at: float = 0.0
    told: str = ""
    unknown: Sequence[Mapping[str, Any]] = ()


class Thresholds:
    """The thresholds of one index and preset; `folder` keeps the measurement.

    `command` measures: it is called with the file of questions and the folder to write to.
    """

    def __init__(
        self,
        index: Path,
        preset: str,
        folder: Path,
        calibrator: Calibrator,
        command: Callable[[Path, Path], Sequence[str]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._index = index
        self.preset = preset
        self._folder = folder
        self._calibrator = calibrator
        self.command = command
        self._now = clock
        self._lock = threading.Lock()
        self._measuring = Measuring()
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._read: tuple[float, Mapping[str, Any]] | None = None

    @property
    def measuring(self) -> Measuring:
        """The progress of the latest measurement since the console's start."""
        return self._measuring

    @property
    def current(self) -> Calibration | None:
        """The calibration in use; None for the shipped threshold. Raises IndexUnusableError."""
        return load_calibration(self._index, self.preset)

    @property
    def version(self) -> str:
        """The version of the choice in use, which another one must name. Raises IndexUnusableError."""
        current = self.current
        return _SHIPPED if current is None else sha256(current.model_dump_json().encode()).hexdigest()[:16]

    @property
    def has_before(self) -> bool:
        """Whether there is a choice to go back to."""
        return (self._folder / _BEFORE).exists() or (self._folder / _NOTHING_BEFORE).exists()

    @property
    def before(self) -> Calibration | None:
        """The choice before; None is the shipped threshold. Raises ThresholdsError."""
        if not self.has_before:
            raise ThresholdsError("no_before", "there is no choice before")
        kept = self._folder / _BEFORE
        return read_json(kept, Calibration, "a calibration") if kept.exists() else None

    @property
    def measured(self) -> Mapping[str, Any] | None:
        """The measurement with its `options`: `file`, `by`, `at`, `index_version`, `unknown` labels.

        None when there is none. `file` is empty for the checked questions.
        """
        try:
            told = json.loads((self._folder / _MEASURED).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if self._read is None or self._read[0] != told["at"]:
            self._read = told["at"], self._calibrator.measured(self._observations)
        return {"unknown": [], **told, **self._read[1]}

    @property
    def _observations(self) -> Path:
        name = calibration_file(self._index, self.preset).stem
        return self._folder / f"observations-{name}.jsonl"

    def measure(self, file: str, content: bytes, by: str, index: Index) -> bool:
        """Begin to ask the labelled questions of a CSV; False when a measurement is under way.

        Raises SpreadsheetError for a file that is no CSV, QuestionsError for one whose questions are not labelled.
        """
        if self._measuring.step == "asking":
            return False
        content, unknown = self._checked(file, content, index)
        return self._begin(file, content, unknown, by, index)

    def measure_checked(self, checked: Sequence[CheckedQuestion], by: str, index: Index) -> bool:
        """Begin to ask the school's checked questions; False when a measurement is under way or there are none."""
        return bool(checked) and self._begin(_CHECKED, _labelled(checked), (), by, index)

    def _begin(
        self, file: str, content: bytes, unknown: Sequence[Mapping[str, Any]], by: str, index: Index
    ) -> bool:
        with self._lock:
            if self._measuring.step == "asking":
                return False
            self._measuring = Measuring("asking", by, self._now(), unknown=unknown)
            about = {"file": file, "by": by, "index_version": index.manifest.version, "unknown": unknown}
            arguments = (content, about)
            self._thread = threading.Thread(target=self._run, args=arguments, name="measuring", daemon=True)
            self._thread.start()
        return True

    def _checked(self, file: str, content: bytes, index: Index) -> tuple[bytes, Sequence[Mapping[str, Any]]]:
        """Return the questions as `covan calibrate` reads a CSV, and their unknown labels.

        It is in UTF-8, with commas, and has ids in the place of names.
        """
        written = io.StringIO(newline="")
        csv.writer(written).writerows(with_ids(csv_rows(content), index))
        made = written.getvalue().encode()
        with tempfile.TemporaryDirectory() as folder:
            questions = Path(folder, _QUESTIONS)
            questions.write_bytes(made)
            try:
                return made, self._calibrator.check(questions, index)
            except QuestionsError as error:
                problems = [replace(each, file=file) for each in error.problems]
                raise QuestionsError(problems) from error

    def option(self, risk: float, measured_at: float) -> Calibration:
        """Return the threshold that keeps `risk`, as seen on the measurement of `measured_at`.

        Raises ThresholdsError.
        """
        measured = self.measured
        if measured is None:
            raise ThresholdsError("not_measured", "measure with labelled questions first")
        if measured["at"] != measured_at:
            raise ThresholdsError("measured_again", "somebody has measured anew meanwhile")
        if measured["file"] == _CHECKED:
            why = "Covan was corrected by the checked questions: they cannot vouch for a risk"
            raise ThresholdsError("not_certified", why)
        found = self._calibrator.calibration(self._observations, risk, measured["index_version"])
        if found.threshold is None:
            raise ThresholdsError("not_certified", f"these questions cannot vouch for a risk of {risk:g}")
        return found

    def choose(self, risk: float, measured_at: float, seen: str) -> Calibration:
        """Use the threshold that `option` returns.

        `seen` is the version of the choice that it takes the place of. Raises ThresholdConflictError, ThresholdsError.
        """
        with self._lock:
            self._refuse_unseen(seen)
            found = self.option(risk, measured_at)
            self._replace(found)
        return found

    def use_shipped(self, seen: str) -> None:
        """Go back to the shipped threshold; `seen` as in `choose`. Raises ThresholdConflictError."""
        with self._lock:
            self._refuse_unseen(seen)
            self._replace(None)

    def roll_back(self, seen: str) -> Calibration | None:
        """Go back to the choice before, and return it; None is the shipped threshold.

        `seen` as in `choose`. Raises ThresholdConflictError, ThresholdsError.
        """
        with self._lock:
            self._refuse_unseen(seen)
            before = self.before
            self._replace(before)
        return before

    def close(self) -> None:
        """End a measurement that is under way."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGTERM)
        if self._thread is not None:
            self._thread.join()

    def _refuse_unseen(self, seen: str) -> None:
        if seen != self.version:
            raise ThresholdConflictError(self.current, self.version)

    def _replace(self, calibration: Calibration | None) -> None:
        current = self.current
        self._folder.mkdir(parents=True, exist_ok=True)
        if current is None:
            remove_json(self._folder / _BEFORE)
            write_at_once(self._folder / _NOTHING_BEFORE, "")
        else:
            write_json(self._folder / _BEFORE, current)
            remove_json(self._folder / _NOTHING_BEFORE)
        if calibration is None:
            remove_calibration(self._index, self.preset)
        else:
            save_calibration(self._index, calibration)

    def _run(self, content: bytes, about: Mapping[str, Any]) -> None:
        try:
            told = self._measure(content)
            if not told:
                made = {**about, "at": self._now()}
                write_at_once(self._folder / _MEASURED, json.dumps(made, ensure_ascii=False))
        except Exception as error:
            logger.exception("The thresholds could not be measured.")
            told = type(error).__name__
        step = "failed" if told else "done"
        self._measuring = replace(self._measuring, step=step, ended_at=self._now(), told=told)

    def _measure(self, content: bytes) -> str:
        """Ask the questions; return why that failed, "" when it did not."""
        fresh = self._folder / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        questions = fresh / _QUESTIONS
        questions.write_bytes(content)
        with self._lock:
            self._process = process = subprocess.Popen(
                self.command(questions, fresh),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        assert process.stdout is not None
        with process.stdout:
            told = deque((line.rstrip() for line in process.stdout), maxlen=TOLD_LINES)
        seen = fresh / self._observations.name
        if process.wait() not in _DONE or not seen.is_file():
            return "\n".join(told).replace(str(questions), "CSV") or "covan calibrate"
        seen.replace(self._observations)
        shutil.rmtree(fresh)
        return ""


def _labelled(checked: Sequence[CheckedQuestion]) -> bytes:
    """Return checked questions as the CSV that `covan calibrate` reads."""
    written = io.StringIO(newline="")
    rows = csv.writer(written)
    rows.writerow(("id", "question", "decision", "source"))
    sources: Sequence[str]
    for number, each in enumerate(checked, 1):
        if each.entry is not None:
            decision, sources = DecisionKind.ANSWER, (each.entry,)
        else:
            sources = (each.dimension,) if each.dimension is not None else each.entries
            decision = DecisionKind.CLARIFY if sources else DecisionKind.NO_ANSWER
        rows.writerow((number, each.question, decision, BETWEEN.join(sources)))
    return written.getvalue().encode()
