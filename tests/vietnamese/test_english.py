"""English questions are read in the school's terms."""

from __future__ import annotations

import pytest

from school.catalog import Catalog, GlossaryEntry, Major, School
from school.institutions import Institutions, OwnNames
from school.reader import Reader
from school.reading_knowledge import ReadingKnowledge
from vietnamese.english import English


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("How can I pay my tuition fees?", "đóng học phí như thế nào được không?"),
        ("dropping a course", "rút bớt học phần"),
        ("When is the final exam", "thi cuối kỳ khi nào"),
        ("maximum number of credits per semester", "tối đa tín chỉ mỗi học kỳ"),
        ("skydiving for k48 students", "skydiving k48 sinh viên"),
        ("", ""),
    ],
)
def test_phrases_are_read_in_the_terms_of_regulations(typed: str, terms: str) -> None:
    assert English().read(typed) == terms


@pytest.mark.parametrize(
    ("typed", "written", "replaced"),
    [
        ("nộp tuition fee sem 2 khi nào", "nộp học phí học kỳ 2 khi nào", ("tuition", "fee", "sem", "2")),
        ("late thì có bị fine ko", "trễ thì có bị phạt tiền ko", ("late", "fine")),
        # The words with which a term begins are said once, however they are typed.
        ("trường có xe bus không", "trường có xe buýt không", ("bus",)),
        ("truong co XE  bus khong", "truong co xe buýt khong", ("bus",)),
        ("đóng học tuition ở đâu", "đóng học phí ở đâu", ("tuition",)),
        ("mất học phí tuition", "mất học phí", ("tuition",)),
        ("shuttle bus chạy giờ nào", "xe buýt chạy giờ nào", ("shuttle", "bus")),
        # Not those of another word or sentence.
        ("gửi xe, bus mấy giờ", "gửi xe, xe buýt mấy giờ", ("bus",)),
        ("bị hóc tuition", "bị hóc học phí", ("tuition",)),
        # Borrowed words stay, and so do small words and those that may be Vietnamese without diacritics.
        ("deadline gửi email cho thầy", "deadline gửi email cho thầy", ()),
        ("no hoc phi thi may ngay bi cam thi", "no hoc phi thi may ngay bi cam thi", ()),
        ("", "", ()),
    ],
)
def test_english_terms_within_vietnamese(typed: str, written: str, replaced: tuple[str, ...]) -> None:
    assert English().within_vietnamese(typed) == (written, replaced)


def test_the_schools_own_terms_come_first() -> None:
    own = English({"buddy scheme": "chương trình bạn đồng hành", "dorm": "khu nội trú"})
    assert (
        own.read("apply for the buddy scheme in a dorm") == "nộp đơn chương trình bạn đồng hành khu nội trú"
    )


def test_an_english_question_is_compared_in_vietnamese_and_embedded_in_both() -> None:
    catalog = Catalog(majors=(Major("it", "Công nghệ thông tin", name_en="Information Technology"),))
    reader = Reader(ReadingKnowledge.of(catalog))
    understood = reader.prepared("Internship for Information Technology students?")
    assert understood.is_english
    assert understood.normalized == "thực tập tốt nghiệp Công nghệ thông tin sinh viên?"
    assert understood.values(["major"]) == {"major": "it"}
    assert "Internship" in understood.embedded
    assert "thực tập tốt nghiệp" in understood.embedded
    assert understood.text == "Internship for Information Technology students?"


def test_a_vietnamese_question_is_embedded_as_it_is_compared() -> None:
    understood = Reader(ReadingKnowledge.of(Catalog())).prepared("Học phí bao nhiêu?")
    assert (understood.is_english, understood.embedded) == (False, understood.asked)


def test_a_glossary_may_add_english_terms_that_work_both_ways() -> None:
    entry = GlossaryEntry("freshers week", ("tuần định hướng",))
    reader = Reader(ReadingKnowledge.of(Catalog(), [entry], {}))
    assert "tuần định hướng" in reader.prepared("when is the freshers week").normalized
    assert "freshers week" in reader.prepared("tuần định hướng khi nào").expansions


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("what is the tuition at Northfield University", "Northfield University"),
        ("Tuition of the University of Economics", "University of Economics"),
        ("Is the Sao La University dorm open", None),
        ("The University library", None),
        ("My College card", None),
    ],
)
def test_other_universities_by_their_english_names(text: str, foreign: str | None) -> None:
    school = School(name="Trường Đại học Sao La", name_en="Sao La University")
    assert Institutions(OwnNames.of(Catalog(school))).foreign(text) == foreign
