"""URASys: both sources side by side by reciprocal ranks; answer, ask back, refine, and give up after three tries."""

from __future__ import annotations

import pytest
from dialled_school import Asker
from embedder_stand_in import EmbedderStandIn
from other_gates import with_gates

from rag.engine import Engine
from rag.index.format import Index
from rag.pipeline import load_pipeline
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, DecisionKind, Question, Reason

TRANSCRIPT = "Xin bảng điểm ở đâu?"
REVIEW = "Lệ phí phúc khảo một bài thi là bao nhiêu?"


@pytest.fixture
def engine(index: Index, counting: EmbedderStandIn) -> Engine:
    return Engine(index, load_pipeline("urasys"), counting)


def test_what_is_sure_is_answered_at_the_first_try(engine: Engine, counting: EmbedderStandIn) -> None:
    reply = engine.reply(Question(TRANSCRIPT))

    assert (reply.decision.kind, reply.answer_id) == (DecisionKind.ANSWER, "study-transcript")
    assert len(counting.embedded_queries) == 1


@pytest.mark.parametrize(("text", "tier"), [(TRANSCRIPT, FAQ_SOURCE), (REVIEW, DOCUMENT_SOURCE)])
def test_the_surer_of_the_two_sources_answers(engine: Engine, text: str, tier: str) -> None:
    reply = engine.reply(Question(text))

    signals = reply.trace.signals
    assert reply.source == tier
    assert {c.source for c in reply.trace.candidates} == {FAQ_SOURCE, DOCUMENT_SOURCE}
    assert reply.confidence == max(signals["faq.similarity"], signals["document.similarity"])


def test_rankings_are_fused_by_reciprocal_ranks(engine: Engine) -> None:
    best = engine.reply(Question(TRANSCRIPT)).trace.candidates[0]

    # First by meaning and first by words.
    assert best.score == pytest.approx(2 / 61)


def test_it_gives_up_after_three_tries_each_in_other_words(engine: Engine, counting: EmbedderStandIn) -> None:
    reply = engine.reply(Question("KTX có bể sục nước nóng không ạ"))

    assert reply.decision.kind is DecisionKind.NO_ANSWER
    assert len(counting.embedded_queries) == len(set(counting.embedded_queries)) == 3
    assert sum(note.startswith("looked up again as") for note in reply.trace.notes) == 2


def test_the_tries_end_with_the_first_that_is_sure(index: Index, counting: EmbedderStandIn) -> None:
    text = "em mà cần xin bảng điểm thì phải làm như thế nào cho được vậy"
    preset = load_pipeline("urasys")
    strict = {
        source: preset.gate(source).model_copy(update={"similarity": 0.65}) for source in ("faq", "document")
    }
    thrice = with_gates(preset, strict)

    alone = Engine(index, thrice.model_copy(update={"tries": 1}), counting).reply(Question(text))
    counting.forget()
    refined = Engine(index, thrice, counting).reply(Question(text))

    assert alone.decision.kind is DecisionKind.NO_ANSWER
    assert refined.answer_id == "study-transcript"
    assert len(counting.embedded_queries) == 2


def test_a_broad_question_is_asked_back_about(asker: Asker) -> None:
    """Meaning ranks one entry first, words the other."""
    faq = (
        "- {id: pool, question: Hồ bơi bán vé lúc nào?, answer: Lúc 6 giờ., topic: life}\n"
        "- {id: library, question: Thư viện mở cửa lúc mấy giờ?, answer: Lúc 7 giờ., topic: study}\n"
    )
    pipeline = load_pipeline("urasys")
    gate = pipeline.gate("faq").model_copy(update={"similarity": 0.0})
    ask = asker(with_gates(pipeline, {"faq": gate}), documents={}, faq=faq)

    broad = ask({"hồ bơi": 0.7, "thư viện": 0.6}, "mở cửa lúc mấy giờ")
    plain = ask({"hồ bơi": 0.6, "thư viện": 0.7}, "mở cửa lúc mấy giờ")

    assert broad.decision.kind is DecisionKind.CLARIFY
    assert Reason.SEVERAL_READINGS in broad.decision.reasons
    assert {option.payload["faq"] for option in broad.options} == {"pool", "library"}
    assert plain.answer_id == "library"
