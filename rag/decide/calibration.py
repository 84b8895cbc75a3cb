"""The threshold that a school's chosen risk stands for: where it is kept, and the gate that goes by it.

    INDEX/calibration/<preset>.json

It stands beside the versions of the index, so that it survives indexing anew. How a threshold is chosen is
`covan.calibrating.certify`; docs/decisions/0006-calibration.md says what it promises.
"""

from __future__ import annotations

import re
from datetime import datetime
from math import inf
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from rag.decide.probability import ProbabilityModels, preset_name
from rag.errors import IndexUnusableError, SettingsError
from rag.json_file import read_json, remove_json, write_json

Threshold = Annotated[float, Field(ge=0, le=1)] | None
"""Answers are given above it; None: none was certified, and nothing is answered."""


class Counts(BaseModel):
    """What the threshold was chosen on: labelled questions, those with something to answer, those answered."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    questions: int = Field(ge=0)
    proposed: int = Field(ge=0)
    answered: int = Field(ge=0)
    wrong: int = Field(ge=0)


class Calibration(BaseModel):
    """A chosen risk and the thresholds that keep it, with everything needed to tell where they come from.

    `threshold` holds wherever the question's topic is not in `by_topic`. `models` gave the probabilities: thresholds
    mean nothing without them, so that a later release with other models does not change what was certified.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    preset: str
    index_version: str
    made_at: datetime
    risk: Annotated[float, Field(gt=0, lt=1)]
    delta: Annotated[float, Field(gt=0, lt=1)]
    threshold: Threshold
    by_topic: dict[str, Threshold] = {}
    counts: Counts
    fitted: bool = False
    models: ProbabilityModels = ProbabilityModels()

    def threshold_for(self, topic: str | None) -> float:
        """An answer needs a probability above this; infinite when none was certified."""
        threshold = self.threshold if topic is None else self.by_topic.get(topic, self.threshold)
        return inf if threshold is None else threshold


def calibration_file(index: Path, preset: str) -> Path:
    """Where the calibration of a preset is kept. Raises SettingsError for a name that is no file's."""
    name = preset_name(preset)
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise SettingsError(f"the preset's name {name!r} must be letters, digits, '_', '-' and '.' only")
    return index / "calibration" / f"{name}.json"


def load_calibration(index: Path, preset: str) -> Calibration | None:
    """What `covan calibrate` chose for this index and preset; None when it never did.

    Raises IndexUnusableError when the file is damaged: a school that chose a risk must not silently lose it.
    """
    path = calibration_file(index, preset)
    if not path.exists():
        return None
    try:
        return read_json(path, Calibration, "a calibration")
    except SettingsError as error:
        raise IndexUnusableError(
            f"{path} cannot be read: `covan calibrate --remove` goes back to the shipped threshold; then calibrate "
            "again"
        ) from error


def save_calibration(index: Path, calibration: Calibration) -> Path:
    """Write a calibration in one step, readable by its owner's group as the index is; returns the file."""
    path = calibration_file(index, calibration.preset)
    write_json(path, calibration)
    return path


def remove_calibration(index: Path, preset: str) -> bool:
    """Go back to the shipped threshold; whether there was anything to remove."""
    return remove_json(calibration_file(index, preset))
