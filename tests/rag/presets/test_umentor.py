"""UMentor: passages first; the graph, and so anything else, only when they do not suffice."""

from __future__ import annotations

import pytest
from embedder_stand_in import EmbedderStandIn
from other_gates import with_gates

from rag.engine import Engine
from rag.index.format import Index
from rag.pipeline import load_pipeline
from rag.types import DOCUMENT_SOURCE, DecisionKind, Question

REVIEW = "Lệ phí phúc khảo một bài thi là bao nhiêu?"


@pytest.fixture
def engine(index: Index, embedder: EmbedderStandIn) -> Engine:
    return Engine(index, load_pipeline("umentor"), embedder)


def test_passages_are_the_only_tool_so_far(engine: Engine) -> None:
    """There is an FAQ entry for it, too."""
    reply = engine.reply(Question("Mỗi học kỳ chính sinh viên đăng ký tối đa bao nhiêu tín chỉ?"))

    assert (reply.decision.kind, reply.source) == (DecisionKind.ANSWER, DOCUMENT_SOURCE)
    assert {c.source for c in reply.trace.candidates} == {DOCUMENT_SOURCE}
    assert any("no graph" in note for note in reply.trace.notes)


def test_passages_are_found_by_meaning_and_by_words(engine: Engine) -> None:
    best = engine.reply(Question(REVIEW)).trace.candidates[0]

    assert best.score == pytest.approx(2 / 61)


@pytest.mark.parametrize(("similarity", "kind"), [(0.4, DecisionKind.ANSWER), (1.0, DecisionKind.NO_ANSWER)])
def test_it_answers_when_the_passages_suffice(
    index: Index, embedder: EmbedderStandIn, similarity: float, kind: DecisionKind
) -> None:
    pipeline = load_pipeline("umentor")
    gate = pipeline.gate("document").model_copy(update={"similarity": similarity})
    engine = Engine(index, with_gates(pipeline, {"document": gate}), embedder)

    assert engine.reply(Question(REVIEW)).decision.kind is kind
