"""The particular words of a question, and the unnamed ones."""

from __future__ import annotations

import pytest

from rag.query.specificity import specificity


@pytest.mark.parametrize(
    "question",
    [
        "Trường có những cơ hội gì cho sinh viên?",
        "Ngành này học những gì?",
        "Sinh viên được hỗ trợ như thế nào trong quá trình học tập?",
    ],
)
def test_a_general_question_has_nothing_particular(question: str) -> None:
    assert specificity(question).particular == ()


def test_the_particular_words_are_kept_in_order() -> None:
    said = specificity("Trường có bảo hiểm tai nạn cho sinh viên không?")
    assert said.particular == ("bảo", "hiểm", "tai", "nạn")


def test_a_kind_of_thing_without_a_name_is_unnamed() -> None:
    assert specificity("Khoa có bao nhiêu giảng viên?").unnamed == ("khoa", "giảng viên")
    assert specificity("Khoa Thủy sản có gì?").unnamed == ()


def test_pointing_at_what_was_not_said() -> None:
    assert specificity("Ngành học này có khó không?").pointing
    assert not specificity("Ngành Luật có khó không?").pointing
    assert not specificity("Trường này có ký túc xá không?").pointing, "there is one school"


def test_a_capital_after_a_kind_of_thing_begins_its_name() -> None:
    assert specificity("Email của phòng Đào tạo là gì?").unnamed == ()
    assert specificity("Email của phòng đào tạo là gì?").unnamed == ("phòng",)


def test_capitals_everywhere_name_nothing() -> None:
    assert specificity("PHÒNG ĐÀO TẠO Ở ĐÂU").unnamed == ("phòng",)


def test_a_general_syllable_within_a_word_is_not_general() -> None:
    said = specificity("Trường có nghiên cứu khoa học không?")
    assert said.unnamed == ()
    assert "khoa" in said.particular


def test_bare_letters_are_read_and_told_with_diacritics() -> None:
    said = specificity("nganh hoc nay co co hoi gi")
    assert said.particular == ()
    assert said.unnamed == ("ngành học",)
    assert said.pointing


def test_you_is_no_department_when_typed_bare() -> None:
    assert specificity("ban cho minh hoi").unnamed == ()


@pytest.mark.parametrize("question", ["", "?!", "🙂", "İ" * 10])
def test_anything_can_be_read(question: str) -> None:
    assert specificity(question).unnamed == ()
