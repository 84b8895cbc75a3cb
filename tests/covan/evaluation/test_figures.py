"""The figures of judged questions, and where they come from."""

from __future__ import annotations

import pytest
from labelled_replies import ANSWER, CLARIFY, NO_ANSWER, judged, labelled, reply

from covan.evaluation.breakdown import Outcome, Part, Turned, by_reason, by_source, by_topic, confusion
from covan.evaluation.figures import measures
from covan.evaluation.judged import Mistake
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, DecisionKind, Reason

RIGHT = judged(labelled(ANSWER, "a"), reply(ANSWER, answer_id="a", confidence=0.9))
WRONG = judged(labelled(ANSWER, "a"), reply(ANSWER, answer_id="b", confidence=0.1, source=DOCUMENT_SOURCE))
SILENT = judged(labelled(ANSWER, "a"), reply(NO_ANSWER, reasons=(Reason.SIMILARITY_LOW,)))
REFUSED = judged(labelled(NO_ANSWER, topic=""), reply(NO_ANSWER, reasons=(Reason.SIMILARITY_LOW,)))


def test_decisions() -> None:
    figures = measures([RIGHT, WRONG, SILENT, REFUSED])

    assert figures["accuracy"] == 0.5
    assert figures["answer.right"] == pytest.approx(1 / 3)
    assert figures["answer.answer"] == pytest.approx(2 / 3)
    assert figures["answer.no_answer"] == pytest.approx(1 / 3)
    assert figures["answer.clarify"] == 0
    assert figures["no_answer.right"] == 1
    assert figures["answered"] == 0.5
    assert figures["answered.right"] == 0.5
    assert figures["aurc"] == pytest.approx((0 + 1 / 2) / 2)
    assert "clarify.right" not in figures
    assert "P@1" not in figures


def test_rankings_are_measured_where_a_source_is_a_document() -> None:
    found = judged(labelled(ANSWER, "doc faq", id="1"), reply(NO_ANSWER), ranking=("doc", "other"))
    missed = judged(labelled(ANSWER, "doc", id="2"), reply(NO_ANSWER), ranking=("other", "doc"))
    curated = judged(labelled(ANSWER, "faq", id="3"), reply(NO_ANSWER))

    figures = measures([found, missed, curated], frozenset({"doc", "other"}))

    assert figures["P@1"] == 0.5
    assert figures["R@10"] == 1


def test_latency_is_told_in_milliseconds_and_in_units_of_one_embedding() -> None:
    items = [judged(labelled(NO_ANSWER), reply(NO_ANSWER, embed=0.02), seconds=0.03) for _ in range(20)]
    items.append(judged(labelled(NO_ANSWER), reply(NO_ANSWER, embed=0), seconds=0.0001))

    figures = measures(items)

    assert figures["latency_ms.p50"] == figures["latency_ms.p95"] == pytest.approx(30)
    assert figures["latency_ratio.p50"] == figures["latency_ratio.p95"] == pytest.approx(1.5)


def test_one_question_that_is_not_answered_has_figures_too() -> None:
    figures = measures([judged(labelled(NO_ANSWER), reply(NO_ANSWER, embed=0))])

    assert figures["accuracy"] == 1
    assert figures["answered"] == figures["answered.right"] == 0
    assert "aurc" not in figures


def test_no_questions_have_no_figures() -> None:
    assert measures([])["accuracy"] == 0


def test_by_topic() -> None:
    assert by_topic([RIGHT, WRONG, SILENT, REFUSED]) == {
        "-": Part(1, 1.0, 0.0, 0.0),
        "study": Part(3, pytest.approx(1 / 3), pytest.approx(2 / 3), pytest.approx(1 / 3)),
    }


def test_by_tier_counts_what_was_answered() -> None:
    assert by_source([RIGHT, WRONG, SILENT]) == {
        FAQ_SOURCE: Part(1, 1, 1, 0),
        DOCUMENT_SOURCE: Part(1, 0, 1, 1),
    }


def test_by_reason_counts_what_was_not() -> None:
    assert by_reason([RIGHT, WRONG, SILENT, REFUSED]) == {Reason.SIMILARITY_LOW: Turned(2, 1)}


def test_confusion_tells_right_answers_from_wrong_ones() -> None:
    counted = confusion([RIGHT, WRONG, SILENT, REFUSED])

    assert counted["answer"] == {
        Outcome.ANSWERED_RIGHT: 1,
        Outcome.ANSWERED_WRONG: 1,
        Outcome.CLARIFY: 0,
        Outcome.NO_ANSWER: 1,
    }
    assert counted["no_answer"][Outcome.NO_ANSWER] == 1


def test_only_a_wrong_answer_is_harmful() -> None:
    assert [item.harmful for item in (RIGHT, WRONG, SILENT, REFUSED)] == [False, True, False, False]


@pytest.mark.parametrize("expected", DecisionKind)
@pytest.mark.parametrize("got", DecisionKind)
def test_every_mistake_has_a_name_of_its_own(expected: DecisionKind, got: DecisionKind) -> None:
    sources = {ANSWER: "a", CLARIFY: "cohort", NO_ANSWER: ""}[expected]
    item = judged(labelled(expected, sources), reply(got, answer_id="b", missing=("program",)))

    if expected is got is NO_ANSWER:
        assert item.mistake is None
    else:
        assert isinstance(item.mistake, Mistake)
        assert item.harmful == item.mistake.startswith(("wrong", "answered"))
