"""The contacts that a student in trouble gets."""

from __future__ import annotations

from typing import Any

from actions.counselling import all_contacts, first_contact
from covan.project import ROOT
from rag.ingest.load import load_knowledge
from school.catalog import Catalog, Counselling, School

KNOWN = Catalog(
    school=School(
        counselling=(
            Counselling(
                name="Trạm Y tế",
                name_en="Health Station",
                phone="111",
                hours="24/24 giờ",
                hours_en="day and night",
                note="miễn phí",
                note_en="free",
            ),
            Counselling(name="Tổng đài", phone="112"),
        )
    )
)


def cards(said: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = said["json_message"]["cards"]
    return found


def told(said: dict[str, Any], *names: str) -> list[tuple[str, ...]]:
    return [tuple(card[name] for name in names) for card in cards(said)]


def test_each_has_a_card_of_its_own_in_the_language_of_the_student() -> None:
    fields = ("kind", "name", "phone", "hours", "note")

    assert told(all_contacts(KNOWN, "vi"), *fields) == [
        ("contact", "Trạm Y tế", "111", "24/24 giờ", "miễn phí"),
        ("contact", "Tổng đài", "112", "", ""),
    ]
    assert told(all_contacts(KNOWN, "en"), *fields) == [
        ("contact", "Health Station", "111", "day and night", "free"),
        ("contact", "Tổng đài", "112", "", ""),
    ]


def test_a_school_that_has_named_nobody_gives_its_own_number() -> None:
    unnamed = Catalog(school=School(name="Trường", phone="100"))

    assert told(all_contacts(unnamed, "vi"), "name", "phone") == [("Trường", "100")]
    assert all_contacts(Catalog(school=School(name="Trường", email="a@b.example")), "vi") == {}
    assert all_contacts(Catalog(), "vi") == {}


def test_the_sample_school_names_its_counselling_centre_first_and_somebody_who_is_there_at_night() -> None:
    first, *others = cards(all_contacts(load_knowledge(ROOT / "knowledge").catalog, "vi"))

    assert "Tham vấn tâm lý" in first["name"]
    assert first["phone"] == "(0200) 3800 116"
    assert first["address"]
    assert first["hours"]
    assert any("24/24" in other["hours"] for other in others)


def test_who_is_mentioned_in_passing_is_the_first_of_them_with_their_card() -> None:
    said = first_contact(KNOWN, "vi")

    assert said["counselling"] == "**Trạm Y tế**"
    assert told(said, "name", "phone") == [("Trạm Y tế", "111")]
    assert first_contact(KNOWN, "en")["counselling"] == "**Health Station**"


def test_a_school_without_a_number_is_mentioned_by_its_name() -> None:
    assert first_contact(Catalog(school=School(name="Trường")), "vi") == {"counselling": "**Trường**"}
