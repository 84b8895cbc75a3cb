"""Which cohort is in which year of its studies."""

from datetime import date

import pytest

from server.nlu.school_year import TODAY, StudyYears, today

YEARS = StudyYears(
    {
        "forms": [{"pattern": r"\bnăm 2\b", "year": 2, "beside": False}],
        "entered": {"2024": "50", "2025": "51"},
        "begins": 9,
    }
)


@pytest.mark.parametrize(
    ("day", "cohort"),
    [
        (date(2026, 8, 31), "50"),
        (date(2026, 9, 1), "51"),
        (date(2027, 8, 31), "51"),
        (date(2025, 9, 1), "50"),
    ],
)
def test_an_academic_year_begins_in_its_month(day, cohort):
    assert [found.cohort for found in YEARS.find("em năm 2", day)] == [cohort]


def test_a_year_that_no_cohort_is_in_names_none():
    assert YEARS.find("em năm 2", date(2030, 9, 1)) == []


def test_the_day_can_be_set(monkeypatch):
    monkeypatch.setenv(TODAY, "2026-11-22")
    assert today() == date(2026, 11, 22)


def test_a_day_that_is_none_is_told(monkeypatch):
    monkeypatch.setenv(TODAY, "22/11/2026")
    with pytest.raises(ValueError, match="COVAN_TODAY must be a day like 2026-11-22"):
        today()


def test_without_it_the_clock_says(monkeypatch):
    monkeypatch.delenv(TODAY, raising=False)
    assert today() == date.today()
