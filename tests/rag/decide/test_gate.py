"""The gate opens when similarity, margin and topic all hold, and says which do not."""

from __future__ import annotations

import numpy as np
import pytest

from rag.decide.gate import (
    Chosen,
    CosineRule,
    OpenRule,
    Signals,
    Thresholds,
    failures,
    faq_signals,
    gate_of,
    named,
    passage_signals,
)
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, Candidate, FaqEntry, Passage, Reason

LIMITS = Thresholds.model_construct(similarity=0.6, margin=0.05, topic=0.1, sure=0.9)


def entry(name: str, score: float, topic: str = "study") -> Candidate:
    return Candidate(FAQ_SOURCE, FaqEntry(name, f"{name}?", (), "Vậy.", topic), score)


def clause(
    name: str,
    score: float,
    cosine: float = 0.85,
    coverage: float = 0.5,
    parent: str = "Điều 1",
    topic: str | None = "study",
) -> Candidate:
    passage = Passage(name, "Vậy.", "a", "A", "Điều 1", topic=topic, parent=parent)
    return Candidate(DOCUMENT_SOURCE, passage, score, {"cosine": cosine, "coverage": coverage})


@pytest.mark.parametrize(
    ("signals", "failed"),
    [
        (Signals(0.6, 0.05, 0.1), ()),
        (Signals(0.59, 0.5, 1.0), (Reason.SIMILARITY_LOW,)),
        (Signals(0.59, 0.0, 0.0), (Reason.SIMILARITY_LOW,)),
        (Signals(0.7, 0.04, 1.0), (Reason.MARGIN_LOW,)),
        (Signals(0.7, 0.5, 0.09), (Reason.TOPIC_MISMATCH,)),
        (Signals(0.7, 0.0, 0.0), (Reason.MARGIN_LOW, Reason.TOPIC_MISMATCH)),
        (Signals(0.9, 0.0, 0.0), ()),
    ],
)
def test_conditions(signals: Signals, failed: tuple[Reason, ...]) -> None:
    assert failures(signals, LIMITS) == failed


def test_the_margin_is_to_the_first_that_would_say_something_else() -> None:
    signals = faq_signals(entry("a", 0.8), [entry("c", 0.7), entry("d", 0.1)], {})

    assert signals.similarity == 0.8
    assert signals.margin == pytest.approx(0.1)


def test_without_a_rival_the_margin_is_whole() -> None:
    assert faq_signals(entry("a", 0.8), [], {}).margin == 1


def test_a_rival_that_scores_higher_leaves_no_margin() -> None:
    assert faq_signals(entry("a", 0.7), [entry("b", 0.8)], {}).margin == 0


def test_a_rival_about_something_else_is_none() -> None:
    rivals = [entry("b", 0.79, topic="dormitory"), entry("c", 0.6)]

    def margin(topics: dict[str, float], rival_topic: float = 0.02) -> float:
        return faq_signals(entry("a", 0.8), rivals, topics, rival_topic).margin

    assert margin({"dormitory": 0.01, "study": 0.99}) == pytest.approx(0.2)
    assert margin({"dormitory": 0.1, "study": 0.9}) == pytest.approx(0.01)
    assert margin({}) == pytest.approx(0.01)
    assert margin({"dormitory": 0.01, "study": 0.99}, rival_topic=0.0) == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("scores", "topic"), [({}, 1.0), ({"study": 0.3, "tuition": 0.7}, 0.3), ({"tuition": 1.0}, 1.0)]
)
def test_the_topic_counts_when_the_classifier_knows_it(scores: dict[str, float], topic: float) -> None:
    assert faq_signals(entry("a", 0.8), [], scores).topic == topic
    assert passage_signals([clause("a", 0.8)], scores).topic == topic


def test_a_passage_without_a_topic_fits_any() -> None:
    assert passage_signals([clause("a", 0.8, topic=None)], {"tuition": 1.0}).topic == 1


def test_clauses_of_the_same_article_are_no_rivals() -> None:
    signals = passage_signals([clause("a", 0.8), clause("b", 0.79), clause("c", 0.5, parent="Điều 2")], {})

    assert signals.margin == pytest.approx(0.3)


def test_similarity_grows_with_cosine_and_with_coverage() -> None:
    def similarity(cosine: float, coverage: float) -> float:
        return passage_signals([clause("a", 0.8, cosine, coverage)], {}).similarity

    assert similarity(0.86, 0.5) > similarity(0.83, 0.5)
    assert similarity(0.86, 0.9) > similarity(0.86, 0.5)
    for cosine, coverage in ((-1.0, 0.0), (0.0, 0.0), (1.0, 1.0), (1.0, 0.0)):
        assert 0 <= similarity(cosine, coverage) <= 1


@pytest.mark.parametrize(
    ("cosine", "is_open"), [(0.9, True), (float(np.float32(0.9)), True), (0.8999, False)]
)
def test_a_cosine_counts_from_its_boundary_on(cosine: float, is_open: bool) -> None:
    verdict = gate_of(CosineRule(rule="cosine", at_least=0.9), FAQ_SOURCE, Chosen()).judge(
        Signals(0.0, 0.0, 0.0, cosine)
    )

    assert verdict.is_open is is_open
    assert verdict.failed == (() if is_open else (Reason.SIMILARITY_LOW,))
    assert verdict.confidence == cosine


def test_an_open_gate_lets_everything_through() -> None:
    assert gate_of(OpenRule(rule="open"), FAQ_SOURCE, Chosen()).judge(Signals(0.0, 0.0, 0.0)).is_open


def test_without_a_similarity_that_is_sure_all_conditions_always_count() -> None:
    rule = Thresholds(similarity=0.6, margin=0.05, topic=0.1)
    gate = gate_of(rule, DOCUMENT_SOURCE, Chosen())

    assert gate.judge(Signals(1.0, 0.0, 0.0)).failed == (Reason.MARGIN_LOW, Reason.TOPIC_MISMATCH)
    assert gate.thresholds == {"similarity": 0.6, "margin": 0.05, "topic": 0.1}


def test_signals_have_the_names_of_the_trace() -> None:
    best = clause("a", 0.8)
    names = named(DOCUMENT_SOURCE, passage_signals([best], {}), best)

    assert names["document.score"] == 0.8
    assert {"document.similarity", "document.margin", "document.topic", "document.coverage"} <= names.keys()
    assert not any("every" in name for name in names)
