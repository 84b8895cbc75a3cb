"""Entities are found as people type them, and everyday words are not taken for them."""

from __future__ import annotations

import pytest

from rag.graph.types import FoundBy, Node, Provenance
from rag.retrieve.entity_lookup import EntityLookup, place_named, words_of

PLACE = Provenance(FoundBy.CATALOG, "catalog")


def node(kind: str, local: str, name: str, *names: str, **properties: str) -> Node:
    return Node(f"{kind}:{local}", kind, name, PLACE, (name, *names), properties)


LOOKUP = EntityLookup(
    [
        node("Course", "CT201", "Cấu trúc dữ liệu", "ctdl", "CT201"),
        node("Course", "CT202", "Cơ sở dữ liệu", "csdl"),
        node("Course", "TN111", "Giải tích 1", "gt1"),
        node("Course", "TN112", "Giải tích 2", "gt2"),
        node("Course", "ML101", "Triết học Mác - Lênin", "triết", "triết mác"),
        node("Course", "NT1", "Hệ thống nhúng", "nhúng"),
        node("Major", "ketoan", "Kế toán"),
        node("Major", "luatkt", "Luật kinh tế"),
        node("Course", "L204", "Luật kinh tế quốc tế"),
        node("Course", "KE1", "Kế toán", "KE101"),
        node("Person", "khanh", "Lê Vĩnh Khánh", role="Trưởng bộ môn Toán"),
        node("Person", "van", "Phạm Hồng Vân"),
        node("Office", "pdt", "Phòng Đào tạo", "pđt"),
        node("Form", "tc02", "Đơn gia hạn học phí (mẫu TC-02)", "tc-02"),
        node("Deadline", "k51", "Hạn đóng bảo hiểm y tế của khóa 51"),
        node("Deadline", "k52", "Hạn đóng bảo hiểm y tế của khóa 52"),
        node("Deadline", "he", "Học kỳ hè: hạn cuối 15/7/2026"),
        node("Document", "qc25", "Quy chế đào tạo trình độ đại học", issued="2025-07-18"),
        node("Document", "qc21", "Quy chế đào tạo theo tín chỉ", issued="2021-07-26"),
        node("Book", "b1", "Giáo trình Cấu trúc dữ liệu"),
    ],
    frequent=frozenset({"noi", "may", "day"}),
)


def found(text: str) -> dict[str, tuple[str, ...]]:
    """Return the nodes found by their words."""
    said = words_of(text)
    return {
        " ".join(word.spelled for word in said[link.start : link.end]): link.nodes
        for link in LOOKUP.links(said)
    }


@pytest.mark.parametrize(
    "text",
    [
        "Cấu trúc dữ liệu",
        "cau truc du lieu",
        "CẤU TRÚC DỮ LIỆU",
        "ctdl",
        "CT201",
        "cau truc du lieuu",
        "cấu trúc dử liệu",
        "cautruc dulieu",
        "cấu trúc dữ",
    ],
)
def test_a_course_is_found_however_it_is_typed(text: str) -> None:
    assert list(found(f"môn {text} mấy tín").values()) == [("Course:CT201",)]


def test_the_beginning_of_several_names_means_all_of_them() -> None:
    assert found("giải tích mấy tín") == {"giải tích": ("Course:TN111", "Course:TN112")}


@pytest.mark.parametrize("text", ["triết mấy", "cơ sở 2 ở đâu", "cấu hình dữ liệu", "co van hoc tap"])
def test_words_that_name_nothing(text: str) -> None:
    assert "Person:van" not in str(found(text))
    assert "Course:CT202" not in str(found(text))
    assert all(words != "triết mấy" for words in found(text))


def test_other_diacritics_are_another_word() -> None:
    assert found("nhưng mà") == {}


def test_a_name_of_two_types_is_both() -> None:
    assert set(found("kế toán").values()) <= {("Major:ketoan",), ("Course:KE1",)}
    said = words_of("kế toán")
    assert {link.kind for link in LOOKUP.links(said)} == {"Major", "Course"}


def test_a_person_is_known_by_the_last_name_behind_a_title_and_by_a_role() -> None:
    assert found("thầy Khánh dạy gì") == {"khánh": ("Person:khanh",)}
    assert found("khánh hòa") == {}
    assert found("trưởng bộ môn toán là ai") == {"trưởng bộ môn toán": ("Person:khanh",)}


def test_a_form_is_known_without_its_brackets_and_by_its_code() -> None:
    assert found("đơn gia hạn học phí nộp ở đâu")["đơn gia hạn học phí"] == ("Form:tc02",)
    assert found("mẫu TC-02 nộp ở đâu")["tc 02"] == ("Form:tc02",)


def test_another_number_is_another_entity() -> None:
    assert found("hạn đóng bảo hiểm y tế của khóa 51")["hạn đóng bảo hiểm y tế của khóa 51"] == (
        "Deadline:k51",
    )
    assert all("Deadline" not in nodes[0] for nodes in found("hạn đóng bảo hiểm y tế của khóa 47").values())


def test_a_time_alone_names_no_deadline() -> None:
    assert found("học kỳ hè hạn cuối là khi nào")["học kỳ hè hạn cuối"] == ("Deadline:he",)
    assert found("còn học kỳ hè thì sao") == {}


def test_the_year_tells_documents_of_a_name_apart() -> None:
    assert found("quy chế đào tạo 2021 còn hiệu lực không")["quy chế đào tạo 2021"] == ("Document:qc21",)


def test_a_book_is_known_by_its_course_behind_a_word_for_books() -> None:
    assert found("sách cấu trúc dữ liệu của ai") == {"sách cấu trúc dữ liệu": ("Book:b1",)}


@pytest.mark.parametrize(
    ("text", "locator"),
    [
        ("khoản 2 Điều 12 quy chế", "Điều 12, khoản 2"),
        ("dieu 12 khoan 2", "Điều 12, khoản 2"),
        ("điểm a khoản 2 của điều 12", "Điều 12, khoản 2, điểm a"),
        ("điều 3", "Điều 3"),
    ],
)
def test_places_of_a_document(text: str, locator: str) -> None:
    place = place_named(words_of(text))

    assert place is not None
    assert place.locator == locator


def test_a_long_message_and_strange_signs_are_no_trouble() -> None:
    assert found("\u202e" * 50 + "'); DROP TABLE " + "a " * 5000) == {}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("luật kinh tế học mấy tín", {"Major"}),
        ("em học luật kinh tế mấy tín", {"Major"}),
        ("môn luật kinh tế mấy tín", {"Major", "Course"}),
        ("luật kinh tế quốc tế mấy tín", {"Course"}),
    ],
)
def test_a_whole_name_is_no_beginning_of_another_one(text: str, kinds: set[str]) -> None:
    assert {link.kind for link in LOOKUP.links(words_of(text))} == kinds
