"""A student and an office come to one wording, whatever they typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.ingest.load import load_knowledge
from school.catalog import Catalog, GlossaryEntry
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
        ("chuyển từ kế toán sang công nghệ thông tin", "chuyển sang ngành khác"),
        (
            "em học kế toán muốn chuyển sang công nghệ thông tin cần gì",
            "em học muốn chuyển sang ngành khác cần gì",
        ),
        ("ngành kế toán với công nghệ thông tin nộp khi nào", "nộp khi nào"),
        ("học phí kế toán với công nghệ thông tin cái nào cao hơn", "học phí"),
    ],
)
def test_who_asks_is_no_part_of_what_is_asked(wording: Wording, plain: str, asked: str) -> None:
    assert wording.asked(plain) == asked


@pytest.mark.parametrize(
    "plain",
    [
        "thực tập của k47 với k48 khác nhau gì",
        "thực tập k47 và khóa 48 có giống nhau không",
        "so sánh thực tập của k47 với k48",
        "sự khác nhau giữa thực tập k47, k48",
    ],
)
def test_a_comparison_asks_the_same_of_each(wording: Wording, plain: str) -> None:
    assert wording.asked(plain) == "thực tập thế nào"


@pytest.mark.parametrize(
    "plain", ["học phí k47 với k48", "học phí khóa 47, khóa 48", "học phí khóa 47 với khóa 48"]
)
def test_a_list_asks_the_same_of_each(wording: Wording, plain: str) -> None:
    assert wording.asked(plain) == "học phí"


def test_a_comparison_that_asks_for_more_keeps_its_question(wording: Wording) -> None:
    assert wording.asked("k47 và k48 khác nhau học phí bao nhiêu") == "học phí bao nhiêu"


def test_a_comparison_of_nothing_but_the_values_stays(wording: Wording) -> None:
    assert wording.asked("k47 với k48 khác gì") == "k47 với k48 khác gì"


def test_letters_of_vietnamese_words_are_no_english() -> None:
    glossary = (
        GlossaryEntry("HB KKHT", ("học bổng khuyến khích học tập",)),
        GlossaryEntry("study grant", ("học bổng khuyến khích học tập",)),
    )
    wording = Wording(ReadingKnowledge.of(Catalog(), glossary))

    assert not wording.is_english("ban e 2.6 rl 71 dc hb ko")
    assert wording.is_english("study grant?")


def test_what_is_left_of_an_address_is_no_part_of_what_is_asked(wording: Wording) -> None:
    assert wording.asked("em k47 kế toán, khi nào đóng học phí") == "khi nào đóng học phí"
    # Words that name a matter stay.
    assert wording.asked("học phí, k47 bao nhiêu").startswith("học phí")
