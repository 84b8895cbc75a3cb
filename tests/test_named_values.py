"""Questions that name a value of a dimension, or none although the answer depends on one."""

from __future__ import annotations

from datetime import date

import pytest
from sample_school import sample_index

from rag.engine import Engine
from rag.types import DecisionKind, Matter, Question
from school.dimensions import Profile

OLD_STANDARD = Profile({"cohort": "49", "program": "standard"})


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.open(sample_index(), today=lambda: date(2026, 11, 23))


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("điểm chuẩn marketing", "admissions-024"),
        ("diem chuan nganh marketing", "admissions-024"),
        ("điểm chuẩn ngành công nghệ thông tin", "admissions-022"),
        ("học phí ngành luật", "tuition-001"),
    ],
)
def test_a_mere_name_with_a_value_is_answered_by_the_entry_for_that_value(
    engine: Engine, text: str, entry: str
) -> None:
    assert engine.reply(Question(text)).answer_id == entry


@pytest.mark.parametrize("text", ["điểm chuẩn", "học phí", "học phí cntt", "học bổng k50"])
def test_a_name_without_the_value_that_its_answer_needs_is_a_choice(engine: Engine, text: str) -> None:
    assert engine.reply(Question(text)).decision.kind is DecisionKind.CLARIFY


def test_a_calculator_goes_before_the_entry_for_the_value_named(engine: Engine) -> None:
    reply = engine.reply(Question("18 tín ngành luật bao nhiêu tiền"))

    assert reply.answer_id == "tuition-for-credits?credits=18"


def test_where_nearly_all_majors_have_one_answer_it_comes_with_the_exceptions(engine: Engine) -> None:
    reply = engine.reply(Question("chuẩn tiếng anh là bao nhiêu toeic", profile=OLD_STANDARD))

    assert [(part.question, part.answer_id) for part in reply.parts] == [
        ("Mọi ngành không nêu riêng bên dưới", "language-011"),
        ("Ngôn ngữ Anh", "language-052"),
        ("Ngôn ngữ Trung Quốc", "language-053"),
    ]


def test_who_writes_english_reads_it_in_english(engine: Engine) -> None:
    text = "What English score do I need to graduate? I'm cohort 49 standard programme"
    names = [part.question for part in engine.reply(Question(text)).parts]

    assert names[0] == "Every major not named below"
    assert "English Language" in names


def test_where_majors_differ_the_major_is_asked_for(engine: Engine) -> None:
    reply = engine.reply(Question("học tối đa được mấy năm", profile=OLD_STANDARD))

    assert reply.decision.missing == ("major",)


def after(answer_id: str, text: str) -> Question:
    """Return the question `text` behind an answer of another matter."""
    return Question(text, history=(Matter("Điểm chuẩn năm 2026 của ngành mình là bao nhiêu?", answer_id),))


def test_a_question_of_another_topic_stands_alone_though_it_is_short(engine: Engine) -> None:
    assert engine.reply(after("admissions-024", "học phí ngành luật bao nhiêu")).answer_id == "tuition-001"
    assert engine.reply(after("admissions-024", "học phí bao nhiêu")).decision.missing == ("major",)


def test_a_value_without_a_matter_goes_on_with_the_matter_before(engine: Engine) -> None:
    history = (Matter("Thực tập tốt nghiệp kéo dài bao nhiêu tuần?", "internship-001"),)
    reply = engine.reply(Question("mấy tín chỉ", profile=Profile({"cohort": "48"}), history=history))

    assert reply.answer_id == "internship-001"


def test_how_long_names_no_matter(engine: Engine) -> None:
    history = (Matter("Em muốn bảo lưu vì lý do cá nhân thì cần điều kiện gì?", "transfer-030"),)
    reply = engine.reply(Question("tối đa được mấy năm", profile=Profile({"cohort": "50"}), history=history))

    assert reply.answer_id == "transfer-032"


@pytest.mark.parametrize(
    ("typed", "asked", "values"),
    [
        ("hoc phi nganh it bao nhieu", "học phí bao nhiêu", {"major": "cntt"}),
        (
            "hoc phi nganh duoc 1 tin chi bao nhieu vay ad",
            "học phí 1 tín chỉ bao nhiêu vậy ad",
            {"major": "duoc"},
        ),
        ("duoc hoc 1 tc gia bn z", "1 tín chỉ giá bao nhiêu vậy", {"major": "duoc"}),
        ("chuyen sang nganh duoc can diem bao nhieu", "chuyển sang ngành khác cần điểm bao nhiêu", {}),
        ("hoc phi 1 ky thu y", "học phí 1 kỳ", {"major": "thuy"}),
        ("duoc hoc toi da bao nhieu nam", None, {}),
        ("em co duoc hoc vuot khong", "em có được học vượt không", {}),
        ("luật mấy tín chỉ", None, {"major": "luat"}),
        ("luật thi cử thế nào", None, {}),
        ("hk nay co khi nao duoc nghi khong", None, {}),
    ],
)
def test_names_without_their_diacritics(
    engine: Engine, typed: str, asked: str | None, values: dict[str, str]
) -> None:
    reading = engine.reader.prepared(typed)

    assert reading.values(["cohort", "major", "program"]) == values
    assert asked is None or reading.asked == asked


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("chau toi hoc o thu vien toi khuya duoc khong", "con phụ huynh học ở thư viện tới khuya được không"),
        (
            "em drop out giua ky thi tuition co refund khong",
            "em xin thôi học giữa kỳ thì học phí có hoàn tiền không",
        ),
    ],
)
def test_words_that_are_put_into_a_message_leave_the_others_to_be_restored(
    engine: Engine, typed: str, asked: str
) -> None:
    assert engine.reader.prepared(typed).asked == asked


def test_a_mere_year_that_the_last_answer_tells_of_is_answered_by_it(engine: Engine) -> None:
    quota = engine.reply(Question("chỉ tiêu năm nay bao nhiêu"))
    history = (Matter(quota.resolved or "", quota.answer_id),)

    assert engine.reply(Question("nam ngoai", history=history)).answer_id == quota.answer_id
    assert engine.reply(Question("năm 2023 thì sao", history=history)).answer_id != quota.answer_id
