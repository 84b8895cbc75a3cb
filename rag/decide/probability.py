"""How probable it is that the top answer is right, told from the signals that the gate sees.

Logistic regression over named signals, one model for each answer source: an FAQ entry and a passage fail in different
ways. `covan.calibrating.fit` fits the models.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, isfinite
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, model_validator

from rag.json_file import read_json

MODELS = Path(__file__).parent / "models"
"""The models that are shipped, `NAME.json` for the preset of that name."""

FARTHEST = 4.0
"""Standard deviations from the mean beyond which a signal says no more: nothing like it was seen in fitting."""

DIGITS = 6
"""Probabilities are rounded, so that equal evidence has equal probability to the last bit on every machine."""


class ProbabilityModel(BaseModel):
    """p(right) = logistic(bias + sum of weights x standardised signals); all lists go by `names`.

    `means` and `scales` are those of the signals when it was fitted. The probability rises, or falls, with each signal
    alone whatever the others are: the sign of its weight says which.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    names: tuple[str, ...]
    means: tuple[FiniteFloat, ...]
    scales: tuple[FiniteFloat, ...]
    weights: tuple[FiniteFloat, ...]
    bias: FiniteFloat

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        if not len(self.names) == len(self.means) == len(self.scales) == len(self.weights):
            raise ValueError("names, means, scales and weights must be of one length")
        if len(set(self.names)) != len(self.names):
            raise ValueError("a signal is named twice")
        if any(scale <= 0 for scale in self.scales):
            raise ValueError("every scale must be above 0")
        return self

    def probability(self, signals: Mapping[str, float]) -> float:
        """In (0, 1). A signal that is missing, or is no finite number, counts as the mean: it says nothing."""
        evidence = self.bias + sum(self.contributions(signals).values())
        # Written for both signs, so that no exponential overflows.
        share = 1 / (1 + exp(-evidence)) if evidence >= 0 else exp(evidence) / (1 + exp(evidence))
        least = 10.0**-DIGITS
        return round(min(max(share, least), 1 - least), DIGITS)

    def contributions(self, signals: Mapping[str, float]) -> dict[str, float]:
        """What each signal adds to the log-odds, by name; 0 when it is as usual."""
        return {
            name: weight * self._standardised(signals.get(name), mean, scale)
            for name, mean, scale, weight in zip(
                self.names, self.means, self.scales, self.weights, strict=True
            )
        }

    @staticmethod
    def _standardised(value: float | None, mean: float, scale: float) -> float:
        if value is None or not isfinite(value):
            return 0.0
        return min(max((value - mean) / scale, -FARTHEST), FARTHEST)


class ProbabilityModels(BaseModel):
    """The models by source; a source without one goes by the engine's own confidence."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    by_source: dict[str, ProbabilityModel] = Field(default_factory=dict)

    def probability(self, source: str, signals: Mapping[str, float], confidence: float) -> float:
        """Return the probability that an answer of `source` is right: `confidence` (0..1) if it has no model."""
        model = self.by_source.get(source)
        if model is None:
            return round(min(max(confidence, 0.0), 1.0), DIGITS) if isfinite(confidence) else 0.0
        return model.probability(signals)

    def weakest(self, source: str, signals: Mapping[str, float]) -> str | None:
        """The signal that speaks most against an answer; None when none does, or the source has no model."""
        model = self.by_source.get(source)
        against = (
            {name: value for name, value in model.contributions(signals).items() if value < 0}
            if model
            else {}
        )
        return min(against, key=lambda name: against[name], default=None)


def read_models(path: Path) -> ProbabilityModels:
    """The models in a file. Raises SettingsError when it is not there or does not hold models."""
    return read_json(path, ProbabilityModels, "probability models")


def shipped_models(preset: str) -> ProbabilityModels:
    """The models shipped for a preset, by its name or the path of its file; no models when there are none.

    Raises SettingsError when the file is damaged.
    """
    path = MODELS / f"{preset_name(preset)}.json"
    return read_models(path) if path.is_file() else ProbabilityModels()


def preset_name(preset: str) -> str:
    """What files of a preset are called: "covan", and "own" for "/etc/covan/own.yml"."""
    return Path(preset).stem if preset.endswith((".yml", ".yaml")) else preset
