"""The contacts that a student in trouble gets."""

from __future__ import annotations

from actions.counselling import contact, first
from covan.project import ROOT
from rag.knowledge.catalog import Catalog, Counselling, School
from rag.knowledge.load import load_knowledge

KNOWN = Catalog(
    school=School(
        counselling=(
            Counselling(
                name="Trạm Y tế",
                name_en="Health Station",
                phone="111",
                note="24/24 giờ",
                note_en="day and night",
            ),
            Counselling(name="Tổng đài", phone="112"),
        )
    )
)


def test_each_has_a_line_of_its_own_in_the_language_of_the_student() -> None:
    assert (
        contact(KNOWN, "vi")
        == contact(KNOWN, None)
        == "- 📞 **Trạm Y tế**: 111 (24/24 giờ)\n- 📞 **Tổng đài**: 112"
    )
    assert contact(KNOWN, "en") == "- 📞 **Health Station**: 111 (day and night)\n- 📞 **Tổng đài**: 112"


def test_a_school_that_has_named_nobody_gives_its_own_number() -> None:
    unnamed = Catalog(school=School(name="Trường", phone="100"))

    assert contact(unnamed, "vi") == "- 📞 **Trường**: 100"
    assert contact(Catalog.empty(), "vi") == ""


def test_the_sample_school_names_its_counselling_centre_first_and_somebody_who_is_there_at_night() -> None:
    first, *others = contact(load_knowledge(ROOT / "knowledge").catalog, "vi").splitlines()

    assert "Tham vấn tâm lý" in first
    assert "(0200) 3800 116" in first
    assert any("24/24" in line for line in others)


def test_who_is_mentioned_in_passing_is_the_first_of_them_in_a_few_words() -> None:
    assert first(KNOWN, "vi") == first(KNOWN, None) == "**Trạm Y tế**, 111"
    assert first(KNOWN, "en") == "**Health Station**, 111"


def test_a_school_without_a_number_is_mentioned_by_its_name() -> None:
    assert first(Catalog(school=School(name="Trường")), "vi") == "**Trường**"
