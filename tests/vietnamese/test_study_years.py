"""A student's own year of study is told from years in other roles."""

from __future__ import annotations

import re
from datetime import date

import pytest

from vietnamese.study_years import StudyYears, speaks_of_study_year, study_year_forms


def said(text: str, *, beside: bool = False) -> set[int]:
    return {
        form.year for form in study_year_forms() if form.beside == beside and re.search(form.pattern, text)
    }


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("em năm 2", 2),
        ("em hoc nam 3", 3),
        ("sv năm ba", 3),
        ("sinh viên năm thứ hai có được không", 2),
        ("sinh vien nam nam", 5),
        ("năm nhất ạ", 1),
        ("mình đang là sinh viên năm tư", 4),
        ("còn năm 3 thì sao", 3),
        ("em đang học năm 2, muốn chuyển ngành", 2),
        ("i'm a third-year student", 3),
        ("i am a sophomore", 2),
    ],
)
def test_a_year_of_ones_own(text: str, year: int) -> None:
    assert said(text) == {year}


@pytest.mark.parametrize(
    "text",
    [
        "học phí năm 2026",
        "năm 20",
        "em học 2 năm rồi",
        "một năm 2 lần",
        "từ năm 3 mới được thực tập",
        "năm 3 mới được đi thực tập đúng không",
        "em đóng mỗi năm 2 đợt",
        "sinh viên năm 3 trở lên",
        "năm 2 học kỳ 1",
        "em năm nay",
        "em năm sau ra trường",
        "chương trình học 4 năm",
        "điểm năm 2,5",
    ],
)
def test_a_year_that_is_only_spoken_of(text: str) -> None:
    assert said(text) == set()


def test_beside_a_major_a_bare_year_may_be_ones_own() -> None:
    assert said("luật năm 2 thì học gì", beside=True) == {2}
    assert said("luật năm 2 học kỳ 1", beside=True) == set()


YEARS = StudyYears({2024: "50", 2025: "51"}, begins=9)


@pytest.mark.parametrize(
    ("today", "cohort"),
    [
        (date(2026, 8, 31), "50"),
        (date(2026, 9, 1), "51"),
        (date(2027, 8, 31), "51"),
        (date(2025, 9, 1), "50"),
    ],
)
def test_an_academic_year_begins_in_its_month(today: date, cohort: str) -> None:
    assert {found.value for found in YEARS.find("em năm 2", today)} == {cohort}


def test_a_year_that_no_cohort_is_in_names_none() -> None:
    assert YEARS.find("em năm 2", date(2030, 9, 1)) == []


def test_a_school_without_cohorts_has_no_year_of_study() -> None:
    assert StudyYears({}, begins=9).find("em năm 2", date(2026, 9, 1)) == []


@pytest.mark.parametrize(
    ("text", "is_spoken_of"),
    [
        ("mà e năm 3 rồi", True),
        ("chưa bước vào năm thứ ba, trung bình từ 2,50", True),
        ("em nam nhat", True),
        ("năm 2026 có gì mới", False),
        ("một năm 2 lần", False),
        ("5 năm", False),
    ],
)
def test_a_year_of_study_may_be_spoken_of_without_being_ones_own(text: str, is_spoken_of: bool) -> None:
    assert speaks_of_study_year(text) is is_spoken_of
