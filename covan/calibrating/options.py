"""The risks that a person can choose from, each with what it comes to on the same observations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from covan.calibrating.choose import Choice, choose
from covan.calibrating.observe import Observation, read_observations
from covan.evaluation.labels import read_labelled
from covan.evaluation.risk import curve
from covan.evaluation.unknown_labels import unknown_labels
from rag.decide.calibration import Calibration, Counts
from rag.decide.probability import preset_name, shipped_models
from rag.index.format import Index

RISKS = (*(share / 200 for share in range(2, 20)), *(share / 100 for share in range(10, 21)), 0.25, 0.3, 0.4)
DELTA = 0.1
"""How often the promise itself may fail: 90 % confidence, as `covan calibrate` has it."""


class Options:
    """Chooses thresholds of a preset on the observations of a measurement, with the shipped models."""

    def __init__(self, preset: str, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._preset = preset
        self._now = clock

    def check(self, questions: Path, index: Index) -> Sequence[Mapping[str, Any]]:
        """Return the `UnknownLabel`s of the questions of a CSV; raise QuestionsError when they are not labelled."""
        return [asdict(each) for each in unknown_labels(read_labelled(questions), index)]

    def measured(self, observations: Path) -> Mapping[str, Any]:
        """Return the number of `questions`, the `curve` of coverage and risk, and the `options`, one for each risk.

        A `threshold` of None says that the questions cannot vouch for the risk. Risks above the first one with which
        all that could be answered is answered are left out.
        """
        seen = read_observations([observations])
        choices = [self._choice(seen, risk) for risk in RISKS]
        weighed = choices[0].weighed
        while len(choices) > 1 and choices[-2].common.threshold == choices[-1].common.threshold is not None:
            choices.pop()
        answers = [(each.probability, not each.wrong) for each in weighed if each.proposed]
        return {
            "questions": len(weighed),
            "curve": curve(answers, len(weighed)),
            "options": [
                {
                    "risk": each.risk,
                    "threshold": each.common.threshold,
                    "coverage": each.coverage,
                    "error": each.error,
                    "answered": each.answered,
                    "wrong": each.wrong,
                }
                for each in choices
            ],
        }

    def calibration(self, observations: Path, risk: float, index_version: str) -> Calibration:
        """Return the calibration that keeps a risk."""
        choice = self._choice(read_observations([observations]), risk)
        return calibration_of(choice, self._preset, index_version, self._now())

    def _choice(self, observations: Sequence[Observation], risk: float) -> Choice:
        return choose(observations, shipped_models(self._preset), risk, DELTA)


def calibration_of(choice: Choice, preset: str, index_version: str, made_at: datetime) -> Calibration:
    """Return the calibration of a choice, which the engine uses."""
    return Calibration(
        preset=preset_name(preset),
        index_version=index_version,
        made_at=made_at,
        risk=choice.risk,
        delta=choice.delta,
        threshold=choice.common.threshold,
        by_topic={topic: found.threshold for topic, found in choice.by_topic.items()},
        counts=Counts(
            questions=len(choice.weighed),
            proposed=sum(item.proposed for item in choice.weighed),
            answered=choice.answered,
            wrong=choice.wrong,
        ),
        fitted=choice.fitted_on > 0,
        models=choice.models,
    )
