"""Answers worded by a language model: only when a gate allows it, only what passages say, and never needed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from chat_model import Says, Script, ScriptedModel, Sent, scripted_model
from embedder_stand_in import EmbedderStandIn
from model_access import access_to
from reserved_ports import reserve_port
from worded_documents import ASKED, TODAY, documents_only, first_passage

from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.index.format import Index
from rag.language_model.exchange import ModelAccess
from rag.language_model.ledger import Budget
from rag.pipeline import GenerationRule, NearPassages, Pipeline, load_pipeline
from rag.types import DOCUMENT_SOURCE, MODEL_SOURCE, DecisionKind, Matter, Question, Reply
from school.dimensions import Profile

OUTSIDE = "Thời tiết hôm nay thế nào?"

Opens = Callable[..., Engine]


@pytest.fixture
def opens(index: Index, embedder: EmbedderStandIn) -> Opens:
    """Open the small school with a preset that answers from documents first, with or without a model."""

    def make(model: ModelAccess | None, pipeline: Pipeline | None = None) -> Engine:
        return Engine(index, pipeline or documents_only(), embedder, lambda: TODAY, Chosen(), model=model)

    return make


def quoting(body: Sent) -> Says:
    """Reply with the first sentence of the first passage, cited."""
    return Says(f"{first_passage(body).splitlines()[0].rstrip('.')} [1].")


@contextmanager
def worded(
    opens: Opens, folder: Path, script: Script | str, text: str = ASKED
) -> Iterator[tuple[Reply, ScriptedModel]]:
    with scripted_model(script) as server:
        yield opens(access_to(server, folder)).reply(Question(text)), server


def test_the_model_words_what_its_passage_says(opens: Opens, tmp_path: Path) -> None:
    with worded(opens, tmp_path, quoting) as (reply, server):
        pass

    extract = opens(None).reply(Question(ASKED))
    assert reply.decision.kind is DecisionKind.ANSWER
    assert reply.source == DOCUMENT_SOURCE
    assert reply.answer_id == extract.answer_id
    assert "[1]" in reply.text
    assert "máy viết lại" in reply.text
    assert reply.citations[0].quote == first_passage(server.sent[0])
    (call,) = reply.trace.model_calls
    assert (call.outcome, call.prompt_tokens, call.completion_tokens) == ("ok", 100, 20)
    assert call.latency_ms > 0
    assert len(server.sent) == 1


def test_passages_are_numbered_fenced_data(opens: Opens, tmp_path: Path) -> None:
    with worded(opens, tmp_path, quoting) as (_, server):
        pass

    system, user = (message["content"] for message in server.sent[0]["messages"])
    fences = set(re.findall(r"</?(\w{12})>", user))
    assert len(fences) == 1
    assert fences.pop() in system
    assert ASKED in user
    assert ASKED not in system


SUPPORT_FAULTS = {
    "an invented number": "Sinh viên bị cảnh báo học vụ 97 lần thì bị buộc thôi học [1].",
    "an invented office": "Bạn nộp đơn tại Phòng Hợp tác Vũ trụ của trường [1].",
    "no citation": "Sinh viên bị cảnh báo học vụ nhiều lần thì bị buộc thôi học.",
    "a passage that is not there": "Sinh viên bị cảnh báo học vụ thì bị buộc thôi học [9].",
    "another matter": "Căng tin bán phở bò rất ngon vào buổi sáng [1].",
    "nothing": "",
    "abstention": "KHÔNG CÓ",
    "abstention with words": "KHÔNG CÓ thông tin trong các đoạn trích.",
    "the prompt": "Bạn viết câu trả lời cho sinh viên, chỉ dựa vào các đoạn trích được đánh số [1].",
}


@pytest.mark.parametrize("said", SUPPORT_FAULTS.values(), ids=SUPPORT_FAULTS)
def test_what_is_not_supported_gives_way_to_the_extract(opens: Opens, tmp_path: Path, said: str) -> None:
    with worded(opens, tmp_path, said) as (reply, _):
        pass
    extract = opens(None).reply(Question(ASKED))

    assert (reply.text, reply.citations, reply.cards) == (extract.text, extract.citations, extract.cards)
    assert [call.outcome for call in reply.trace.model_calls] == ["ok"]


SERVER_FAULTS: dict[str, Says] = {
    "error": Says(status=500),
    "refusal": Says(status=401),
    "no json": Says(raw="<html>"),
    "unplugged in the middle": Says("Sinh viên bị", breaks=True),
    "too slow": Says("x" * 50, pause_s=0.2, pieces=50),
    "cut off": Says("Sinh viên bị cảnh báo", finish="length"),
}


@pytest.mark.parametrize("says", SERVER_FAULTS.values(), ids=SERVER_FAULTS)
def test_a_fault_of_the_server_gives_way_to_the_extract_in_time(
    opens: Opens, tmp_path: Path, says: Says
) -> None:
    start = time.monotonic()
    with scripted_model([says]) as server:
        reply = opens(access_to(server, tmp_path, timeout_s=1.0)).reply(Question(ASKED))
    extract = opens(None).reply(Question(ASKED))

    assert (reply.decision, reply.text, reply.citations) == (
        extract.decision,
        extract.text,
        extract.citations,
    )
    assert len(reply.trace.model_calls) == 1
    assert time.monotonic() - start < 20


def test_without_a_server_an_exhausted_budget_or_an_open_circuit_there_is_the_extract(
    opens: Opens, tmp_path: Path
) -> None:
    extract = opens(None).reply(Question(ASKED))
    gone = access_to(f"http://127.0.0.1:{reserve_port()}/v1", tmp_path / "gone")
    engine = opens(gone)
    replies = [engine.reply(Question(ASKED)) for _ in range(4)]
    with scripted_model(quoting) as server:
        poor = opens(access_to(server, tmp_path / "poor", Budget(tokens=10))).reply(Question(ASKED))

    assert {reply.text for reply in (*replies, poor)} == {extract.text}
    outcomes = [reply.trace.model_calls[0].outcome for reply in (*replies, poor)]
    assert outcomes == ["unreachable"] * 3 + ["circuit_open", "budget"]
    assert server.sent == []


def test_unsupported_sentences_are_dropped_and_the_rest_stays(opens: Opens, tmp_path: Path) -> None:
    def script(body: Sent) -> Says:
        good = first_passage(body).splitlines()[0].rstrip(".")
        return Says(f"{good} [1]. Phí phạt là 97.000 đồng [1].")

    with worded(opens, tmp_path, script) as (reply, _):
        pass

    assert "97.000" not in reply.text
    assert "máy viết lại" in reply.text
    assert any("1 supported, 1 not (value 1)" in note for note in reply.trace.notes)


def test_the_same_question_costs_once(opens: Opens, tmp_path: Path) -> None:
    with scripted_model(quoting) as server:
        replies = [opens(access_to(server, tmp_path)).reply(Question(ASKED)) for _ in range(2)]

    assert replies[0].text == replies[1].text
    assert [reply.trace.model_calls[0].cached for reply in replies] == [False, True]
    assert len(server.sent) == 1


def test_what_is_kept_has_no_words_of_the_student(opens: Opens, tmp_path: Path) -> None:
    """An abstention is kept by its word alone, a partly supported answer not at all."""
    for said in ("KHÔNG CÓ gì về chuyện riêng bí mật của bạn.", "Chuyện riêng bí mật của bạn rất hay [1]."):
        with scripted_model(said) as server:
            opens(access_to(server, tmp_path)).reply(Question(f"{ASKED} Chuyện riêng bí mật."))

    assert all("bí mật".encode() not in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_a_curated_answer_is_never_worded_anew(
    index: Index, embedder: EmbedderStandIn, tmp_path: Path
) -> None:
    entry = index.faq[0]
    pipeline = load_pipeline("urag").model_copy(update={"generation": GenerationRule()})
    with scripted_model(quoting) as server:
        engine = Engine(index, pipeline, embedder, lambda: TODAY, Chosen(), model=access_to(server, tmp_path))
        reply = engine.reply(Question(entry.question, profile=Profile({"cohort": "48", "program": "clc"})))

    assert reply.curated
    assert server.sent == []


@pytest.mark.parametrize("text", ["", "chào bạn", "Học phí ở Đại học Bách khoa Hà Nội là bao nhiêu?"])
def test_the_model_is_not_asked_what_is_no_question_for_this_school(
    opens: Opens, tmp_path: Path, text: str
) -> None:
    with worded(opens, tmp_path, quoting, text) as (reply, server):
        assert reply.decision.kind is DecisionKind.NO_ANSWER

    assert server.sent == []


def test_a_shut_gate_asks_the_model_only_when_several_passages_are_near(opens: Opens, tmp_path: Path) -> None:
    shut = documents_only(gate=0.999)
    near = documents_only(NearPassages(confidence=0.0, margin=1.0), gate=0.999)
    with scripted_model(quoting) as server:
        access = access_to(server, tmp_path)
        assert opens(access, shut).reply(Question(ASKED)).decision.kind is DecisionKind.NO_ANSWER
    assert server.sent == []
    assert near.generation is not None


def test_the_model_answers_alone_only_where_the_school_says_so(opens: Opens, tmp_path: Path) -> None:
    shut = documents_only(gate=0.999)
    with scripted_model("Bạn nên xem dự báo thời tiết trước khi đi.") as server:
        silent = opens(access_to(server, tmp_path), shut).reply(Question(OUTSIDE))
        alone = opens(access_to(server, tmp_path, fallback=True), shut).reply(Question(OUTSIDE))

    assert silent.decision.kind is DecisionKind.NO_ANSWER
    assert (alone.decision.kind, alone.source, alone.citations, alone.confidence) == (
        DecisionKind.ANSWER,
        MODEL_SOURCE,
        (),
        0.0,
    )
    assert "Trường chưa công bố điều này" in alone.text


@pytest.mark.parametrize(
    "said", ["Học phí là 5 triệu.", "Xem https://evil.example", "Viết cho a@evil.example", "KHÔNG CÓ"]
)
def test_the_fallback_gives_no_details(opens: Opens, tmp_path: Path, said: str) -> None:
    shut = documents_only(gate=0.999)
    with scripted_model(said) as server:
        reply = opens(access_to(server, tmp_path, fallback=True), shut).reply(Question(OUTSIDE))

    assert reply.decision.kind is DecisionKind.NO_ANSWER


def test_nothing_personal_is_sent(opens: Opens, tmp_path: Path) -> None:
    text = f"Em tên là Nguyễn Văn Bảo, MSSV B2112345, sđt 0912 345 678, bao@sv.edu.vn, khóa 48, {ASKED}"
    with scripted_model(quoting) as server:
        opens(access_to(server, tmp_path)).reply(Question(text, profile=Profile({"cohort": "48"})))

    (prompt,) = server.prompts
    question = prompt.rpartition("Câu hỏi")[2]
    for word in ("Bảo", "Nguyễn", "2112345", "0912", "345 678", "bao@", "48"):
        assert word not in question
    assert "[tên]" in question
    assert "cảnh báo học vụ" in question


def test_a_message_of_several_questions_makes_two_calls_at_most(
    index: Index, embedder: EmbedderStandIn, tmp_path: Path
) -> None:
    pipeline = documents_only().model_copy(update={"splits": True})
    text = f"{ASKED} Nộp chứng chỉ ngoại ngữ trước đợt xét tốt nghiệp bao nhiêu ngày? Cổng ký túc xá đóng lúc mấy giờ?"
    with scripted_model(quoting) as server:
        engine = Engine(index, pipeline, embedder, lambda: TODAY, Chosen(), model=access_to(server, tmp_path))
        reply = engine.reply(Question(text, profile=Profile({"cohort": "48", "program": "dt"})))

    assert len(reply.parts) == 3
    assert len(server.sent) <= 2


FOLLOW_UP = "còn cái đó thì mấy lần vậy"
BEFORE = Matter("Bị cảnh báo học vụ liên tiếp thì bị buộc thôi học phải không? Em khóa 48, mssv B2112345")


def followed_up(opens: Opens, folder: Path, rewritten: str) -> tuple[Reply, ScriptedModel]:
    """Ask a follow-up that finds nothing by itself, within its history."""

    def script(body: Sent) -> Says:
        return Says(rewritten) if "Các câu hỏi trước" in body["messages"][1]["content"] else quoting(body)

    with scripted_model(script) as server:
        engine = opens(access_to(server, folder), documents_only(gate=0.86))
        question = Question(FOLLOW_UP, profile=Profile({"cohort": "48"}), history=(BEFORE,))
        return engine.reply(question), server


def test_a_follow_up_that_finds_nothing_is_rewritten_with_the_students_own_words(
    opens: Opens, tmp_path: Path
) -> None:
    reply, server = followed_up(opens, tmp_path, "Bị cảnh báo học vụ mấy lần liên tiếp thì bị buộc thôi học?")

    assert [call.purpose for call in reply.trace.model_calls] == ["rewrite", "answer"]
    assert reply.decision.kind is DecisionKind.ANSWER
    assert not re.search(r"B2112345|\b48\b", server.prompts[0])


def test_a_rewriting_with_words_of_its_own_is_dropped(opens: Opens, tmp_path: Path) -> None:
    reply, server = followed_up(opens, tmp_path, "Học phí ngành dược là bao nhiêu?")

    assert len(server.sent) == 1
    assert reply.decision.kind is DecisionKind.NO_ANSWER
