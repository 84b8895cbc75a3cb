"""Fields of study that a school does not teach, as messages ask about them."""

from __future__ import annotations

import pytest

from school.fields_of_study import FieldsOfStudy, absent_fields, without_field

TAUGHT = ("Luật kinh tế", "Quản trị dịch vụ du lịch và lữ hành", "Bệnh viện Đa khoa", "Bảo hiểm y tế")
ABSENT = absent_fields(TAUGHT)


def asked(text: str, *subjects: str) -> str | None:
    return FieldsOfStudy(ABSENT, subjects).absent(text)


def test_a_field_that_is_named_in_any_way_is_not_absent() -> None:
    assert not {"luat", "luat kinh te", "law", "du lich", "bao hiem"} & set(ABSENT)
    assert {"y", "y da khoa", "dieu duong", "logistics"} <= set(ABSENT)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("cho em hỏi điểm chuẩn ngành y đa khoa", "y da khoa"),
        ("nganh y lay bao nhieu diem", "y"),
        ("trường có đào tạo kỹ thuật ô tô không ạ", "o to"),
        ("học phí ngành Điều dưỡng?", "dieu duong"),
        ("is there a bachelor of nursing", "nursing"),
    ],
)
def test_who_asks_about_an_absent_field_is_understood(text: str, field: str) -> None:
    assert asked(text) == field


@pytest.mark.parametrize(
    "text",
    [
        "ngành luật lấy bao nhiêu điểm",
        "ngành y tế trường học là gì",
        "phòng đào tạo mở cửa mấy giờ",
        "phòng đào tạo ý kiến sao ạ",
        "em tốt nghiệp ngành điều dưỡng rồi, học văn bằng hai được không",
        "em muốn làm điều dưỡng",
    ],
)
def test_other_messages_ask_about_no_absent_field(text: str) -> None:
    assert asked(text) is None


def test_who_names_a_taught_subject_too_asks_about_that() -> None:
    assert asked("ngành logistics với kế toán ngành nào dễ hơn", "Kế toán") is None


def test_a_school_without_majors_has_no_absent_field() -> None:
    assert FieldsOfStudy((), ()).absent("ngành y đa khoa") is None


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("điểm chuẩn ngành Y đa khoa là bao nhiêu", "điểm chuẩn là bao nhiêu"),
        ("học phí luật", "học phí luật"),
    ],
)
def test_what_is_asked_stays_without_the_field(text: str, rest: str) -> None:
    assert without_field(text, "y da khoa") == rest
