"""The rules of Vietnamese syllables."""

from __future__ import annotations

import pytest

from vietnamese.syllables import is_abbreviation, is_spelled, is_syllable, with_y


@pytest.mark.parametrize(
    "word",
    ["luat", "it", "duoc", "nghieng", "khuyu", "gi", "giua", "quyen", "ke", "cong", "y", "thuong", "ba"],
)
def test_syllables(word: str) -> None:
    assert is_syllable(word)


@pytest.mark.parametrize(
    "word", ["cntt", "nna", "kts", "nge", "ke1", "marketing", "mis", "ka", "tn", "ngh", "congg", ""]
)
def test_no_syllables(word: str) -> None:
    assert not is_syllable(word)


SPELLED = """học phí nghiệp khuỷu gì giếng giữa quốc quyết quỳnh quanh xoong ngoằn thuở rượu đường y yếu hoà hòa quý qúy
trai vai chu hinh quang em cho khoa"""
NOT_SPELLED = """hoc chat bot nop duoc nghiep dieu truong luat quoc điẻm đươc viêc hojc cê ghà ngế quc ka đ ng
họọc hó̀c học1"""


def test_syllables_as_they_are_spelled() -> None:
    assert [word for word in SPELLED.split() if not is_spelled(word)] == []


def test_letters_that_spell_no_syllable() -> None:
    assert [word for word in (*NOT_SPELLED.split(), "", "học phí") if is_spelled(word)] == []


@pytest.mark.parametrize("text", ["dk", "đk", "ĐK HP", "ctđt", "tkb ", "bhyt"])
def test_a_few_consonants_are_an_abbreviation(text: str) -> None:
    assert is_abbreviation(text)


@pytest.mark.parametrize("text", ["", "ngu", "chết", "đk môn", "gpa", "k 47", "dk hp cntt"])
def test_words_and_numbers_are_none(text: str) -> None:
    assert not is_abbreviation(text)


@pytest.mark.parametrize(
    ("word", "other"),
    [("kì", "kỳ"), ("kí", "ký"), ("lí", "lý"), ("mĩ", "mỹ"), ("qui", "quy"), ("quí", "quý"), ("ki", "ky")],
)
def test_syllables_that_are_written_with_i_or_y(word: str, other: str) -> None:
    assert with_y(word) == other


@pytest.mark.parametrize("word", ["mì", "lì", "sĩ", "tin", "kinh", "chi", "quit"])
def test_syllables_whose_i_is_no_y(word: str) -> None:
    assert with_y(word) == word
