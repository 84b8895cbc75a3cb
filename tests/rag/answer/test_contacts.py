"""The offices that an answer names, with their contact data in the catalogue."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from rag.answer.contacts import (
    contacts_named,
    counselling_contacts,
    map_search,
    office_contact,
    office_of,
    school_contact,
)
from rag.types import FaqEntry
from school.catalog import Campus, Catalog, Counselling, Office, School

STUDY = Office(
    id="pdt",
    name="Phòng Đào tạo",
    name_en="Academic Office",
    phone="(0200) 101",
    email="pdt@dh.example",
    location="Nhà H1, Cơ sở 2",
)
MONEY = Office(id="tc", name="Phòng Tài chính - Kế toán", phone="0200 103", hours="sáng")
LIBRARY = Office(id="tv", name="Thư viện", phone="0200 109")
HOTLINE = Counselling(
    name="Ngày Mai", name_en="Tomorrow", phone="096 306", note="khủng hoảng", note_en="crisis"
)
CATALOG = Catalog(
    school=School(
        name="Trường Sông Mây",
        name_en="Song May University",
        phone="0200 100",
        address="1 Sông & Mây",
        hours="giờ hành chính",
        campuses=(Campus("Cơ sở 1 (Đồi)", "1 Đồi"), Campus("Cơ sở 2 (Rừng)", "2 Rừng")),
        counselling=(Counselling(office="tv", phone="0200 999"), HOTLINE),
    ),
    offices=(STUDY, MONEY, LIBRARY),
)


def names(text: str) -> list[str]:
    return [contact.name for contact in contacts_named(text, CATALOG)]


@pytest.mark.parametrize(
    "text",
    [
        "Bạn đến Phòng Đào tạo.",
        "Bạn đến **phòng Đào tạo** nhé.",
        "Bạn gọi (0200) 101.",
        "Bạn viết cho PDT@dh.example.",
        "Ask the Academic Office.",
    ],
)
def test_an_office_is_named_by_its_name_its_phone_or_its_address(text: str) -> None:
    assert names(text) == ["Phòng Đào tạo"]


@pytest.mark.parametrize(
    "text",
    ["phòng đào tạo của khoa", "xuống thư viện đọc sách", "(0200) 1012", "apdt@dh.example", "Phòng Đào tạo2"],
)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert names(text) == []


def test_they_come_in_the_order_of_the_text_each_once() -> None:
    said = "Nộp ở Phòng Tài chính – Kế toán (0200 103), rồi Thư viện, rồi Phòng Tài chính-Kế toán; khi gấp gọi 096 306."

    assert names(said) == ["Phòng Tài chính - Kế toán", "Thư viện", "Ngày Mai"]


def test_a_name_within_a_longer_one_is_not_named() -> None:
    inner = Office(id="a", name="Tin học")
    outer = Office(id="b", name="Trung tâm Tin học")

    assert [c.name for c in contacts_named("Đến Trung tâm Tin học.", Catalog(offices=(inner, outer)))] == [
        outer.name
    ]


def test_an_office_has_all_that_the_catalogue_says_in_the_language_of_the_talk() -> None:
    in_english = office_contact(STUDY, CATALOG, "en")

    assert (in_english.name, in_english.phone, in_english.email) == (
        "Academic Office",
        "(0200) 101",
        "pdt@dh.example",
    )
    assert in_english.address == "Nhà H1, Cơ sở 2"
    assert in_english.hours == "giờ hành chính", "the school's, when the office has none"
    assert office_contact(MONEY, CATALOG, "en").name == MONEY.name, "what has no English name keeps its own"
    assert office_contact(MONEY, CATALOG).hours == "sáng"


def test_a_map_shows_the_campus_of_an_office_and_nothing_for_one_that_says_no_place() -> None:
    assert parse_qs(urlsplit(office_contact(STUDY, CATALOG).map_url).query) == {
        "api": ["1"],
        "query": ["2 Rừng"],
    }
    assert office_contact(MONEY, CATALOG).map_url == ""


def test_a_map_of_the_catalogue_counts_more() -> None:
    shown = Office(id="a", name="A", location="Nhà H1", map_url="https://maps.example/a")

    assert office_contact(shown, CATALOG).map_url == "https://maps.example/a"


@pytest.mark.parametrize("address", ["1 Sông & Mây", 'a"><script>', "a?b=c#d", "đường 3/2\u202e"])
def test_no_address_breaks_out_of_the_link_that_looks_for_it(address: str) -> None:
    url = map_search(address)

    assert url.isascii()
    assert not set(url) & set("\"'<> ")
    assert parse_qs(urlsplit(url).query)["query"] == [address]


def test_counselling_has_what_stands_with_it_and_else_what_its_office_has() -> None:
    first, hotline = counselling_contacts(CATALOG, "en")

    assert (first.name, first.phone, first.hours) == ("Thư viện", "0200 999", "giờ hành chính")
    assert (hotline.name, hotline.phone, hotline.note, hotline.map_url) == (
        "Tomorrow",
        "096 306",
        "crisis",
        "",
    )


def test_a_school_that_has_named_nobody_is_turned_to_itself() -> None:
    unnamed = Catalog(school=School(name="Trường", phone="100"))

    assert counselling_contacts(unnamed) == (school_contact(unnamed),)
    assert counselling_contacts(Catalog()) == ()


def answered(text: str, owner: str | None = None) -> FaqEntry:
    return FaqEntry(id="e", question="?", variants=(), answer=text, topic="", owner=owner)


def test_the_office_of_a_conversation_is_the_single_one_that_an_answer_names_or_the_first() -> None:
    both = answered("Hỏi Phòng Đào tạo hoặc Thư viện.", owner="tv")
    nothing, money = answered("Không.", owner="tv"), answered("Nộp ở Phòng Tài chính - Kế toán.")

    assert office_of([money, both], CATALOG) == MONEY
    assert office_of([nothing, both, money], CATALOG) == MONEY
    assert office_of([nothing, both], CATALOG) == LIBRARY
    assert office_of([both, money], CATALOG) == MONEY
    assert office_of([both, nothing], CATALOG) == STUDY
    assert office_of([answered("Không.")], CATALOG) is None
    assert office_of([], CATALOG) is None
