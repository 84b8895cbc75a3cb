"""Small networks are fitted the same way each time, by the weights of their examples."""

from __future__ import annotations

import numpy as np

from covan.network_fit import NetworkRule, fit_network
from rag.decide.network import ProbabilityNetwork

RULE = NetworkRule(hidden=4, penalty=0.01, passes=60, members=2, batch=16, rate=0.01)
VALUES = np.array([[x, y] for x in (0.0, 1.0) for y in (0.0, 1.0)] * 10)
EITHER = [bool(x) is not bool(y) for x, y in VALUES]


def fitted(right: list[bool], weights: np.ndarray | None = None) -> ProbabilityNetwork:
    return fit_network(["x", "y"], VALUES.mean(0), VALUES.std(0), VALUES, right, RULE, weights)


def test_networks_learn_what_signals_mean_together() -> None:
    model = fitted(EITHER)

    assert len(model.members) == 2
    assert model.probability({"x": 1, "y": 0}) > 0.8
    assert model.probability({"x": 1, "y": 1}) < 0.2


def test_the_same_examples_give_the_same_networks() -> None:
    assert fitted(EITHER) == fitted(EITHER)


def test_an_example_counts_by_its_weight() -> None:
    right = [number % 2 == 0 for number in range(len(VALUES) // 2) for _ in range(2)]
    heavy = np.where(right, 9.0, 1.0)

    assert fitted(right, heavy).probability({}) > fitted(right).probability({}) + 0.1


def test_a_missing_value_counts_as_the_mean() -> None:
    values = VALUES.copy()
    values[0, 0] = np.nan
    model = fit_network(["x", "y"], VALUES.mean(0), VALUES.std(0), values, EITHER, RULE)

    assert 0 < model.probability({"x": float("nan"), "y": 0}) < 1
