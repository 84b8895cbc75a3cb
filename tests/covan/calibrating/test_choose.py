"""Observations give thresholds, and the command line prints the choice."""

from __future__ import annotations

import pytest
from observations import observation, school

from covan.calibrating.choose import choose, repeated
from covan.calibrating.fit import fit_models, halves
from covan.calibrating.report import by_reason, topic_rows, worst_mistakes
from covan.calibrating.wording import summary
from rag.decide.probability import ProbabilityModels
from rag.types import DOCUMENT_SOURCE, Reason

NO_MODELS = ProbabilityModels()


def test_what_is_answered_is_what_is_above_the_threshold() -> None:
    choice = choose(school(600), NO_MODELS, 0.1, 0.1)

    assert choice.common.threshold is not None
    given = [item for item in choice.weighed if item.probability > choice.common.threshold]
    assert choice.answered == len(given) == choice.common.answered
    assert choice.wrong == sum(not item.observation.right for item in given) == choice.common.wrong
    assert choice.coverage == len(given) / 600
    assert choice.error < 0.1


def test_a_question_without_an_answer_is_not_answered_but_counts() -> None:
    refused = [
        observation(1000 + n, source=None, right=False, reasons=(Reason.FOREIGN_SCHOOL,)) for n in range(200)
    ]

    choice = choose([*school(600), *refused], NO_MODELS, 0.1, 0.1)
    alone = choose(school(600), NO_MODELS, 0.1, 0.1)

    assert choice.common == alone.common
    assert choice.coverage == pytest.approx(alone.coverage * 600 / 800)
    assert by_reason(choice)["foreign_school"] == 200


def test_probabilities_are_those_of_the_models() -> None:
    learnt_from, kept = halves(school(600))
    models = fit_models(learnt_from)

    choice = choose(kept, models, 0.1, 0.1, fitted_on=len(learnt_from))

    assert (choice.models, choice.fitted_on) == (models, len(learnt_from))
    for item in choice.weighed:
        assert item.probability == models.probability(DOCUMENT_SOURCE, item.observation.signals, 0.0)


def test_a_topic_has_its_own_threshold_where_there_is_enough() -> None:
    easy = [observation(n, topic="easy", confidence=n / 400, right=True) for n in range(1, 400)]
    hard = [observation(1000 + n, topic="hard", confidence=n / 400, right=n % 3 > 0) for n in range(1, 400)]

    choice = choose([*easy, *hard], NO_MODELS, 0.1, 0.1, by_topic=True)
    rows = {row.topic: row for row in topic_rows(choice)}

    assert rows["easy"].answered == 399
    assert rows["easy"].own
    assert rows["hard"].answered == 0
    assert rows["hard"].threshold is None
    text = " ".join(summary(choice))
    assert "in every topic" in text
    assert "Nothing is answered about hard" in text


def test_the_promise_is_said_plainly() -> None:
    choice = choose(school(600), NO_MODELS, 0.05, 0.1)

    first, second = summary(choice)

    assert first.startswith("Answers ")
    assert "of those at most 5 % wrong with 90 % confidence" in first
    assert f"({choice.wrong} of {choice.answered} answers, 600 questions)" in second


def test_too_few_questions_are_told_with_how_many_it_takes() -> None:
    text = " ".join(summary(choose(school(30), NO_MODELS, 0.05, 0.1)))

    assert "answers nothing on its own" in text
    assert "at least 45" in text
    assert "there are 30" in text


def test_a_risk_that_cannot_be_kept_is_told_with_the_least_that_can() -> None:
    answers = [observation(n, confidence=n / 300, right=n % 4 > 0) for n in range(1, 300)]

    choice = choose(answers, NO_MODELS, 0.05, 0.1)
    text = " ".join(summary(choice))

    assert choice.common.threshold is None
    assert 0.25 < choice.common.least_risk < 0.4
    assert "The least risk that these questions can vouch for is about" in text


def test_held_back_answers_count_under_the_signal_that_spoke_against_them() -> None:
    learnt_from, kept = halves(school(1200))

    choice = choose(kept, fit_models(learnt_from), 0.05, 0.1)
    reasons = by_reason(choice)

    assert reasons["confidence_low: document.likeness"] > 0
    assert sum(reasons.values()) == len(choice.weighed) - choice.answered


def test_the_worst_mistakes_are_the_surest_wrong_answers_the_given_ones_first() -> None:
    choice = choose(school(900), NO_MODELS, 0.1, 0.1)
    worst = worst_mistakes(choice)

    assert all(item.wrong for item in worst)
    assert [item.answered for item in worst] == sorted((item.answered for item in worst), reverse=True)
    assert sum(item.answered for item in worst) == min(choice.wrong, len(worst))
    probabilities = [item.probability for item in worst]
    assert probabilities == sorted(probabilities, reverse=True)


def test_questions_that_repeat_another_are_counted_diacritics_aside() -> None:
    asked = ["Học phí bao nhiêu?", "hoc phi bao nhieu", "Học phí đóng ở đâu?"]

    assert repeated([observation(n, question=text) for n, text in enumerate(asked)]) == 1
