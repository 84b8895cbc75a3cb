"""A question about one year is not answered with what holds for another."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
import yaml

from rag.engine import Engine
from rag.ingest.build import build_index
from rag.retrieve.embedder import load_embedder
from rag.types import Deadline, DecisionKind, Matter, Question, Reply
from school.dimensions import Profile

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
SCORE = "Điểm chuẩn là bao nhiêu?"
FEE = "Lệ phí thi tiếng Anh đầu vào là bao nhiêu?"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """Return the engine over the small school with scores of two years and a fee of one, by programme."""
    folder = tmp_path_factory.mktemp("years")
    school = Path(shutil.copytree(SMALL_SCHOOL, folder / "school"))
    rules = [
        ("score-2025", f"{SCORE[:-1]} của năm 2025?", "Điểm chuẩn năm 2025 là 21,00.", {}),
        ("score-2026", SCORE, "Điểm chuẩn năm 2026, đại trà: 22,00.", {"programs": ["standard"]}),
        ("score-2026-clc", SCORE, "Điểm chuẩn năm 2026, chất lượng cao: 20,00.", {"programs": ["clc"]}),
        ("fee", FEE, "Năm học 2026–2027, lệ phí là 200.000 đồng.", {"cohorts": ["49-"]}),
        ("fee-old", FEE, "Năm học 2026–2027, lệ phí là 150.000 đồng.", {"cohorts": ["-48"]}),
        ("room", "Mỗi năm xin phòng học nhóm thế nào?", "Bạn nộp đơn trước 30/9 hằng năm.", {}),
    ]
    entries = [
        {"id": name, "question": question, "answer": answer, "topic": "study", "applies_to": to}
        for name, question, answer, to in rules
    ]
    (school / "faq" / "years.yml").write_text(yaml.safe_dump(entries, allow_unicode=True), encoding="utf-8")
    embedder = load_embedder()
    build_index(school, folder / "index", embedder)
    return Engine.open(folder / "index", embedder=embedder, today=lambda: date(2026, 11, 23))


Ask = Callable[..., Reply]


@pytest.fixture
def ask(engine: Engine) -> Ask:
    return lambda text, **known: engine.reply(Question(text, profile=Profile(known)))


@pytest.mark.parametrize(
    "text", ["điểm chuẩn 2027 là bao nhiêu", "lệ phí thi tiếng Anh đầu vào năm 2028 là bao nhiêu"]
)
def test_a_year_without_an_entry_has_no_answer_and_no_question_back(ask: Ask, text: str) -> None:
    assert ask(text).decision.kind is DecisionKind.NO_ANSWER


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("điểm chuẩn năm 2025 là bao nhiêu", "score-2025"),
        ("điểm chuẩn năm ngoái là bao nhiêu", "score-2025"),
        ("điểm chuẩn năm 2026 là bao nhiêu", "score-2026"),
        ("lệ phí thi tiếng Anh đầu vào năm 2027 là bao nhiêu", "fee"),
        ("năm sau xin phòng học nhóm thế nào", "room"),
    ],
)
def test_the_entry_of_the_year_answers(ask: Ask, text: str, entry: str) -> None:
    assert ask(text, program="standard", cohort="49").answer_id == entry


def test_a_follow_up_about_last_year_leaves_this_years_answer(engine: Engine) -> None:
    question = Question(
        "năm ngoái bao nhiêu",
        profile=Profile({"program": "standard"}),
        history=(Matter(SCORE, "score-2026"),),
    )

    assert engine.reply(question).answer_id == "score-2025"


def test_the_days_to_a_yearly_date_are_told_in_words_alone(ask: Ask) -> None:
    reply = ask("mỗi năm xin phòng học nhóm còn mấy ngày nữa là hết hạn")

    assert reply.answer_id == "room"
    assert reply.text.startswith("**Đã quá hạn**: hạn gần nhất là 29/09/2026.\n\nBạn nộp đơn trước 30/9")
    assert not any(isinstance(card, Deadline) for card in reply.cards)


@pytest.mark.parametrize("text", ["năm 2023", "thế năm 2023 thì sao ạ", "nam 2028?"])
def test_a_year_alone_without_an_entry_has_no_answer_and_no_choice(engine: Engine, text: str) -> None:
    question = Question(
        text, profile=Profile({"program": "standard"}), history=(Matter(SCORE, "score-2026"),)
    )

    reply = engine.reply(question)

    assert reply.decision.kind is DecisionKind.NO_ANSWER
    assert not reply.options
