"""Study materials among the other sources: reading lists, chapters and exercises, word for word."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn
from study_school import study_school

from rag.answer_sources.source import documents_of
from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.index.versions import current_version
from rag.ingest.build import build_index
from rag.ingest.load import load_knowledge
from rag.types import STUDY_SOURCE, DecisionKind, Matter, Question, Reply

Ask = Callable[..., Reply]
TODAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("study")
    build_index(study_school(root / "school"), root / "index", EmbedderStandIn())
    return root / "index"


def asking(folder: Path, today: date = TODAY) -> Ask:
    engine = Engine.open(folder, "covan", EmbedderStandIn(), Chosen(), lambda: today)

    def ask(text: str, *before: Reply) -> Reply:
        matters = tuple(Matter(reply.resolved or reply.question, reply.answer_id) for reply in before)
        return engine.reply(Question(text, history=matters))

    return ask


@pytest.fixture(scope="module")
def ask(folder: Path) -> Ask:
    return asking(folder)


def test_a_reading_list_has_the_books_of_the_graph_and_the_list_of_the_material(ask: Ask) -> None:
    reply = ask("đọc sách gì cho môn nhập môn lập trình")

    assert (reply.decision.kind, reply.source, reply.curated) == (DecisionKind.ANSWER, STUDY_SOURCE, False)
    assert "Lê Văn Khánh; năm 2022" in reply.text
    assert "Biến, Vòng lặp" in reply.text
    assert "- Lê Văn Khánh, Giáo trình Nhập môn lập trình: đọc hai chương đầu." in reply.text
    assert [citation.locator for citation in reply.citations][-1] == "Tài liệu đọc"
    assert reply.citations[-1].quote in reply.text


def test_a_course_without_a_material_has_the_books_of_the_graph(ask: Ask) -> None:
    reply = ask("giáo trình môn kỹ thuật lập trình")

    assert reply.source == STUDY_SOURCE
    assert "Lê Văn Khánh" in reply.text
    assert "Tài liệu" not in reply.text


def test_without_a_model_a_chapter_is_told_by_its_headings_and_its_opening(ask: Ask) -> None:
    reply = ask("tóm tắt chương 1 môn nmlt")

    assert reply.source == STUDY_SOURCE
    assert "Chưa có bản tóm tắt **Chương 1. Biến**" in reply.text
    assert "- 1.1. Khai báo\n- 1.2. Phép gán" in reply.text
    assert "> Biến là một ô nhớ có tên." in reply.text
    assert "Bài tập" not in reply.text
    (citation,) = reply.citations
    assert (citation.document_id, citation.locator) == ("tai-lieu", "Chương 1. Biến, 1.1. Khai báo")


@pytest.mark.parametrize(
    "text",
    [
        "cho em vài bài tập chương 1 môn nmlt",
        "bai tap ve bien mon nhap mon lap trinh",
        "exercises ch 1 CT101",
    ],
)
def test_exercises_are_those_of_the_material(ask: Ask, text: str) -> None:
    reply = ask(text)

    assert reply.source == STUDY_SOURCE
    assert "Bài 1.1. Khai báo một biến giữ tuổi của một người." in reply.text
    assert "Bài 1.2. Hoán đổi giá trị của hai biến." in reply.text
    assert "Bài 2.1" not in reply.text
    assert "máy viết" not in reply.text


def test_without_a_chapter_the_exercises_of_all_are_told(ask: Ask) -> None:
    text = ask("bài tập môn nhập môn lập trình").text

    assert (
        text.index("Chương 1. Biến")
        < text.index("Bài 1.2")
        < text.index("Chương 2. Vòng lặp")
        < text.index("Bài 2.1")
    )


def test_a_chapter_without_exercises_is_said_to_have_none(ask: Ask) -> None:
    assert "không có bài tập cho Chương III. Hàm" in ask("bài tập chương 3 môn nmlt").text.replace("**", "")


@pytest.mark.parametrize("text", ["tóm tắt môn nmlt", "tóm tắt chương 7 môn nmlt"])
def test_a_chapter_that_is_not_there_or_not_named_is_asked_for(ask: Ask, text: str) -> None:
    reply = ask(text)

    assert "- Chương 1. Biến\n- Chương 2. Vòng lặp\n- Chương III. Hàm" in reply.text
    assert ("không có chương 7" in reply.text) is ("7" in text)


def test_a_conversation_goes_on_with_chapter_course_and_kind(ask: Ask) -> None:
    first = ask("cho em bài tập chương 1")
    assert "Nhập môn lập trình (CT101)" in first.text
    second = ask("môn nhập môn lập trình ạ", first)
    assert second.answer_id == "study:exercises:CT101:1"
    third = ask("còn chương 2?", second, first)
    assert (third.answer_id, third.resolved) == (
        "study:exercises:CT101:2",
        "bài tập chương 2 môn Nhập môn lập trình",
    )
    fourth = ask("tóm tắt chương này giúp em", third, second, first)
    assert fourth.answer_id == "study:summary:CT101:2"
    fifth = ask("ai dạy", fourth, third)
    assert fifth.source == "graph"
    assert "Lê Văn Khánh" in fifth.text


@pytest.mark.parametrize(
    "text",
    [
        "nộp bài tập môn nmlt muộn có bị trừ điểm không",
        "mượn giáo trình nhập môn lập trình ở thư viện được không",
        "tóm tắt chương 2 quy chế đào tạo",
        "bài tập chương 1 môn hệ điều hành",
        "sách gì hay",
        "làm bài tập về nhà giúp mình",
        "môn nmlt mấy tín chỉ",
    ],
)
def test_other_questions_are_left_to_the_other_sources(ask: Ask, text: str) -> None:
    assert ask(text).source != STUDY_SOURCE


def test_a_material_is_no_passage_of_the_documents(folder: Path) -> None:
    engine = Engine.open(folder, "covan", EmbedderStandIn(), Chosen(), lambda: TODAY)
    found = engine.candidates(
        Question("Biến là một ô nhớ có tên, phải khai báo biến trước khi dùng?"), "document"
    )

    assert found
    assert {documents_of(candidate)[0] for candidate in found}.isdisjoint({"tai-lieu"})


def test_a_material_that_is_not_in_force_yet_is_not_told(folder: Path) -> None:
    reply = asking(folder, date(2026, 8, 1))("bài tập chương 1 môn nmlt")

    assert reply.source != STUDY_SOURCE


def test_without_a_graph_the_other_sources_answer(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "index"
    shutil.copytree(folder, out)
    shutil.rmtree(out / "versions" / str(current_version(out)) / "graph")

    assert asking(out)("bài tập chương 1 môn nmlt").source != STUDY_SOURCE


def test_a_material_of_an_unknown_course_is_reported(tmp_path: Path) -> None:
    school = study_school(tmp_path / "school")
    file = school / "documents" / "tai-lieu.md"
    file.write_text(file.read_text(encoding="utf-8").replace("ct101", "CT109"), encoding="utf-8")

    found = [
        problem for problem in load_knowledge(school).warnings if problem.file == "documents/tai-lieu.md"
    ]

    assert [problem.line for problem in found] == [3]
    assert "CT109" in str(found[0])
