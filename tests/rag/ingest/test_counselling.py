"""Whom a school names for students in trouble."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.errors import KnowledgeError
from rag.ingest.load import load_knowledge
from school.catalog import Catalog, Counselling, Office, School

OFFICE = "offices:\n  - {id: tu-van, name: Phòng Tư vấn, phone: '116'}\n"


def catalog(folder: Path, entry: str, offices: str = OFFICE) -> Catalog:
    text = f"school:\n  id: dh\n  name: Trường\n  counselling:\n    - {entry}\n{offices}"
    (folder / "catalog.yml").write_text(text, encoding="utf-8")
    (folder / "documents").mkdir()
    (folder / "documents" / "a.md").write_text(
        "# Quy định\n\nĐiều 1. Học phí nộp theo học kỳ.", encoding="utf-8"
    )
    return load_knowledge(folder).catalog


def test_an_office_lends_its_name_and_phone(tmp_path: Path) -> None:
    [named] = catalog(tmp_path, "{office: tu-van, note: cả ngày}").counselling

    assert (named.name, named.phone, named.note) == ("Phòng Tư vấn", "116", "cả ngày")


def test_what_stands_with_the_office_counts_more() -> None:
    known = Catalog(
        school=School(counselling=(Counselling(office="tu-van", phone="117"),)),
        offices=(Office(id="tu-van", name="Phòng Tư vấn", phone="116"),),
    )

    assert [(each.name, each.phone) for each in known.counselling] == [("Phòng Tư vấn", "117")]


def test_a_line_outside_of_the_school_has_a_name_and_a_phone(tmp_path: Path) -> None:
    [named] = catalog(tmp_path, "{name: Tổng đài, phone: '111'}").counselling

    assert (named.name, named.phone) == ("Tổng đài", "111")


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("{office: tu-vann}", "tu-vann"),
        ("{name: Tổng đài}", "needs an `office` of this file, or a `name` and a `phone`"),
        ("{phone: '111'}", "needs an `office` of this file, or a `name` and a `phone`"),
    ],
)
def test_an_entry_that_nobody_could_call_is_refused(tmp_path: Path, entry: str, complaint: str) -> None:
    with pytest.raises(KnowledgeError) as refused:
        catalog(tmp_path, entry)

    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("school: {id: dh, name: Trường}\n", 1),
        ("offices: []\nschool: {id: dh, name: T, counselling: []}\n", 2),
    ],
)
def test_a_school_names_somebody_for_those_in_trouble(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "catalog.yml").write_text(text, encoding="utf-8")
    (tmp_path / "a.md").write_text("# Quy định\n\nHọc phí nộp theo học kỳ.", encoding="utf-8")

    with pytest.raises(KnowledgeError) as refused:
        load_knowledge(tmp_path)

    [problem] = refused.value.problems
    assert (problem.file, problem.line) == ("catalog.yml", line)
    assert "'school.counselling' is missing" in problem.message
    assert "phone:" in problem.message


@pytest.mark.parametrize(
    ("office", "fault"),
    [
        ("{id: a, name: Phòng A, phone: abc}", "'abc' is no telephone number: it has no digit"),
        ("{id: a, name: Phòng A, email: khong phai thu}", "'khong phai thu' is no mail address"),
    ],
)
def test_what_nobody_can_be_reached_by_is_a_fault(tmp_path: Path, office: str, fault: str) -> None:
    with pytest.raises(KnowledgeError, match=fault):
        catalog(tmp_path, "{name: Tư vấn, phone: '116'}", f"offices:\n  - {office}\n")
