"""A student and an office come to one wording, whatever they typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.ingest.load import load_knowledge
from school.catalog import GlossaryEntry
from school.reading_knowledge import ReadingKnowledge, curated_abbreviations
from school.wording import Wording

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"


@pytest.fixture(scope="module")
def wording() -> Wording:
    knowledge = load_knowledge(SMALL_SCHOOL)
    short = curated_abbreviations(knowledge.glossary) | {"CVHT": "cố vấn học tập"}
    return Wording(ReadingKnowledge.of(knowledge.catalog, knowledge.glossary, short))


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("Giá KTX bn?", "Giá ký túc xá bao nhiêu?"),
        ("gia ktx", "gia ký túc xá"),
        ("ko biết hỏi CVHT", "không biết hỏi cố vấn học tập"),
        ("Giá phòng là bao nhiêu?", "Giá phòng là bao nhiêu?"),
        ("hp bao nhiêu", "hp bao nhiêu"),
        ("họ\u0323c phi\u0301\0", "họ\u0323c phí"),
        ("", ""),
    ],
)
def test_plain_wording(wording: Wording, typed: str, plain: str) -> None:
    assert wording.plain(typed) == plain


def test_plain_wording_is_the_same_for_what_is_plain(wording: Wording) -> None:
    for typed in ("Giá KTX bn?", "ko biết hỏi CVHT", "hạn đóng hp???"):
        plain = wording.plain(typed)
        assert wording.plain(plain) == plain


def test_a_short_form_with_two_readings_is_searched_for_with_both(wording: Wording) -> None:
    assert set(wording.expansions("hp bao nhiêu")) == {"học phần", "học phí"}


def test_what_is_said_already_is_not_said_again(wording: Wording) -> None:
    assert "học phí" not in wording.expansions("học phí (HP) bao nhiêu")


def test_only_short_forms_with_one_reading_are_written_out() -> None:
    glossary = [
        GlossaryEntry("KTX", ("ký túc xá",), also=("KTXSV",)),
        GlossaryEntry("HP", ("học phần", "học phí")),
        GlossaryEntry("ko", ("không",), kind="teencode"),
    ]

    assert curated_abbreviations(glossary) == {"KTX": "ký túc xá", "KTXSV": "ký túc xá"}


@pytest.mark.parametrize(
    ("plain", "asked"),
    [
        ("k47 cần chứng chỉ gì để tốt nghiệp", "cần chứng chỉ gì để tốt nghiệp"),
        ("sinh viên ngành kế toán khóa 48 nộp tiền khi nào", "sinh viên nộp tiền khi nào"),
        ("đóng tiền khi nào", "đóng tiền khi nào"),
        ("ngành kế toán", "ngành kế toán"),
        ("chuyển từ kế toán sang công nghệ thông tin", "chuyển từ kế toán sang công nghệ thông tin"),
    ],
)
def test_who_asks_is_no_part_of_what_is_asked(wording: Wording, plain: str, asked: str) -> None:
    assert wording.asked(plain) == asked
