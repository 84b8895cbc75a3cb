"""Every preset answers with published text only, valid for this student today."""

from __future__ import annotations

from datetime import date

import pytest
from embedder_stand_in import EmbedderStandIn

from rag.answer.extract import LEFT_OUT
from rag.engine import Engine
from rag.index.format import Index
from rag.pipeline import PRESETS, load_pipeline
from rag.types import DecisionKind, Passage, Question, Reason
from school.dimensions import Profile

TODAY = date(2026, 11, 1)
QUESTIONS = (
    "Chuẩn ngoại ngữ để tốt nghiệp là gì?",
    "Nộp chứng chỉ ngoại ngữ trước đợt xét tốt nghiệp bao nhiêu ngày?",
    "Bị cảnh báo học vụ mấy lần liên tiếp thì bị buộc thôi học?",
    "Học phí một tín chỉ là bao nhiêu?",
    "Xin bảng điểm ở đâu?",
    "Hỗ trợ một nửa giá vé xe buýt tháng như thế nào?",
    "Thời tiết hôm nay thế nào?",
)
PROFILES = (Profile(), Profile({"cohort": "46"}), Profile({"cohort": "49", "program": "clc"}))


@pytest.fixture(scope="module", params=sorted(path.stem for path in PRESETS.glob("*.yml")))
def engine(request: pytest.FixtureRequest, index: Index, embedder: EmbedderStandIn) -> Engine:
    return Engine(index, load_pipeline(request.param), embedder, today=lambda: TODAY)


@pytest.fixture(scope="module")
def published(index: Index) -> set[str]:
    """Every line of every passage and of every answer."""
    texts = (*(passage.text for passage in index.passages), *(entry.answer for entry in index.faq))
    return {line for text in texts for line in text.splitlines()}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("?!", Reason.EMPTY_QUESTION),
        ("Học phí một tín chỉ ở Đại học Bách khoa Hà Nội là bao nhiêu?", Reason.FOREIGN_SCHOOL),
    ],
)
def test_what_is_no_question_for_this_school_has_no_answer(engine: Engine, text: str, reason: Reason) -> None:
    for reply in (engine.reply(Question(text)), engine.propose(Question(text))):
        assert (reply.decision.kind, reply.decision.reasons) == (DecisionKind.NO_ANSWER, (reason,))


@pytest.mark.parametrize("profile", PROFILES, ids=str)
@pytest.mark.parametrize("text", QUESTIONS)
def test_what_is_said_holds_for_this_student_today(engine: Engine, text: str, profile: Profile) -> None:
    reply = engine.propose(Question(text, profile=profile))

    for candidate in reply.trace.candidates:
        assert not candidate.item.applies_to.excludes(profile)
        if isinstance(candidate.item, Passage):
            assert candidate.item.document_id not in {"quy-che-2021", "khuyen-mai-2024", "bai-do-xe-2030"}
    if reply.decision.kind is DecisionKind.ANSWER:
        (said,) = (c.item for c in reply.trace.candidates if c.item.id == reply.answer_id)
        assert all(
            profile.get(dimension) is not None or not said.applies_to.values(dimension)
            for dimension in ("cohort", "program", "major")
        )
    elif reply.decision.kind is DecisionKind.NO_ANSWER:
        # All that there is on the topic is out of force, or none of what there is is like the question.
        if not reply.trace.candidates:
            assert reply.decision.reasons == (Reason.NOT_APPLICABLE,)
        else:
            assert {Reason.SIMILARITY_LOW, Reason.MARGIN_LOW} & set(reply.decision.reasons)
    else:
        assert reply.decision.reasons == (Reason.DEPENDS_ON_PROFILE,)
        assert profile.get(reply.decision.missing[0]) is None


@pytest.mark.parametrize("text", QUESTIONS)
def test_what_is_said_was_published_word_for_word(engine: Engine, published: set[str], text: str) -> None:
    for profile in PROFILES:
        reply = engine.propose(Question(text, profile=profile))
        said = (part.strip() for line in reply.text.splitlines() for part in line.split(LEFT_OUT))
        assert all(any(part in line for line in published) for part in said)


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_proposal_is_the_answer_when_there_is_one(engine: Engine, text: str) -> None:
    for profile in PROFILES:
        reply = engine.reply(Question(text, profile=profile))
        proposed = engine.propose(Question(text, profile=profile))
        if reply.decision.kind is DecisionKind.ANSWER:
            assert (proposed.decision, proposed.text, proposed.confidence) == (
                reply.decision,
                reply.text,
                reply.confidence,
            )


def test_the_trace_names_the_preset_and_its_notes(engine: Engine) -> None:
    trace = engine.reply(Question(QUESTIONS[0])).trace

    assert trace.notes[: len(load_pipeline(trace.preset).notes)] == load_pipeline(trace.preset).notes


def test_documents_are_ranked(engine: Engine) -> None:
    """Where only the FAQ is searched, the ranking has the documents that its entries cite."""
    ranking = engine.search("Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?", 3)

    assert "quy-che-2025" in ranking
    assert len(ranking) == len(set(ranking))
