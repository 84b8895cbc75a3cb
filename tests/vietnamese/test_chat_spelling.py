"""A question as it was meant, whatever was typed."""

from __future__ import annotations

import unicodedata

import pytest

from vietnamese.chat_spelling import ChatSpelling, normalize
from vietnamese.text import MAX_QUESTION_CHARS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  học   phí?  ", "học phí?"),
        ("khôngggg", "không"),
        ("emmmm ơiiii", "em ơi"),
        ("rồii", "rồi"),
        ("hả???!!!", "hả?"),
        ("đi!!!", "đi!"),
        ("chờ.......", "chờ..."),
        ("ko biết??", "ko biết?"),
        ("koooo", "ko"),
        ("ctđttt của qđđ mục iii, viii", "ctđttt của qđđ mục iii, viii"),
        ("cttt với attt và httt", "cttt với attt và httt"),
        ("emmm khônggg", "em không"),
        ("điểm loại III, nhóm AAA", "điểm loại III, nhóm AAA"),
        ("KHÔNGGGG", "KHÔNG"),
        ("class pass fee", "class pass fee"),
        ("www.abc.vn a@bbb.vn", "www.abc.vn a@bbb.vn"),
        ("7480201 K47 1000", "7480201 K47 1000"),
        ("học\x00 phí\u202e", "học phí"),
        ("", ""),
    ],
)
def test_everyday_spelling(text: str, expected: str) -> None:
    assert normalize(text) == expected


def test_the_result_is_nfc_and_bounded() -> None:
    decomposed = unicodedata.normalize("NFD", "điều kiện tốt nghiệp")

    assert normalize(decomposed) == "điều kiện tốt nghiệp"
    assert len(normalize("học phí " * 100_000)) <= MAX_QUESTION_CHARS


@pytest.mark.parametrize(
    "text", ["\ufdfa" * 1000, "\ud800", "😀😀😀", "/intent{}", "?" * 5000, "a" * 100_000]
)
def test_hostile_input_is_survived(text: str) -> None:
    result = normalize(text)

    assert len(result) <= MAX_QUESTION_CHARS
    result.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ko đc nghỉ", "không được nghỉ"),
        ("k dc nghi", "không được nghi"),
        ("Ko nghỉ", "Không nghỉ"),
        ("HOC PHI KO", "HOC PHI không"),
        ("mở lúc mấy h?", "mở lúc mấy giờ?"),
        ("bao h thi", "bao giờ thi"),
        ("sao v, mọi người", "sao vậy, mọi người"),
        ("đóng nhiu tiền, nhìu ko", "đóng nhiêu tiền, nhiều không"),
        ("bao nhiu", "bao nhiêu"),
        ("iem kh đi ttập thì pải nộp zì", "em không đi thực tập thì phải nộp gì"),
        ("ttin cchi lay khi neo", "thông tin chứng chỉ lay khi nào"),
        ("nghỉ học được hông", "nghỉ học được không"),
        ("đau hông", "đau hông"),
        ("viện KH và CN", "viện KH và CN"),
    ],
)
def test_chat_spelling_is_written_out(text: str, expected: str) -> None:
    assert ChatSpelling().write_out(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "K 47 học gì",
        "giá 200 k",
        "nhóm V",
        "v.v.",
        "điểm V/v",
        "chị NS dạy",
        "lùn",
        "9h",
        "ok",
        "hokkien",
        "",
    ],
)
def test_codes_and_other_words_stay(text: str) -> None:
    assert ChatSpelling().write_out(text) == text


def test_a_school_has_spellings_of_its_own() -> None:
    chat = ChatSpelling(own={"sg": "Sài Gòn", "k": "khóa"})

    assert chat.write_out("k nào ở sg ko") == "khóa nào ở Sài Gòn không"


def test_a_short_form_of_the_school_is_no_chat_spelling() -> None:
    chat = ChatSpelling(taken=["CH", "ĐC"])

    assert chat.write_out("ch dc ko") == "ch dc không"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("có phải nộp lại mỗi năm hk", "có phải nộp lại mỗi năm không"),
        ("nộp được hk ad?", "nộp được không ad?"),
        ("bị cấm thi hong, sao v", "bị cấm thi không, sao vậy"),
        ("em bị đau hông ạ", "em bị đau hông ạ"),
        ("tối đa mấy tín 1 hk", "tối đa mấy tín 1 hk"),
        ("đóng theo hk?", "đóng theo hk?"),
        ("hk này khi nào thi", "hk này khi nào thi"),
        ("ĐIỂM HK", "ĐIỂM HK"),
    ],
)
def test_hk_and_hong_are_no_at_the_end_of_a_question(typed: str, read: str) -> None:
    assert ChatSpelling(taken={"HK"}).write_out(typed) == read
