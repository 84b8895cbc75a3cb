"""Words of comparing and of choosing."""

from __future__ import annotations

import pytest

from vietnamese.comparison import asks_which, compares, in_superlative, with_the_compared, without_choice

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
        ("ngành học nào lấy điểm thấp nhất", "ngành", True),
        ("nganh nao lay diem thap nhat", "Ngành", True),
        ("which majors take block D", "major", True),
        ("khoa nào quản lý phòng này", "khóa", True),
    ],
)
def test_a_question_may_ask_for_the_one_of_a_kind(text: str, kind: str, asked: bool) -> None:
    assert asks_which(text, [kind]) is asked


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("học phí 2 ngành có khác nhau ko", "học phí ngành Luật với ngành Dược học có khác nhau ko"),
        ("hai nganh nay hoc phi bang nhau ko", "ngành Luật với ngành Dược học hoc phi bang nhau ko"),
        ("cả hai học mấy năm", "ngành Luật với ngành Dược học học mấy năm"),
        ("25 điểm đậu cái nào", "25 điểm đậu ngành Luật hay ngành Dược học"),
        ("hai khóa này học mấy năm", None),
        ("ngành nào học mấy năm", None),
        ("học mấy năm", None),
    ],
)
def test_what_was_compared_is_named_where_a_question_points_at_it(text: str, named: str | None) -> None:
    assert with_the_compared(text, "ngành", ["Luật", "Dược học"]) == named
