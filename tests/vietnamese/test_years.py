"""The years that a question asks about, and those that a text is about."""

from __future__ import annotations

from datetime import date

import pytest

from vietnamese.years import halves_named, is_mere_year, with_last_year

AUTUMN, SPRING = date(2026, 11, 23), date(2027, 3, 1)


def asked(text: str, today: date = AUTUMN) -> set[float]:
    """Return the halves of years as numbers: 2026.5 is the autumn of 2026."""
    return {half / 2 for half in halves_named(text, today, 9, asks=True)}


def named(text: str) -> set[float]:
    return {half / 2 for half in halves_named(text, AUTUMN, 9)}


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("điểm chuẩn 2027 dự kiến bao nhiêu", {2027.0, 2027.5}),
        ("hoc phi nam hoc 2025-2026", {2025.5, 2026.0}),
        ("học phí năm học 2025 – 26 bao nhiêu", {2025.5, 2026.0}),
        ("năm ngoái 1 tín bao nhiêu", {2025.5}),
        ("what was the fee last year", {2025.5}),
        ("sang năm học phí có tăng không", {2027.5}),
        ("hoc phi nam toi", {2027.5}),
        ("chỉ tiêu tuyển sinh 2024", {2024.0, 2024.5}),
    ],
)
def test_the_year_that_is_asked_about(text: str, halves: set[float]) -> None:
    assert asked(text) == halves


@pytest.mark.parametrize(
    "text",
    [
        "học phí bao nhiêu",
        "bạn em tốt nghiệp năm ngoái thì có nộp được không",
        "em tốt nghiệp thpt năm 2024 có được xét tuyển không",
        "năm ngoái em rớt môn, học lại thế nào",
        "năm ngoái nộp rồi, năm nay có phải nộp nữa không",
        "ngày 05/01/2027 em có lịch thi",
        "toeic thi 3 năm trước còn dùng được không",
        "các năm trước thì sao",
        "em sinh năm 2005",
        "học phí 2000 đồng",
    ],
)
def test_years_of_persons_and_of_dates_are_not_asked_about(text: str) -> None:
    assert not asked(text)


def test_in_spring_last_year_is_another_half() -> None:
    assert asked("năm ngoái bao nhiêu", SPRING) == {2026.0}
    assert asked("năm sau bao nhiêu", SPRING) == {2028.0}


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("Năm học 2026–2027, đơn giá là 480.000 đồng", {2026.5, 2027.0}),
        ("từ 01/12/2026 đến hết 15/12/2026", {2026.0, 2026.5}),
        ("Quy chế (ban hành năm 2025)", set()),
        ("Quyết định số 27/2025", set()),
        ("áp dụng từ năm 2021", set()),
        ("Nội quy có hiệu lực từ ngày 15 tháng 8 năm 2024.", set()),
        ("Ban hành kèm theo Quyết định số 702/QĐ-ĐHSL ngày 06/7/2026", set()),
        ("Hạn nộp hồ sơ là ngày 15 tháng 8 năm 2024.", {2024.0, 2024.5}),
        ("đơn giá 2.026 đồng, 2027,5 điểm", set()),
    ],
)
def test_the_years_of_a_text(text: str, halves: set[float]) -> None:
    assert named(text) == halves


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("năm ngoái 1 tín bao nhiêu", "năm 2025 1 tín bao nhiêu"),
        ("the fee last year", "the fee 2025"),
        ("em tốt nghiệp năm ngoái", "em tốt nghiệp năm ngoái"),
    ],
)
def test_last_year_is_written_as_texts_name_it(text: str, said: str) -> None:
    assert with_last_year(text, AUTUMN) == said


@pytest.mark.parametrize(
    ("text", "mere"),
    [
        ("năm 2023", True),
        ("còn năm ngoái thì sao ạ", True),
        ("nam 2024-2025 bn", True),
        ("next year?", True),
        ("năm sau có tăng ko", False),
        ("điểm chuẩn 2024", False),
        ("năm 2 thì sao", False),
        ("", False),
    ],
)
def test_a_message_that_names_nothing_but_a_year_is_told(text: str, mere: bool) -> None:
    assert is_mere_year(text) is mere
