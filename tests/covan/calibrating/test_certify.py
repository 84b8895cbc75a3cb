"""The test behind a threshold, against figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from covan.calibrating.certify import (
    allowed_errors,
    certify,
    certify_by_topic,
    first_count,
    least_risk,
    needed,
    topics_with_enough,
)

RISK, DELTA = 0.1, 0.1


def ranked(count: int, wrong: set[int]) -> tuple[np.ndarray, np.ndarray]:
    """`count` questions, the surest first; those at the places in `wrong` are answered wrongly."""
    return np.linspace(0.99, 0.5, count), np.array([place not in wrong for place in range(count)])


def test_how_many_may_be_wrong_is_the_exact_binomial_tail() -> None:
    allowed = allowed_errors(200, RISK, DELTA)

    for count in (1, 21, 22, 37, 38, 100, 200):
        most = int(allowed[count])
        assert binom.cdf(most + 1, count, RISK) > DELTA
        assert most == -1 or binom.cdf(most, count, RISK) <= DELTA
    assert allowed[0] == allowed[21] == -1
    assert allowed[22] == 0


@pytest.mark.parametrize(("risk", "delta", "least"), [(0.05, 0.1, 45), (0.1, 0.1, 22), (0.01, 0.05, 299)])
def test_the_least_number_of_right_answers_that_shows_anything(risk: float, delta: float, least: int) -> None:
    """(1 - risk) to the power of n must be at most delta."""
    assert needed(0, risk, delta) == least


def test_a_risk_that_no_number_of_questions_shows_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be shown"):
        needed(0, 1e-6, 0.1)


@pytest.mark.parametrize(("risk", "delta"), [(0, 0.1), (1, 0.1), (0.1, 0), (0.1, 1)])
def test_levels_that_make_no_sense_are_refused(risk: float, delta: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        certify(*ranked(30, set()), risk, delta)


def test_all_right_answers_everything() -> None:
    found = certify(*ranked(100, set()), RISK, DELTA)

    assert (found.threshold, found.answered, found.wrong) == (0, 100, 0)


def test_it_ends_at_the_first_threshold_that_fails_though_later_ones_would_pass() -> None:
    """A threshold behind a failed one is not tested: the confidence rests on that order."""
    wrong = set(range(95, 110))
    probabilities, right = ranked(400, wrong)
    found = certify(probabilities, right, RISK, DELTA)
    allowed = allowed_errors(400, RISK, DELTA)

    assert 95 < found.answered < 110
    assert found.threshold == probabilities[found.answered]
    assert found.wrong <= allowed[found.answered]
    assert len(wrong) <= allowed[400]


def test_too_few_questions_certify_nothing() -> None:
    found = certify(*ranked(21, set()), RISK, DELTA)

    assert found.threshold is None
    assert (found.proposed, found.answered) == (21, 0)


def test_no_questions_at_all() -> None:
    found = certify(np.zeros(0), np.zeros(0, np.bool_), RISK, DELTA)

    assert found.threshold is None
    assert found.least_risk == 1


def test_nothing_right_certifies_nothing() -> None:
    found = certify(*ranked(200, set(range(200))), RISK, DELTA)

    assert found.threshold is None
    assert found.least_risk == 1


def test_equal_probabilities_are_answered_together_or_not_at_all() -> None:
    probabilities = np.repeat([0.9, 0.6], [40, 60])
    right = np.arange(100) < 70

    found = certify(probabilities, right, RISK, DELTA)

    assert (found.threshold, found.answered) == (0.6, 40)


def test_an_answer_of_probability_0_is_never_given() -> None:
    found = certify(np.repeat([0.9, 0.0], [40, 10]), np.ones(50, np.bool_), RISK, DELTA)

    assert (found.threshold, found.answered) == (0, 40)


def test_the_order_of_the_questions_plays_no_part() -> None:
    probabilities, right = ranked(300, {20, 90, 170, 200, 201, 202, 290})
    shuffled = np.random.default_rng(2).permutation(300)

    assert certify(probabilities[shuffled], right[shuffled], RISK, DELTA) == certify(
        probabilities, right, RISK, DELTA
    )


def test_more_is_answered_when_more_may_be_wrong() -> None:
    random = np.random.default_rng(4)
    probabilities = random.random(500)
    right = random.random(500) < 0.6 + 0.4 * probabilities
    answered = [certify(probabilities, right, risk, DELTA).answered for risk in (0.02, 0.05, 0.1, 0.2, 0.4)]

    assert answered == sorted(answered)
    assert answered[-1] > answered[0]


def test_where_it_begins_knows_counts_only_and_leaves_room_for_mistakes() -> None:
    few, many, most = (first_count(count, RISK, DELTA) for count in (50, 300, 3000))

    assert few == needed(0, RISK, DELTA)
    assert many == needed(5, RISK, DELTA)
    assert most == 600


def test_what_the_questions_can_vouch_for_is_the_upper_bound() -> None:
    """With that risk or more, so few mistakes come in a share delta of all samples."""
    assert binom.cdf(4, 60, least_risk(60, 4, DELTA)) == pytest.approx(DELTA)


def test_topics_with_few_questions_share_a_threshold() -> None:
    topics = ["tuition"] * 200 + ["exams"] * 15 + [None] * 60
    probabilities, right = ranked(275, {5, 100})

    found = certify_by_topic(probabilities, right, topics, RISK, DELTA)

    assert set(found.topics) == {"tuition"}
    assert found.topics["tuition"].proposed == 200
    assert found.others.proposed == 75


def test_many_topics_each_need_more_questions() -> None:
    enough = 2 * needed(1, RISK, DELTA / 2)

    assert topics_with_enough(["a"] * enough, RISK, DELTA) == ("a",)
    assert topics_with_enough(["a"] * enough + ["b", "c", "d"], RISK, DELTA) == ()
