"""Text is made clean, bounded and comparable in one place."""

from __future__ import annotations

import string
import unicodedata

import pytest

from vietnamese.text import before_cleaning, clean, fold, fold_each, words

LETTERS = "aàáảãạăằắẳẵặâầấẩẫậeèéẻẽẹêềếểễệiìíỉĩịoòóỏõọôồốổỗộơờớởỡợuùúủũụưừứửữựyỳýỷỹỵđ"


@pytest.mark.parametrize(
    ("dirty", "cleaned"),
    [
        ("học\0 phí", "học phí"),
        ("học\ud83d phí\udc00", "học phí"),
        ("\u202ehọc\u202c phí\u200b\ufeff", "học phí"),
        ("ho\u0323c phi\u0301", "học phí"),
        ("  học \t  phí\u00a0 ", "học phí"),
        ("một\nhai", "một\nhai"),
        ("a" + "\u0301" * 500 + "b", "\u00e1\u0301\u0301b"),
        ("Ｋ４７ ﬁn ①", "K47 fin 1"),
        ("", ""),
    ],
)
def test_clean(dirty: str, cleaned: str) -> None:
    assert clean(dirty) == unicodedata.normalize("NFC", cleaned)


@pytest.mark.parametrize("length", [0, 1, 1999, 2000, 2001, 100_000])
def test_the_limit_holds(length: int) -> None:
    assert len(clean("a" * length, 2000)) == min(length, 2000)


def test_the_limit_holds_for_characters_that_grow() -> None:
    assert len(clean("\ufdfa" * 1000)) > 10_000
    assert 0 < len(clean("\ufdfa" * 1000, 2000)) <= 2000


def test_cleaning_twice_changes_nothing() -> None:
    for text in ("  Ｋ４７\0 \ud800 ﷺ ", "e\u0302\u0301" * 50, "a b  c" * 40):
        once = clean(text, 50)
        assert clean(once, 50) == once


def test_clean_text_can_always_be_written_out() -> None:
    everything = "".join(map(chr, range(0, 0x3000))) + "\ud800\udfff"

    clean(everything).encode("utf-8")


def test_fold_takes_every_vietnamese_letter_to_a_bare_one() -> None:
    for letter in LETTERS + LETTERS.upper():
        assert fold(letter) in string.ascii_lowercase
    assert fold("ĐIỀU KIỆN tốt nghiệp") == "dieu kien tot nghiep"


def test_fold_keeps_every_character_at_its_place() -> None:
    text = clean("İstanbul ß ﬁ Điều 5 – 😀 ǅ ŉ " + "".join(map(chr, range(0x20, 0x2000))))

    assert len(fold(text)) == len(text)


def test_words_are_syllables_numbers_and_codes() -> None:
    assert words("Điều 12, khoản 2: TOEIC 4.5 (K47-K49)!") == [
        *("điều", "12", "khoản", "2", "toeic", "4", "5", "k47", "k49"),
    ]
    assert words("...?!__") == []


@pytest.mark.parametrize(
    ("typed", "word"), [("khoá", "khóa"), ("hoà", "hòa"), ("thuỷ", "thủy"), ("quý", "quý")]
)
def test_where_the_tone_is_put_makes_no_other_word(typed: str, word: str) -> None:
    assert words(typed) == words(word) == [word]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("khóa 47", "khóa 47"),
        ("  dạ\u200b  em ở khóa 47 ạ", "khóa 47"),
        ("ﬁn khóa 47\u200b ạ", "khóa 47"),
        ("em khóa  47\n", "khóa  47"),
    ],
)
def test_a_part_of_clean_text_is_found_in_the_text_as_typed(form: str, typed: str, name: str) -> None:
    typed, name = unicodedata.normalize(form, typed), unicodedata.normalize(form, name)
    cleaned = clean(typed)
    start = cleaned.index("khóa 47")

    start, end = before_cleaning(typed, start, start + len("khóa 47"))

    assert typed[start:end].rstrip("\u200b") == name


@pytest.mark.parametrize("texts", [[], [""], ["", ""], ["Đơn", "học bổng", "", "ÁO THUN"], ["Ǝ", "ß", "ﬁ"]])
def test_many_texts_are_folded_as_each_is(texts: list[str]) -> None:
    assert fold_each(texts) == [fold(text) for text in texts]
