"""A question that asks for an address, a number or a name is answered only by a text that has one."""

from __future__ import annotations

import pytest

from rag.rerank.answer_type import AnswerType, agreement, expected, lacking, offered
from vietnamese.text import fold

DIRECTORY = (
    "Trưởng phòng: TS. Trần Văn An\nĐiện thoại: 0292 3832 663\nEmail: ptdt@truong.edu.vn\nPhòng 102, nhà A4"
)
RULE = "Sinh viên có quyền đề nghị xem lại bài thi khi thấy có sai sót."


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Email của phòng Đào tạo là gì?", {AnswerType.EMAIL}),
        ("Số điện thoại của khoa là bao nhiêu?", {AnswerType.PHONE}),
        ("Có bao nhiêu ngành?", {AnswerType.NUMBER}),
        ("Phải học trong bao nhiêu năm?", {AnswerType.DURATION}),
        ("Học phí bao nhiêu một tín chỉ?", {AnswerType.MONEY}),
        ("Nộp đơn ở đâu và khi nào?", {AnswerType.PLACE, AnswerType.TIME}),
        ("Ai phụ trách công tác sinh viên?", {AnswerType.PERSON}),
        ("Điều kiện xét học bổng là gì?", set()),
    ],
)
def test_what_a_question_expects(question: str, kinds: set[AnswerType]) -> None:
    assert expected(question) == kinds


@pytest.mark.parametrize(
    "question",
    [
        "Nộp đơn ở đâu?",
        "Khi nào đăng ký?",
        "Ai là trưởng khoa?",
        "Số điện thoại là bao nhiêu?",
        "Học mấy năm?",
    ],
)
def test_expects_the_same_when_typed_without_diacritics(question: str) -> None:
    assert expected(fold(question)) == expected(question) != set()


def test_bare_letters_that_are_everyday_words_expect_nothing() -> None:
    assert AnswerType.NUMBER not in expected("nganh khoa hoc may tinh hoc gi")
    assert AnswerType.PERSON not in expected("ung dung ai trong y te")


def test_a_code_in_capitals_does_not_ask_who() -> None:
    assert AnswerType.PERSON not in expected("Ngành AI học những gì?")


def test_what_a_text_has() -> None:
    has = offered(DIRECTORY)
    assert {AnswerType.PERSON, AnswerType.PHONE, AnswerType.EMAIL, AnswerType.PLACE} <= has
    assert not offered(RULE)


def test_agreement_is_full_half_or_none() -> None:
    wanted = frozenset({AnswerType.EMAIL, AnswerType.MONEY})
    assert agreement(wanted, frozenset(AnswerType)) == 1
    assert agreement(wanted, offered(DIRECTORY)) == 0
    assert agreement(wanted, offered(RULE)) == -1


def test_a_question_that_expects_nothing_agrees_with_every_text_alike() -> None:
    assert agreement(frozenset(), offered(DIRECTORY)) == agreement(frozenset(), offered(RULE)) == 0


def test_a_long_line_of_digits_is_looked_through_at_once() -> None:
    assert AnswerType.NUMBER in offered("1 " * 20_000)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ký túc xá đóng cửa lúc **22:30**.", AnswerType.TIME),
        ("Open on weekdays until 5 pm.", AnswerType.TIME),
        ("Bạn nộp trên Cổng thông tin sinh viên.", AnswerType.PLACE),
        ("Mang bản gốc đến Trung tâm Ngoại ngữ.", AnswerType.PLACE),
        ("Không phải đóng thêm khoản nào.", AnswerType.MONEY),
        ("Gửi yêu cầu cho Đoàn Thanh niên.", AnswerType.PERSON),
    ],
)
def test_kinds_that_are_written_in_several_ways(text: str, kind: AnswerType) -> None:
    assert kind in offered(text)


def test_what_is_asked_for_is_lacking_in_a_text_without_such_a_thing() -> None:
    where_mostly = {"place": 0.7, "deadline": 0.2, "condition": 0.1}

    assert lacking(where_mostly, offered(DIRECTORY)) == pytest.approx(0.2)
    assert lacking(where_mostly, offered(RULE)) == pytest.approx(0.9)


def test_nothing_is_lacking_for_what_has_no_visible_form() -> None:
    assert lacking({"condition": 0.6, "procedure": 0.4}, offered(RULE)) == 0
