"""The probability of a candidate by small neural networks, which see what signals mean together.

A linear model adds up its signals. In a conversation they depend on each other: the entry of the last answer is likely
again when a message says little, unless another entry has the aspect that is asked for. One hidden layer learns that.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, FiniteFloat, model_validator

from rag.decide.probability import logistic, standardised

Floats = tuple[FiniteFloat, ...]
Matrix = npt.NDArray[np.float64]


class HiddenLayer(BaseModel):
    """One network: log-odds = output . relu(weights @ signals + biases) + bias.

    `weights` has one row of all signals for each hidden unit; `biases` and `output` have one number for each unit.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    weights: tuple[Floats, ...]
    biases: Floats
    output: Floats
    bias: FiniteFloat

    @cached_property
    def _arrays(self) -> tuple[Matrix, Matrix, Matrix]:
        return np.array(self.weights), np.array(self.biases), np.array(self.output)

    def log_odds(self, values: Matrix) -> float:
        """Return the log-odds of standardised signals, shape (signals,)."""
        weights, biases, output = self._arrays
        return float(output @ np.maximum(weights @ values + biases, 0.0) + self.bias)


class ProbabilityNetwork(BaseModel):
    """The mean probability of several networks over the same signals, each fitted from another start.

    `means` and `scales` (standard deviations) are those of the signals on which they were fitted.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    names: tuple[str, ...]
    means: Floats
    scales: Floats
    members: tuple[HiddenLayer, ...]

    @model_validator(mode="after")
    def _lists_match(self) -> Self:
        width = len(self.names)
        if not width == len(self.means) == len(self.scales):
            raise ValueError("names, means and scales must be of one length")
        if not self.members:
            raise ValueError("there must be a network")
        for member in self.members:
            if any(len(row) != width for row in member.weights):
                raise ValueError("every hidden unit must have a weight for every signal")
            if not len(member.weights) == len(member.biases) == len(member.output):
                raise ValueError("weights, biases and output must have the same hidden units")
        if any(scale <= 0 for scale in self.scales):
            raise ValueError("every scale must be above 0")
        return self

    def probability(self, signals: Mapping[str, float]) -> float:
        """Return the probability, in (0, 1). A missing or non-finite signal counts as its mean."""
        values = np.array(
            [
                standardised(signals.get(name), mean, scale)
                for name, mean, scale in zip(self.names, self.means, self.scales, strict=True)
            ]
        )
        every = [logistic(member.log_odds(values)) for member in self.members]
        return sum(every) / len(every)
