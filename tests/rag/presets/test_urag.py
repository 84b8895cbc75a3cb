"""URAG: an FAQ tier at cosine 0.9, then documents at 0.8, then the fallback."""

from __future__ import annotations

import pytest
from dialled_school import Ask, Asker

from rag.pipeline import load_pipeline
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, NO_SOURCE, Decision, DecisionKind, Reason


@pytest.fixture
def ask(asker: Asker) -> Ask:
    return asker(load_pipeline("urag"))


@pytest.mark.parametrize(
    ("cosine", "tier"),
    [
        (0.95, FAQ_SOURCE),
        (0.9, FAQ_SOURCE),
        (0.8999, DOCUMENT_SOURCE),
        (0.8, DOCUMENT_SOURCE),
        (0.7999, NO_SOURCE),
        (0.0, NO_SOURCE),
    ],
)
def test_the_tiers_are_asked_in_order_each_from_its_boundary_on(ask: Ask, cosine: float, tier: str) -> None:
    """The entry and the clauses on the pool are equally near."""
    reply = ask({"hồ bơi": cosine})

    assert reply.source == tier
    if tier == NO_SOURCE:
        assert reply.decision == Decision(DecisionKind.NO_ANSWER, (Reason.SIMILARITY_LOW,))
    else:
        assert reply.decision.kind is DecisionKind.ANSWER
        assert reply.confidence == pytest.approx(cosine)


def test_neither_margin_nor_topic_counts(ask: Ask) -> None:
    reply = ask({"hồ bơi": 0.9}, topics={"study": 1.0})

    assert reply.answer_id == "pool"


def test_the_extract_is_made_of_the_first_two_passages(ask: Ask) -> None:
    """Eight clauses of one article are equally near."""
    reply = ask({"hồ bơi": 0.85})

    assert len(reply.citations) == 2
    assert sum(c.source == DOCUMENT_SOURCE for c in reply.trace.candidates) == 2


def test_twenty_entries_are_retrieved() -> None:
    faq, document = load_pipeline("urag").sources

    assert (faq.source, faq.candidates) == ("faq", 20)
    assert (document.source, document.candidates) == ("document", 2)


def test_the_trace_says_what_stands_for_the_language_model(ask: Ask) -> None:
    assert any("language model" in note for note in ask({"hồ bơi": 0.9}).trace.notes)
