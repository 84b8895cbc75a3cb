"""ChatCVHT: FAQ only; an answer when similarity, margin and topic all hold, else CLARIFY."""

from __future__ import annotations

import pytest
from dialled_school import Ask, Asker
from other_gates import with_gates

from rag.decide.gate import Thresholds
from rag.pipeline import Pipeline, load_pipeline
from rag.types import FAQ_SOURCE, DecisionKind, Reason


@pytest.fixture
def ask(asker: Asker) -> Ask:
    return asker(load_pipeline("chatcvht"))


def gate(pipeline: Pipeline) -> Thresholds:
    rule = pipeline.gate("faq")
    assert isinstance(rule, Thresholds)
    return rule


def nearer(similarity: float) -> Pipeline:
    """The preset with a lower similarity: two orthogonal texts cannot both be as near as it asks for."""
    pipeline = load_pipeline("chatcvht")
    return with_gates(pipeline, {"faq": gate(pipeline).model_copy(update={"similarity": similarity})})


@pytest.mark.parametrize(("above", "answered"), [(0.001, True), (0.00001, True), (-0.0001, False)])
def test_the_similarity_holds_from_its_threshold_on(ask: Ask, above: float, answered: bool) -> None:
    reply = ask({"hồ bơi": gate(load_pipeline("chatcvht")).similarity + above})

    assert (reply.decision.kind is DecisionKind.ANSWER) is answered
    if not answered:
        assert reply.decision.kind is DecisionKind.CLARIFY
        assert Reason.SIMILARITY_LOW in reply.decision.reasons


@pytest.mark.parametrize(("more", "answered"), [(0.0002, True), (-0.0002, False)])
def test_the_margin_holds_from_its_threshold_on(asker: Asker, more: float, answered: bool) -> None:
    pipeline = nearer(0.6)
    margin = gate(pipeline).margin

    reply = asker(pipeline)({"hồ bơi": 0.7, "thư viện": 0.7 - margin - more})

    assert (reply.decision.kind is DecisionKind.ANSWER) is answered
    if not answered:
        assert Reason.MARGIN_LOW in reply.decision.reasons
        assert {option.payload["faq"] for option in reply.options} == {"pool", "library"}


@pytest.mark.parametrize(("more", "answered"), [(0.0, True), (-0.001, False)])
def test_the_topic_holds_from_its_threshold_on(ask: Ask, more: float, answered: bool) -> None:
    likely = gate(load_pipeline("chatcvht")).topic + more

    reply = ask({"hồ bơi": 0.95}, topics={"life": likely, "study": 1 - likely})

    assert (reply.decision.kind is DecisionKind.ANSWER) is answered
    if not answered:
        assert Reason.TOPIC_MISMATCH in reply.decision.reasons


def test_no_similarity_is_so_high_that_the_others_do_not_count(ask: Ask) -> None:
    reply = ask({"hồ bơi": 1.0}, topics={"life": 0.0, "study": 1.0})

    assert reply.decision.kind is DecisionKind.CLARIFY


def test_the_topic_reranks(asker: Asker) -> None:
    ask = asker(nearer(0.6))
    near = {"hồ bơi": 0.7, "thư viện": 0.68}

    assert ask(near).answer_id == "pool"
    assert ask(near, topics={"study": 0.7, "life": 0.3}).answer_id == "library"


def test_documents_are_not_asked(ask: Ask) -> None:
    reply = ask({"hồ bơi": 0.5})

    assert {c.source for c in reply.trace.candidates} == {FAQ_SOURCE}


def test_without_an_entry_to_offer_it_asks_back_all_the_same(asker: Asker) -> None:
    reply = asker(load_pipeline("chatcvht"), faq="")({"hồ bơi": 0.95})

    assert reply.decision.kind is DecisionKind.CLARIFY
    assert reply.options == ()
