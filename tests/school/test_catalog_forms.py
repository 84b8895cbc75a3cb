"""The linker of schools that are unlike the sample school: their cohorts, names and dimensions."""

from __future__ import annotations

import json
from datetime import date

import pytest

from school.catalog import Catalog, Cohort, DimensionValue, Major, Program, School
from school.catalog_forms import entity_forms
from school.dimensions import default_dimensions, spec
from school.entity_linker import EntityLinker
from school.surface_forms import EntityForms

TODAY = date(2026, 11, 22)
BY_YEAR = Catalog(
    school=School(name="Foreign Trade College", year_begins=9),
    cohorts=tuple(Cohort(str(year), str(year), year) for year in range(2022, 2027)),
    majors=(
        Major("cs", "Computer Science", aliases=("CS", "comp sci")),
        Major("law", "Law"),
        Major("ib", "International Business"),
    ),
    programs=(Program("honors", "Honors Program"), Program("regular", "Regular Program")),
)
CAMPUSES = spec({"id": "campus", "name": "cơ sở", "name_en": "campus", "cues": ["cơ sở", "campus", "cs"]})
LEVELS = spec({"id": "level", "name": "bậc", "ordered": True, "letters": ["B"]})
WITH_OWN = Catalog(
    cohorts=tuple(Cohort(str(number), f"Khóa {number}", 1974 + number) for number in range(47, 52)),
    majors=(Major("luat", "Luật"), Major("ketoan", "Kế toán")),
    dimensions=(*default_dimensions(), CAMPUSES, LEVELS),
    values={
        "campus": (
            DimensionValue("hoa-lac", "Cơ sở Hòa Lạc", name_en="Hoa Lac campus", aliases=("Hòa Lạc",)),
            DimensionValue("1", "Cơ sở 1", aliases=("1", "Vinh")),
            DimensionValue("hcm", "Cơ sở Thành phố Hồ Chí Minh", aliases=("TP.HCM",)),
        ),
        "level": (DimensionValue("3", "Bậc 3"), DimensionValue("4", "Bậc 4")),
    },
)


def linker(catalog: Catalog) -> EntityLinker:
    return EntityLinker(EntityForms.from_json(json.loads(json.dumps(entity_forms(catalog).to_json()))))


def named(catalog: Catalog, text: str) -> list[tuple[str, str]]:
    return [(mention.entity, mention.value) for mention in linker(catalog).mentions(text, TODAY)]


@pytest.mark.parametrize(
    ("text", "cohorts"),
    [
        ("khóa 2023 học phí bao nhiêu", ["2023"]),
        ("khoa 2023", ["2023"]),
        ("em K2023", ["2023"]),
        ("k 2023 ạ", ["2023"]),
        ("niên khóa 2023-2027", ["2023"]),
        ("batch 2024", ["2024"]),
        ("Cohort 2024", ["2024"]),
        ("class of 2024", ["2024"]),
        ("sinh viên 2025", ["2025"]),
        ("nhập học năm 2022", ["2022"]),
        ("K2023, 2024 khác gì", ["2023", "2024"]),
        ("khóa 2023 và 2024 khác gì nhau", ["2023", "2024"]),
        ("K2022, 2023, 2024 và 2026 khác gì", ["2022", "2023", "2024", "2026"]),
        ("K2023, 2024 tín chỉ", ["2023"]),
        ("K2023 với K2025", ["2023", "2025"]),
        ("k2023-2025", ["2023", "2025"]),
        ("không phải K2023, K2024 cơ", ["2024"]),
        ("em năm 2", ["2025"]),
        ("cs năm 2", ["2025"]),
    ],
)
def test_cohorts_that_are_years(text: str, cohorts: list[str]) -> None:
    assert [value for entity, value in named(BY_YEAR, text) if entity == "cohort"] == cohorts


@pytest.mark.parametrize(
    "text",
    [
        "học phí năm 2023",
        "năm học 2023-2024",
        "tuyển sinh 2023-2024",
        "quy chế 2023",
        "k20234",
        "k47",
        "khóa 47",
    ],
)
def test_years_that_are_no_cohorts(text: str) -> None:
    assert [value for entity, value in named(BY_YEAR, text) if entity == "cohort"] == []


def test_the_name_of_a_cohort_goes_before_the_year_of_another() -> None:
    catalog = Catalog(
        cohorts=(Cohort("2023", "2023", 2023, ("Class of 2027",)), Cohort("2027", "Intake 2027", 2027))
    )

    assert named(catalog, "class of 2027") == [("cohort", "2023")]
    assert named(catalog, "intake 2027") == [("cohort", "2027")]


def test_a_cohort_that_is_called_by_another_number_than_its_id() -> None:
    catalog = Catalog(cohorts=(Cohort("5", "Khóa 2024", None), Cohort("6", "Khóa 6", 2025)))

    assert named(catalog, "khóa 2024") == [("cohort", "5")]
    assert named(catalog, "khóa 6 vào năm 2025") == [("cohort", "6")]
    assert named(catalog, "học phí 2024") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("what do Computer Science students pay", [("major", "cs")]),
        ("comp sci", [("major", "cs")]),
        ("computer scince", [("major", "cs")]),
        ("I study law", [("major", "law")]),
        (
            "honors program fee for CS batch 2024",
            [("program", "honors"), ("major", "cs"), ("cohort", "2024")],
        ),
        ("I am a second-year student", [("cohort", "2025")]),
    ],
)
def test_a_school_with_english_names_only(text: str, found: list[tuple[str, str]]) -> None:
    assert named(BY_YEAR, text) == found


def test_a_school_without_cohorts() -> None:
    catalog = Catalog(majors=(Major("luat", "Luật"),), dimensions=(spec({"id": "major"}),))

    assert named(catalog, "em năm 2 ngành luật k47, khóa 2023") == [("major", "luat")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cơ sở Hòa Lạc ở đâu", [("campus", "hoa-lac")]),
        ("hoa lac campus", [("campus", "hoa-lac")]),
        ("em học ở hòa lạc", [("campus", "hoa-lac")]),
        ("co so 1", [("campus", "1")]),
        ("cs 1", [("campus", "1")]),
        ("campus vinh", [("campus", "1")]),
        ("quang vinh, 1 môn", []),
        ("cơ sở thành phố hồ chí min", [("campus", "hcm")]),
        ("không phải cơ sở hòa lạc, cơ sở vinh", [("campus", "1")]),
        ("bậc 3", [("level", "3")]),
        ("em học B4", [("level", "4")]),
        ("b3-4", [("level", "3"), ("level", "4")]),
        ("3 môn 4 tín chỉ", []),
        ("hòa lạc năm 2", [("campus", "hoa-lac"), ("cohort", "51")]),
        ("luật hòa lạc k48", [("major", "luat"), ("campus", "hoa-lac"), ("cohort", "48")]),
    ],
)
def test_dimensions_of_the_schools_own(text: str, found: list[tuple[str, str]]) -> None:
    assert named(WITH_OWN, text) == found


@pytest.mark.parametrize(
    ("catalog", "text", "unlisted"),
    [
        (BY_YEAR, "class of 2020 tuition", None),
        (BY_YEAR, "cohort 2020 tuition", "cohort 2020"),
        (WITH_OWN, "khóa 46 thì sao", "khóa 46"),
        (WITH_OWN, "chuẩn B1 là gì", None),  # a level of a language
    ],
)
def test_numbers_that_a_dimension_does_not_have(catalog: Catalog, text: str, unlisted: str | None) -> None:
    assert EntityLinker(entity_forms(catalog)).unlisted(text) == unlisted
