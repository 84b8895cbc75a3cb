"""Words of comparing and of choosing."""

from __future__ import annotations

import pytest

from vietnamese.comparison import asks_which, compares, in_superlative, without_choice

KINDS = ("ngành", "khóa")


@pytest.mark.parametrize(
    "text", ["khác nhau bao nhiêu", "clc dat hon dai tra nhieu khong", "so sánh hai ngành", "a vs b"]
)
def test_a_text_compares_by_its_words(text: str) -> None:
    assert compares(text)


@pytest.mark.parametrize("text", ["gồm những gì", "học lại thì tính sao", "sơ đồ nhà h1"])
def test_another_does_not(text: str) -> None:
    assert not compares(text)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("cái nào rẻ hơn", ""),
        ("vay nganh nao dat hon?", "vay"),
        ("khóa nào được nhiều hơn", "được"),
        ("môn nào khó", None),
        ("rẻ hơn không", None),
    ],
)
def test_what_is_left_of_a_choice(text: str, rest: str | None) -> None:
    assert without_choice(text, KINDS) == rest


def test_the_better_of_two_is_the_best() -> None:
    assert in_superlative("cái nào rẻ hơn") == "cái nào rẻ nhất"


@pytest.mark.parametrize(
    ("text", "kind", "asked"),
    [
        ("khóa nào phải báo cáo trước hội đồng", "khóa", True),
        ("khoá nào được làm từ xa", "khóa", True),
        ("khóa nào phải báo cáo", "ngành", False),
        ("chương nào phải học", "chương trình", False),
        ("khóa em có phải báo cáo không", "khóa", False),
        ("khoa nào quản lý phòng này", "khóa", True),
    ],
)
def test_a_question_may_ask_for_the_one_of_a_kind(text: str, kind: str, asked: bool) -> None:
    assert asks_which(text, kind) is asked
