"""Fitting the small networks that ship as `rag.decide.network.ProbabilityNetwork`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from rag.decide.network import HiddenLayer, ProbabilityNetwork
from rag.decide.probability import FARTHEST

DIGITS = 6
"""Decimal places of what is written."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NetworkRule:
    """How networks are fitted: hidden units, L2 penalty, passes over the examples, networks, and the steps' size."""

    hidden: int
    penalty: float
    passes: int
    members: int
    batch: int
    rate: float


def fit_network(
    names: Sequence[str],
    means: Array,
    scales: Array,
    values: Array,
    right: Sequence[bool],
    rule: NetworkRule,
    weights: Array | None = None,
) -> ProbabilityNetwork:
    """Return the networks of examples, each from a start of its own; deterministic.

    `values` has a row for each example, (examples, names); a missing one is NaN and counts as the mean. `means` and
    `scales` are those of the columns. `weights` are those of the examples, equal if unset.
    """
    standardised = np.clip(np.nan_to_num((values - means) / scales), -FARTHEST, FARTHEST)
    members = []
    for seed in range(rule.members):
        fitted = MLPClassifier(
            (rule.hidden,),
            alpha=rule.penalty,
            batch_size=rule.batch,
            learning_rate_init=rule.rate,
            max_iter=rule.passes,
            random_state=seed,
        )
        with warnings.catch_warnings():
            # The few passes are what keeps it from learning the examples by heart.
            warnings.simplefilter("ignore", ConvergenceWarning)
            fitted.fit(standardised, np.asarray(right), sample_weight=weights)
        members.append(
            HiddenLayer(
                weights=tuple(rounded(row) for row in fitted.coefs_[0].T),
                biases=rounded(fitted.intercepts_[0]),
                output=rounded(fitted.coefs_[1][:, 0]),
                bias=float(fitted.intercepts_[1][0]),
            )
        )
    return ProbabilityNetwork(
        names=tuple(names), means=rounded(means), scales=rounded(scales), members=tuple(members)
    )


def rounded(values: Array) -> tuple[float, ...]:
    """Return numbers as they are written."""
    return tuple(round(float(value), DIGITS) for value in values)
