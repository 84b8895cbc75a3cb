"""A ranking learns from lists: it ranks their answers first, and stays as near to the prior as they allow."""

from __future__ import annotations

import numpy as np
import pytest
from ranked_lists import PASSAGES, example, ranking_by

from covan.ranking.examples import Example
from covan.ranking.fit import Quality, better, fit, folds, quality
from rag.rerank.ranking_model import WEIGHED, Matrix, RankingModel

PRIOR = ranking_by(dense=0.1)


def weight(model: RankingModel, name: str) -> float:
    return model.weights[WEIGHED.index(name)]


def ranked(model: RankingModel, examples: list[Example]) -> Quality:
    return quality(examples, lambda example: model.scores(example.values))


def test_what_tells_the_answers_gets_the_weight() -> None:
    model = fit([example("bigrams", seed) for seed in range(300)], PRIOR)

    assert weight(model, "bigrams") == max(model.weights)
    unseen = [example("bigrams", seed) for seed in range(1000, 1200)]
    assert ranked(model, unseen).first > ranked(PRIOR, unseen).first + 0.1


def test_the_more_examples_the_farther_from_the_prior() -> None:
    few = fit([example("bigrams", seed) for seed in range(10)], PRIOR)
    many = fit([example("bigrams", seed) for seed in range(300)], PRIOR)

    assert 0 < weight(few, "bigrams") < weight(many, "bigrams")
    assert weight(few, "dense") == pytest.approx(weight(PRIOR, "dense"), abs=0.03)


def test_a_strong_prior_stays() -> None:
    model = fit([example("bigrams", seed) for seed in range(50)], PRIOR, strength=1e9)

    assert model.weights == pytest.approx(PRIOR.weights, abs=1e-5)


def test_an_entry_with_many_variants_teaches_no_more_than_one_with_few() -> None:
    once = [example("bigrams", seed) for seed in range(40)]
    repeated = [example for example in once for _ in range(5)]

    assert fit(repeated, PRIOR).weights == pytest.approx(fit(once, PRIOR).weights, abs=1e-4)


def test_the_best_scores_stay_as_high() -> None:
    examples = [example("bigrams", seed) for seed in range(300)]

    model = fit(examples, PRIOR)

    def best(model: RankingModel) -> float:
        return float(np.mean([model.scores(example.values).max() for example in examples]))

    assert best(model) == pytest.approx(best(PRIOR), abs=0.01)


def test_fitting_twice_is_the_same() -> None:
    examples = [example("window", seed) for seed in range(30)]

    assert fit(examples, PRIOR) == fit(examples, PRIOR)


def test_examples_without_an_answer_teach_nothing() -> None:
    taught = [example("bigrams", seed) for seed in range(20)]
    empty = [Example("e", some.values, np.zeros(PASSAGES, np.bool_)) for some in taught]

    assert fit([*taught, *empty], PRIOR) == fit(taught, PRIOR)
    with pytest.raises(ValueError, match="no example has an answer"):
        fit(empty, PRIOR)


def listed(group: str, *relevant: bool) -> Example:
    return Example(group, np.zeros((len(relevant), len(WEIGHED))), np.array(relevant, np.bool_))


def in_order(example: Example) -> Matrix:
    return -np.arange(len(example.relevant), dtype=np.float64)


def test_quality_is_a_mean_over_groups() -> None:
    found = quality(
        [listed("a", True, False), listed("a", False, True), listed("b", False, False, False, True)], in_order
    )

    assert found.by_group == {"a": 0.75, "b": 0.25}
    assert found.mrr == pytest.approx(0.5)
    assert found.first == pytest.approx(0.25)


def test_an_answer_beyond_the_tenth_place_is_none() -> None:
    assert quality([listed("a", *[False] * 9, True)], in_order).mrr == pytest.approx(0.1)
    assert quality([listed("a", *[False] * 10, True)], in_order).mrr == 0


def test_a_group_is_never_on_both_sides() -> None:
    examples = [example("bigrams", seed, group=f"g{seed % 7}") for seed in range(40)]

    tested = []
    for learn, test in folds(examples):
        assert not {e.group for e in learn} & {e.group for e in test}
        assert len(learn) + len(test) == len(examples)
        tested += test

    assert {id(e) for e in tested} == {id(e) for e in examples}
    assert len(tested) == len(examples)


def qualities(old: list[float], gains: list[float]) -> tuple[Quality, Quality]:
    before = {str(number): value for number, value in enumerate(old)}
    after = {str(number): value + gain for number, (value, gain) in enumerate(zip(old, gains, strict=True))}
    return (
        Quality(0.5, float(np.mean(list(after.values()))), after),
        Quality(0.5, float(np.mean(list(before.values()))), before),
    )


@pytest.mark.parametrize(
    ("gains", "is_better"),
    [
        ([0.1] * 10, True),
        ([0.0] * 10, False),
        ([-0.1] * 10, False),
        ([0.5, -0.4] * 5, False),  # a gain of 0.05 within the noise
        ([0.5, -0.1] * 5, True),
    ],
)
def test_better_is_more_than_chance(gains: list[float], is_better: bool) -> None:
    new, old = qualities([0.4] * 10, gains)

    assert better(new, old) is is_better


def test_fewer_right_first_passages_are_not_better() -> None:
    new, old = qualities([0.4] * 10, [0.1] * 10)

    assert not better(Quality(0.4, new.mrr, new.by_group), old)
