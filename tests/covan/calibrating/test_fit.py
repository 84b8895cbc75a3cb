"""A probability model learns from labelled answers, within its bounds."""

from __future__ import annotations

import numpy as np
import pytest
from observations import observation, school

from covan.calibrating.fit import fit_models, halves
from rag.errors import SettingsError
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE


def test_probabilities_tell_how_often_it_is_right() -> None:
    models = fit_models(school(2000))
    fresh = school(2000, seed=2)
    probabilities = np.array([models.probability(DOCUMENT_SOURCE, o.signals, 0.0) for o in fresh])
    right = np.array([o.right for o in fresh])

    for low, high in ((0.2, 0.5), (0.5, 0.8), (0.8, 1.0)):
        among = (probabilities > low) & (probabilities <= high)
        assert among.sum() > 50
        assert right[among].mean() == pytest.approx(probabilities[among].mean(), abs=0.08)


def test_what_says_nothing_weighs_nearly_nothing() -> None:
    model = fit_models(school(2000)).by_source[DOCUMENT_SOURCE]
    weights = dict(zip(model.names, model.weights, strict=True))

    assert weights["document.likeness"] > 10 * abs(weights.get("document.margin", 0.0))


def test_the_same_answers_give_the_same_model_in_any_order() -> None:
    answers = school(300)

    once, again = fit_models(answers), fit_models(answers[::-1])

    assert once.by_source[DOCUMENT_SOURCE].weights == pytest.approx(
        again.by_source[DOCUMENT_SOURCE].weights, abs=1e-4
    )


def test_more_similarity_never_speaks_against_an_answer() -> None:
    """In a small sample it may look as if it did."""
    answers = [
        observation(
            number,
            right=number % 3 > 0,
            signals={"document.likeness": float(number % 3 == 0) + number / 999},
        )
        for number in range(90)
    ]

    model = fit_models(answers).by_source[DOCUMENT_SOURCE]

    assert model.names == ()
    assert model.probability({"document.likeness": 0.9}) == pytest.approx(2 / 3, abs=1e-6)


def test_a_signal_of_another_tier_may_speak_against_it() -> None:
    """A nearer FAQ entry makes the passage less likely to be the answer."""
    answers = [
        observation(
            number, right=number % 3 > 0, signals={"faq.similarity": float(number % 3 == 0) + number / 999}
        )
        for number in range(90)
    ]

    model = fit_models(answers).by_source[DOCUMENT_SOURCE]

    assert model.weights[0] < 0


def test_signals_that_most_answers_lack_or_all_share_are_left_out() -> None:
    answers = [
        observation(
            number,
            right=o.right,
            signals=o.signals
            | {"document.run": 1.0}
            | ({"faq.similarity": number / 9} if number < 20 else {}),
        )
        for number, o in enumerate(school(200))
    ]

    assert set(fit_models(answers).by_source[DOCUMENT_SOURCE].names) <= {
        "document.likeness",
        "document.margin",
    }


def test_a_tier_with_few_answers_gets_no_model() -> None:
    answers = [*school(200), *(observation(1000 + n, source=FAQ_SOURCE, right=n % 2 == 0) for n in range(20))]

    assert set(fit_models(answers).by_source) == {DOCUMENT_SOURCE}


@pytest.mark.parametrize("right", [True, False])
def test_answers_that_are_all_right_or_all_wrong_teach_nothing(*, right: bool) -> None:
    with pytest.raises(SettingsError, match=r"too few answers.*document"):
        fit_models([observation(number, right=right) for number in range(100)])


def test_halves_do_not_depend_on_the_order_nor_on_what_is_added() -> None:
    answers = school(200)
    fit, certify = halves(answers)

    assert not {o.id for o in fit} & {o.id for o in certify}
    assert 70 < len(fit) < 130
    assert {o.id for o in halves(answers[::-1])[0]} == {o.id for o in fit}
    assert {o.id for o in fit} <= {o.id for o in halves(school(400))[0]}


@pytest.mark.parametrize("has_classifier", [True, False])
def test_only_where_the_faq_is_small_a_passage_that_fits_better_tells_against_an_entry(
    *, has_classifier: bool
) -> None:
    classified = {"faq.entry": 0.5} if has_classifier else {}
    answers = [
        observation(
            number,
            source=FAQ_SOURCE,
            right=number % 3 > 0,
            signals={"document.score": float(number % 3 == 0) + number / 999, **classified},
        )
        for number in range(90)
    ]

    model = fit_models(answers).by_source[FAQ_SOURCE]

    assert model.names == (() if has_classifier else ("document.score",))
    assert all(weight < 0 for weight in model.weights)
