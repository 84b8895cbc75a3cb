"""A reply is right when a student would have been served, harmful when something wrong was said."""

from __future__ import annotations

import pytest

from covan.evaluation import Judged, by_topic, measures
from rag.types import Citation, Decision, DecisionKind, Dimension, Reply, Tier, Trace

ANSWER, CLARIFY, NO_ANSWER = DecisionKind.ANSWER, DecisionKind.CLARIFY, DecisionKind.NO_ANSWER


def judged(
    expected: DecisionKind,
    got: DecisionKind,
    sources: str = "",
    *,
    answer_id: str | None = None,
    cited: str | None = None,
    missing: tuple[Dimension, ...] = (),
    topic: str = "study",
    seconds: float = 0.02,
    embed: float = 0.01,
) -> Judged:
    citations = (Citation(cited, "", "", ""),) if cited else ()
    reply = Reply(
        decision=Decision(got, (), missing),
        tier=Tier.FAQ,
        text="",
        citations=citations,
        options=(),
        confidence=0.5,
        trace=Trace("", "covan", "1"),
        answer_id=answer_id,
    )
    return Judged("1", "Gì?", topic, expected, frozenset(sources.split()), reply, seconds, embed)


@pytest.mark.parametrize(
    ("item", "right", "harmful"),
    [
        (judged(ANSWER, ANSWER, "faq-1 doc", answer_id="faq-1"), True, False),
        (judged(ANSWER, ANSWER, "faq-1 doc", answer_id="x", cited="doc"), True, False),
        (judged(ANSWER, ANSWER, "faq-1 doc", answer_id="faq-2", cited="other"), False, True),
        (judged(ANSWER, NO_ANSWER, "faq-1"), False, False),
        (judged(ANSWER, CLARIFY, "faq-1"), False, False),
        (judged(NO_ANSWER, NO_ANSWER), True, False),
        (judged(NO_ANSWER, ANSWER, answer_id="faq-1"), False, True),
        (judged(CLARIFY, CLARIFY, "cohort", missing=("cohort",)), True, False),
        (judged(CLARIFY, CLARIFY, "cohort", missing=("program",)), False, False),
        (judged(CLARIFY, CLARIFY, "cohort program", missing=("program",)), True, False),
        (judged(CLARIFY, ANSWER, "cohort", answer_id="faq-1"), False, True),
    ],
)
def test_right_and_harmful(item: Judged, right: bool, harmful: bool) -> None:
    assert (item.right, item.harmful) == (right, harmful)


def test_figures() -> None:
    figures = measures(
        [
            judged(ANSWER, ANSWER, "a", answer_id="a"),
            judged(ANSWER, ANSWER, "a", answer_id="b"),
            judged(ANSWER, NO_ANSWER, "a"),
            judged(NO_ANSWER, NO_ANSWER),
        ]
    )

    assert figures["accuracy"] == 0.5
    assert figures["answer.right"] == pytest.approx(1 / 3)
    assert figures["no_answer.right"] == 1
    assert figures["answered"] == 0.5
    assert figures["answered.right"] == 0.5
    assert "clarify.right" not in figures


def test_latency_is_in_units_of_one_embedding() -> None:
    items = [judged(NO_ANSWER, NO_ANSWER, seconds=0.03, embed=0.02) for _ in range(20)]
    items.append(judged(NO_ANSWER, NO_ANSWER, seconds=0.0001, embed=0.0))

    figures = measures(items)

    assert figures["latency_ratio.p50"] == pytest.approx(1.5)
    assert figures["latency_ratio.p95"] == pytest.approx(1.5)


def test_one_question_that_is_not_answered_has_figures_too() -> None:
    figures = measures([judged(NO_ANSWER, NO_ANSWER, embed=0.0)])

    assert figures["accuracy"] == 1
    assert figures["answered"] == figures["answered.right"] == 0


def test_no_questions_have_no_figures() -> None:
    assert measures([])["accuracy"] == 0


def test_topics_with_their_shares() -> None:
    items = [
        judged(NO_ANSWER, NO_ANSWER),
        judged(NO_ANSWER, ANSWER),
        judged(NO_ANSWER, NO_ANSWER, topic=""),
        judged(NO_ANSWER, NO_ANSWER, topic="dormitory"),
    ]

    assert by_topic(items) == {"-": (1, 1.0), "dormitory": (1, 1.0), "study": (2, 0.5)}
