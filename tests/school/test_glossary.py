"""Short forms are searched for both ways; chat spelling is written out."""

from __future__ import annotations

import pytest

from school.catalog import GlossaryEntry
from school.glossary import Glossary

GLOSSARY = Glossary(
    (
        GlossaryEntry("HP", ("học phần", "học phí")),
        GlossaryEntry("ĐKHP", ("đăng ký học phần",), also=("đk hp",)),
        GlossaryEntry("ĐK", ("đăng ký", "điều kiện")),
        GlossaryEntry("ĐA", ("đồ án",)),
        GlossaryEntry("SV", ("sinh viên",)),
        GlossaryEntry("BT", ("bài tập", "biết")),
        GlossaryEntry("ko", ("không",), also=("k", "hok"), kind="teencode"),
        GlossaryEntry("đc", ("được",), kind="teencode"),
        GlossaryEntry("lun", ("luôn",), kind="teencode"),
        GlossaryEntry("ns", ("nói",), kind="teencode"),
        GlossaryEntry("h", ("giờ",), kind="teencode"),
        GlossaryEntry("v", ("vậy",), kind="teencode"),
        GlossaryEntry("bao h", ("bao giờ",), kind="teencode"),
        GlossaryEntry("sv", ("sao vậy",), kind="teencode"),
        GlossaryEntry("bt", ("bình thường", "biết"), kind="teencode"),
    )
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HP kỳ này", ("học phần", "học phí")),
        ("hp kỳ này", ("học phần", "học phí")),
        ("dkhp khi nào", ("đăng ký học phần",)),
        ("đk hp khi nào", ("đăng ký học phần",)),
        ("Đăng ký học phần khi nào", ("ĐKHP",)),
        ("dang ky hoc phan khi nao", ("ĐKHP",)),
        ("đăng ký xe", ("ĐK",)),
        ("sv hp", ("sinh viên", "học phần", "học phí")),
        ("da", ("đồ án",)),
        ("hỏi bt ở đâu", ("bài tập", "biết", "bình thường")),
    ],
)
def test_both_ways(text: str, expected: tuple[str, ...]) -> None:
    assert GLOSSARY.expansions(text) == expected


@pytest.mark.parametrize("text", ["đã đóng tiền", "thphp", "biết rồi", "", "học"])
def test_other_words_add_nothing(text: str) -> None:
    assert GLOSSARY.expansions(text) == ()


def test_what_the_text_says_already_is_not_added() -> None:
    assert GLOSSARY.expansions("học phần (HP)") == ("học phí",)
    assert GLOSSARY.expansions("SV là sinh viên, sinh viên là SV") == ()


def test_expand_appends() -> None:
    assert GLOSSARY.expand("sv nộp gì") == "sv nộp gì sinh viên"
    assert GLOSSARY.expand("nộp gì") == "nộp gì"


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
    ],
)
def test_chat_spelling_is_written_out(text: str, expected: str) -> None:
    assert GLOSSARY.write_out(text) == expected


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
        "sv hỏi",
        "bt",
        "hokkien",
    ],
)
def test_codes_and_other_words_stay(text: str) -> None:
    assert GLOSSARY.write_out(text) == text


def test_an_empty_glossary_changes_nothing() -> None:
    assert Glossary().write_out("ko hp") == "ko hp"
    assert Glossary().expansions("ko hp") == ()


@pytest.mark.parametrize(
    ("asked", "also"),
    [
        ("CVHT của em là ai", "cố vấn học tập"),
        ("cvht cua em la ai", "cố vấn học tập"),
        ("cố vấn học tập của em là ai", "CVHT"),
        ("co van hoc tap cua em la ai", "CVHT"),
        ("Co Van Hoc Tap", "CVHT"),
        ("dk cvht", "đăng ký"),
    ],
)
def test_both_ways_with_and_without_diacritics(asked: str, also: str) -> None:
    entries = [
        GlossaryEntry("CVHT", ("cố vấn học tập",)),
        GlossaryEntry("ĐK", ("đăng ký", "điều kiện")),
    ]
    assert also in Glossary(entries).expansions(asked)
