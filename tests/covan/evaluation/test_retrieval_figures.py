"""Rankings are measured over all questions that have a relevant document, found or not."""

from __future__ import annotations

from math import log2

import pytest

from covan.evaluation.ranking import retrieval

RELEVANT = {"a": frozenset({"x"}), "b": frozenset({"y"}), "c": frozenset({"z"})}


def test_first_second_and_not_at_all() -> None:
    figures = retrieval(RELEVANT, {"a": ["x", "y"], "b": ["x", "y"], "c": ["x", "y"]})

    assert figures == {
        "nDCG@10": pytest.approx((1 + 1 / log2(3)) / 3),
        "P@1": pytest.approx(1 / 3),
        "R@10": pytest.approx(2 / 3),
        "RR@10": pytest.approx((1 + 1 / 2) / 3),
    }


def test_a_question_for_which_nothing_was_found_counts() -> None:
    assert retrieval(RELEVANT, {"a": ["x"], "b": []})["P@1"] == pytest.approx(1 / 3)


def test_the_eleventh_is_too_late() -> None:
    ranking = [str(number) for number in range(10)] + ["x"]

    assert retrieval({"a": frozenset({"x"})}, {"a": ranking})["R@10"] == 0


def test_no_relevant_documents_no_figures() -> None:
    assert retrieval({}, {"a": ["x"]}) == {}
