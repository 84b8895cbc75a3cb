"""A calculator answers through the engine when the question gives it a value, and says nothing wrong when it fails."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from embedder_stand_in import EmbedderStandIn

from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.index.format import Index
from rag.pipeline import load_pipeline
from rag.types import CALCULATOR_SOURCE, DecisionKind, Question, Reason, Reply

ASKED = "Ở ký túc xá 5 tháng hết bao nhiêu tiền?"


def engine_of(index: Index, embedder: EmbedderStandIn) -> Engine:
    return Engine(index, load_pipeline("covan"), embedder, lambda: date(2026, 11, 1), Chosen())


@pytest.fixture
def engine(index: Index, embedder: EmbedderStandIn) -> Engine:
    return engine_of(index, embedder)


def ask(engine: Engine, text: str, **filled: float) -> Reply:
    return engine.reply(Question(text, filled=filled))


def test_the_result_stands_beside_the_clause(engine: Engine) -> None:
    reply = ask(engine, ASKED)

    assert (reply.decision.kind, reply.source) == (DecisionKind.ANSWER, CALCULATOR_SOURCE)
    assert reply.text == "5 tháng hết **1.750.000 đồng**."
    assert reply.values == {"months": 5.0}
    assert reply.answer_id == "dormitory-months?months=5"
    [citation] = reply.citations
    assert (citation.document_id, citation.locator) == ("noi-quy-ktx", "Điều 3, khoản 2")
    assert "bồi thường" in citation.quote


def test_a_wrong_value_is_asked_back_and_the_answer_to_it_counts(engine: Engine) -> None:
    asked_back = ask(engine, ASKED.replace("5", "15"))

    assert asked_back.decision.reasons == (Reason.VALUE_OUT_OF_RANGE,)
    assert asked_back.decision.needs is not None
    assert asked_back.decision.needs.wrong == "15"
    assert ask(engine, ASKED.replace("5", "15"), months=4.0).text == "4 tháng hết **1.400.000 đồng**."


def test_without_a_value_the_usual_answer_comes(engine: Engine) -> None:
    assert ask(engine, "Ở ký túc xá hết bao nhiêu tiền?").source != CALCULATOR_SOURCE


def test_values_of_earlier_questions_alone_ask_for_nothing(engine: Engine) -> None:
    reply = engine.reply(Question("Ở ký túc xá hết bao nhiêu tiền?", known={"months": 5.0}))

    assert reply.source != CALCULATOR_SOURCE


@pytest.mark.parametrize("facts", [{}, {"facts.dormitory.2026.room": "chưa có"}])
def test_a_calculator_that_fails_leaves_the_usual_answer(
    index: Index, embedder: EmbedderStandIn, facts: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    none = replace(index, calculators=(), calculator_texts=(), calculator_rows=(), calculator_vectors=None)
    without = engine_of(none, embedder)

    reply = ask(engine_of(replace(index, facts=facts), embedder), ASKED)

    assert (reply.decision, reply.text, reply.answer_id) == (
        (usual := ask(without, ASKED)).decision,
        usual.text,
        usual.answer_id,
    )
    assert "dormitory-months" in caplog.text


def test_a_pipeline_without_the_source_does_not_compute(index: Index, embedder: EmbedderStandIn) -> None:
    pipeline = load_pipeline("covan")
    without = pipeline.model_copy(
        update={"sources": tuple(rule for rule in pipeline.sources if rule.source != CALCULATOR_SOURCE)}
    )

    reply = ask(Engine(index, without, embedder, lambda: date(2026, 11, 1), Chosen()), ASKED)

    assert reply.source != CALCULATOR_SOURCE


@pytest.mark.parametrize("rest", ["giảm 30%", "2 kỳ", "18 tín"])
def test_a_value_that_is_left_over_shuts_the_calculator(engine: Engine, rest: str) -> None:
    """A result without it would answer another question."""
    assert ask(engine, ASKED.replace("5 tháng", f"5 tháng {rest}")).source != CALCULATOR_SOURCE


def test_a_single_one_names_a_unit(engine: Engine) -> None:
    text = "Một người ở ký túc xá 5 tháng, mỗi kỳ 1 người, hết bao nhiêu tiền?"

    assert [c.scores["left_over"] for c in engine.candidates(Question(text), CALCULATOR_SOURCE)] == [0.0]
