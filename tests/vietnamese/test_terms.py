"""The terms that a text names, however they are written."""

from __future__ import annotations

import pytest

from vietnamese.terms import terms_named


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Thi học kỳ 1 vào những ngày nào?", {"1"}),
        ("hk2 thi khi nao", {"2"}),
        ("Học kỳ 2 năm học 2026–2027 bắt đầu ngày nào?", {"2"}),
        ("học kỳ thứ hai", {"2"}),
        ("học kỳ I và II", {"1", "2"}),
        ("học kỳ 1, học kỳ 2", {"1", "2"}),
        ("kỳ hè đăng ký khi nào", {"summer"}),
        ("when does the spring semester start", {"2"}),
        ("summer term", {"summer"}),
        ("mỗi học kỳ", set()),
        ("2 học kỳ", set()),
        ("kỳ 1 lần", set()),
        ("hk 2 tín", set()),
        ("kỳ này", set()),
    ],
)
def test_the_terms_that_a_text_names(text: str, terms: set[str]) -> None:
    assert terms_named(text) == terms
