"""Networks of signals: what they compute, what they refuse, and who gets them."""

from __future__ import annotations

from math import exp
from typing import Any

import pytest
from pydantic import ValidationError

from rag.decide.context import ContextModels
from rag.decide.network import HiddenLayer, ProbabilityNetwork
from rag.decide.signal_table import SignalTable
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE

FIRST = HiddenLayer(weights=((1.0, -1.0), (-1.0, 0.0)), biases=(0.0, 0.5), output=(2.0, 1.0), bias=-1.0)
SECOND = HiddenLayer(weights=((0.0, 0.0),), biases=(0.0,), output=(1.0,), bias=0.0)


def network(**changed: Any) -> ProbabilityNetwork:
    given = {"names": ("alone.entry", "same"), "means": (1.0, 0.0), "scales": (0.5, 1.0), "members": (FIRST,)}
    return ProbabilityNetwork.model_validate({**given, **changed})


def test_hidden_units_see_signals_together() -> None:
    # (2, 1) standardised: the first unit has 2 - 1 = 1, the second -2 + 0.5, which is cut off at 0.
    assert network().probability({"alone.entry": 2.0, "same": 1.0}) == pytest.approx(
        1 / (1 + exp(-1.0)), abs=1e-6
    )


def test_a_missing_signal_counts_as_its_mean_and_a_far_one_as_four_deviations() -> None:
    of_means = network().probability({"alone.entry": 1.0, "same": 0.0})

    assert network().probability({}) == of_means
    assert network().probability({"alone.entry": float("nan")}) == of_means
    assert network().probability({"alone.entry": 9.0}) == network().probability({"alone.entry": 3.0})


def test_several_networks_give_their_mean() -> None:
    signals = {"alone.entry": 2.0, "same": 1.0}
    alone = network().probability(signals)

    assert network(members=(FIRST, SECOND)).probability(signals) == pytest.approx((alone + 0.5) / 2)


def test_many_sets_of_signals_have_the_probabilities_of_each() -> None:
    every = [{"alone.entry": 2.0, "same": 1.0}, {}, {"alone.entry": 0.5}]
    both = network(members=(FIRST, SECOND))

    table = SignalTable.of(every)
    assert both.probabilities(table) == [both.probability(signals) for signals in every]
    assert both.probabilities(table.of_some([1])) == [both.probability({})]
    assert both.probabilities(table.of_some([])) == both.probabilities(SignalTable.of([])) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"means": (1.0,)}, "names, means and scales must be of one length"),
        ({"scales": (0.5, 0.0)}, "every scale must be above 0"),
        ({"members": ()}, "there must be a network"),
        (
            {"members": (SECOND.model_copy(update={"weights": ((1.0,),)}),)},
            "a weight for every signal",
        ),
        ({"members": (SECOND.model_copy(update={"biases": (0.0, 1.0)}),)}, "the same hidden units"),
        ({"means": (float("nan"), 0.0)}, "finite number"),
    ],
)
def test_a_damaged_network_is_refused_with_what_is_wrong(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        network(**changed)


def test_a_small_faq_and_one_with_follow_ups_have_networks_of_their_own() -> None:
    small = network(means=(2.0, 0.0))
    taught = network(means=(3.0, 0.0))
    models = ContextModels(
        networks={FAQ_SOURCE: network(), DOCUMENT_SOURCE: network()},
        small_faq={FAQ_SOURCE: small},
        taught={FAQ_SOURCE: taught},
    )

    assert models.of_school(is_small=True, has_follow_ups=True) == {FAQ_SOURCE: small}
    assert models.of_school(is_small=False, has_follow_ups=False)[FAQ_SOURCE] == network()
    assert models.of_school(is_small=False, has_follow_ups=True) == {
        FAQ_SOURCE: taught,
        DOCUMENT_SOURCE: network(),
    }


def test_a_candidate_is_as_far_behind_as_the_best_is_ahead() -> None:
    assert SignalTable.of([{"score": 0.5, "entry": 1.0}, {"score": 0.75}]).beside_the_best().rows() == [
        {"score": 0.5, "entry": 1.0, "score.behind": -0.25, "entry.behind": 0.0},
        {"score": 0.75, "score.behind": 0.0},
    ]
