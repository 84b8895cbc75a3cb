"""The probability of a candidate by small neural networks, which see what signals mean together.

A linear model adds up its signals. In a conversation they depend on each other: the entry of the last answer is likely
again when a message says little, unless another entry has the aspect that is asked for. One hidden layer learns that.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate
from typing import Self

import numpy as np
from pydantic import BaseModel, ConfigDict, FiniteFloat, model_validator

from rag.decide.probability import FARTHEST, logistic
from rag.decide.signal_table import Matrix, SignalTable

Floats = tuple[FiniteFloat, ...]


class HiddenLayer(BaseModel):
    """One network: log-odds = output . relu(weights @ signals + biases) + bias.

    `weights` has one row of all signals for each hidden unit; `biases` and `output` have one number for each unit.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    weights: tuple[Floats, ...]
    biases: Floats
    output: Floats
    bias: FiniteFloat


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

    @cached_property
    def _scaling(self) -> tuple[Matrix, Matrix]:
        return np.array(self.means), np.array(self.scales)

    @cached_property
    def _hidden(self) -> tuple[Matrix, Matrix, Matrix]:
        """The weights, biases and outputs of the hidden units of all networks, one network below the other."""
        every = [(member.weights, member.biases, member.output) for member in self.members]
        weights, biases, output = (np.concatenate(part) for part in zip(*every, strict=True))
        return weights, biases, output

    @cached_property
    def _firsts(self) -> list[int]:
        """The place of each network's first hidden unit."""
        return [0, *accumulate(len(member.biases) for member in self.members[:-1])]

    def probability(self, signals: Mapping[str, float]) -> float:
        """Return the probability, in (0, 1). A missing or non-finite signal counts as its mean."""
        return self.probabilities(SignalTable.of([signals]))[0]

    def probabilities(self, table: SignalTable) -> list[float]:
        """Return the `probability` of each candidate of a table."""
        means, scales = self._scaling
        weights, biases, output = self._hidden
        given = table.columns(self.names)
        far = np.clip((given - means) / scales, -FARTHEST, FARTHEST)
        units = np.maximum(np.where(np.isfinite(given), far, 0.0) @ weights.T + biases, 0.0)
        odds = np.add.reduceat(output * units, self._firsts, axis=1) + [
            member.bias for member in self.members
        ]
        return [sum(map(logistic, own)) / len(own) for own in odds.tolist()]
