"""Fields of study that a school does not teach, as messages ask about them."""

from __future__ import annotations

import pytest

from school.fields_of_study import FieldsOfStudy, absent_fields, without_name

SUBJECTS = ("Luật", "Luật kinh tế", "Quản trị dịch vụ du lịch và lữ hành")
TEXTS = ("Bệnh viện Đa khoa", "Bảo hiểm y tế", "Phòng tham vấn tâm lý", "Ngành Thống kê")
ABSENT = absent_fields(TEXTS, SUBJECTS)


def asked(text: str, *subjects: str) -> str | None:
    return FieldsOfStudy(ABSENT, subjects).absent(text)


def test_a_field_that_is_named_in_any_way_is_not_absent() -> None:
    assert not {"luat", "luat kinh te", "law", "du lich", "thong ke"} & set(ABSENT)
    assert {"y", "y da khoa", "dieu duong", "logistics"} <= set(ABSENT)


def test_an_everyday_word_of_a_text_teaches_no_field() -> None:
    assert {"tam ly", "tam ly hoc", "bao hiem"} <= set(ABSENT)


def test_the_fields_of_the_official_list_are_many() -> None:
    assert len(set(absent_fields(()))) >= 500


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("cho em hỏi điểm chuẩn ngành y đa khoa", "y da khoa"),
        ("nganh y lay bao nhieu diem", "y"),
        ("trường có đào tạo kỹ thuật ô tô không ạ", "o to"),
        ("học phí ngành Điều dưỡng?", "dieu duong"),
        ("is there a bachelor of nursing", "nursing"),
        ("ngành tâm lý học lấy bao nhiêu điểm", "tam ly hoc"),
        ("nganh tam ly co ko", "tam ly"),
        ("trường có khoa y không", "y"),
        ("ngành sư phạm vật lý có không", "su pham vat ly"),
        ("nganh quan ly dat dai lay bao nhieu", "quan ly dat dai"),
        ("ngành gốm sứ lấy bao nhiêu điểm", "gom su"),
        ("sư phạm vật lý có ko", "su pham vat ly"),
        ("dieu duong co day k ad", "dieu duong"),
        ("do you also have a medical school", "medical school"),
    ],
)
def test_who_asks_about_an_absent_field_is_understood(text: str, field: str) -> None:
    assert asked(text) == field


@pytest.mark.parametrize(
    "text",
    [
        "ngành luật lấy bao nhiêu điểm",
        "ngành y tế trường học là gì",
        "hồ sơ chuyển ngành gồm những gì",
        "ho so chuyen nganh gom gi",
        "phòng đào tạo mở cửa mấy giờ",
        "phòng đào tạo ý kiến sao ạ",
        "em tốt nghiệp ngành điều dưỡng rồi, học văn bằng hai được không",
        "em muốn làm điều dưỡng",
        "tâm lý có ko",
        "đặt hẹn tham vấn tâm lý thế nào",
        "học phí tâm lý",
        "đóng bảo hiểm ở đâu",
        "khoa ý kiến thế nào",
    ],
)
def test_other_messages_ask_about_no_absent_field(text: str) -> None:
    assert asked(text) is None


def test_who_names_a_taught_subject_too_asks_about_that() -> None:
    assert asked("ngành logistics với kế toán ngành nào dễ hơn", "Kế toán") is None


def test_a_longer_name_is_another_field_than_the_subject_in_it() -> None:
    assert asked("ngành luật quốc tế lấy bao nhiêu điểm", "Luật") == "luat quoc te"
    assert asked("ngành luật lấy bao nhiêu điểm", "Luật") is None
    assert asked("ngành an toàn thông tin mạng", "An toàn thông tin mạng") is None


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
    assert without_name(text, "y da khoa") == rest
