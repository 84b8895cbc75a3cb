"""The probability that the top answer is right: logistic regression over the signals that the gate sees.

Each answer source has its own model, because an FAQ entry and a passage fail in different ways.
`covan.calibrating.fit` fits the models.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, isfinite
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from rag.json_file import read_json
from rag.linear_model import LinearModel

MODELS = Path(__file__).parent / "models"
"""The shipped models: `NAME.json` belongs to the preset NAME."""

FARTHEST = 4.0
"""Standard deviations from the mean at which a signal is cut off: fitting saw nothing beyond."""

_OF_CLASSIFIER = frozenset({"faq.entry", "alone.entry"})
"""Signals of the entry classifier, in the gate and in a conversation."""

DIGITS = 6
"""Decimal places of a probability: rounded, equal evidence has an equal probability on every machine."""


def logistic(evidence: float) -> float:
    """Return the probability of some log-odds, in (0, 1), rounded."""
    # Written for both signs, so that no exponential overflows.
    share = 1 / (1 + exp(-evidence)) if evidence >= 0 else exp(evidence) / (1 + exp(evidence))
    least = 10.0**-DIGITS
    return round(min(max(share, least), 1 - least), DIGITS)


def standardised(value: float | None, mean: float, scale: float) -> float:
    """Return a signal in standard deviations from its mean, cut off; 0 for a missing or non-finite one."""
    if value is None or not isfinite(value):
        return 0.0
    return min(max((value - mean) / scale, -FARTHEST), FARTHEST)


class ProbabilityModel(LinearModel):
    """p(right) = the logistic function of the linear model."""

    def probability(self, signals: Mapping[str, float]) -> float:
        """Return the probability, in (0, 1). A missing or non-finite signal counts as its mean."""
        return logistic(self.bias + sum(self.contributions(signals).values()))

    def contributions(self, signals: Mapping[str, float]) -> dict[str, float]:
        """Return the log-odds that each signal adds, by name; 0 at the signal's mean."""
        return {
            name: weight * standardised(signals.get(name), mean, scale)
            for name, mean, scale, weight in zip(
                self.names, self.means, self.scales, self.weights, strict=True
            )
        }


class ProbabilityModels(BaseModel):
    """The models by source; a source without a model keeps the engine's own confidence.

    `unclassified` are for a school whose FAQ is too small for the entry classifier (`rag.retrieve.entry_classifier`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    by_source: dict[str, ProbabilityModel] = Field(default_factory=dict)
    unclassified: dict[str, ProbabilityModel] = Field(default_factory=dict)

    def model(self, source: str, signals: Mapping[str, float]) -> ProbabilityModel | None:
        """Return the model of a source for a school with these signals; None when there is none."""
        if source in self.unclassified and _OF_CLASSIFIER.isdisjoint(signals):
            return self.unclassified[source]
        return self.by_source.get(source)

    def probability(self, source: str, signals: Mapping[str, float], confidence: float) -> float:
        """Return the probability that an answer of `source` is right; `confidence` (0..1) without a model."""
        model = self.model(source, signals)
        if model is None:
            return round(min(max(confidence, 0.0), 1.0), DIGITS) if isfinite(confidence) else 0.0
        return model.probability(signals)

    def weakest(self, source: str, signals: Mapping[str, float]) -> str | None:
        """Return the signal that lowers the log-odds most; None when none lowers them or there is no model."""
        model = self.model(source, signals)
        added = model.contributions(signals) if model else {}
        against = {name: value for name, value in added.items() if value < 0}
        return min(against, key=lambda name: against[name], default=None)


def read_models(path: Path) -> ProbabilityModels:
    """Return the models in a file. Raises SettingsError when the file is missing or holds no models."""
    return read_json(path, ProbabilityModels, "probability models")


def shipped_models(preset: str) -> ProbabilityModels:
    """Return the models shipped for a preset (a name or a path), empty when it has none.

    Raises SettingsError when the file is damaged.
    """
    path = MODELS / f"{preset_name(preset)}.json"
    return read_models(path) if path.is_file() else ProbabilityModels()


def preset_name(preset: str) -> str:
    """Return the name that files of a preset have: "covan", or "own" for "/etc/covan/own.yml"."""
    return Path(preset).stem if preset.endswith((".yml", ".yaml")) else preset
