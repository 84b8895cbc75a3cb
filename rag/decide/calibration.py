"""A school's calibration: the thresholds that keep its chosen risk, as a file.

    INDEX/calibration/<preset>.json

The file stands beside the versions of the index, so that it survives a new index. `covan.calibrating.certify` chooses
the thresholds; docs/decisions/0006-calibration.md states the guarantee.
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
"""The probability above which an answer is given; None: no threshold was certified, and nothing is answered."""


class Counts(BaseModel):
    """The labelled questions on which the threshold was chosen: all, those with a proposed answer, those answered."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    questions: int = Field(ge=0)
    proposed: int = Field(ge=0)
    answered: int = Field(ge=0)
    wrong: int = Field(ge=0)


class Calibration(BaseModel):
    """A chosen risk and the thresholds that keep it, with their origin.

    `threshold` holds for every topic that is not in `by_topic`. `models` gave the probabilities; they are stored so
    that a later release with other models leaves the certified thresholds valid.
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
        """Return the probability that an answer must exceed; infinite when no threshold was certified."""
        threshold = self.threshold if topic is None else self.by_topic.get(topic, self.threshold)
        return inf if threshold is None else threshold


def calibration_file(index: Path, preset: str) -> Path:
    """Return the calibration file of a preset. Raises SettingsError for a name that cannot name a file."""
    name = preset_name(preset)
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise SettingsError(f"the preset's name {name!r} must be letters, digits, '_', '-' and '.' only")
    return index / "calibration" / f"{name}.json"


def load_calibration(index: Path, preset: str) -> Calibration | None:
    """Return the choice of `covan calibrate` for this index and preset; None when there is none.

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
    """Write a calibration in one step; return its file."""
    path = calibration_file(index, calibration.preset)
    write_json(path, calibration)
    return path


def remove_calibration(index: Path, preset: str) -> bool:
    """Go back to the shipped threshold; return whether there was a calibration."""
    return remove_json(calibration_file(index, preset))
