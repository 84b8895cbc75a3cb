"""The linear model that probabilities and the ranking are made with: named signals, standardised and weighted."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict, FiniteFloat, model_validator


class LinearModel(BaseModel):
    """bias + sum of weights x standardised signals; all lists go by `names`.

    `means` and `scales` (standard deviations) are those of the signals on which the model was fitted.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    names: tuple[str, ...]
    means: tuple[FiniteFloat, ...]
    scales: tuple[FiniteFloat, ...]
    weights: tuple[FiniteFloat, ...]
    bias: FiniteFloat

    @model_validator(mode="after")
    def _lists_match(self) -> Self:
        if not len(self.names) == len(self.means) == len(self.scales) == len(self.weights):
            raise ValueError("names, means, scales and weights must be of one length")
        if len(set(self.names)) != len(self.names):
            raise ValueError("a signal is named twice")
        if any(scale <= 0 for scale in self.scales):
            raise ValueError("every scale must be above 0")
        return self
