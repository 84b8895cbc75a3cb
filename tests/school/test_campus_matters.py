"""Things of a campus of which a school has published nothing, in messages about them."""

from __future__ import annotations

import pytest

from school.campus_matters import CampusMatters, is_told, matters_in_passing, unpublished_matters

PUBLISHED = (
    "Thư viện mở cửa mấy giờ?",
    "Thư viện mở cửa từ 7:30. Máy in đặt ở tầng 1.",
    "Các khu dùng chung (phòng tự học, phòng giặt, nhà ăn) mở đến 22:00.",
    "Phí gửi xe (theo tháng) là 50.000 đồng.",
)
UNPUBLISHED = unpublished_matters(PUBLISHED)
MATTERS = CampusMatters(UNPUBLISHED, matters_in_passing(PUBLISHED, UNPUBLISHED))


def test_what_is_said_anywhere_is_published_and_what_is_named_in_passing_is_not() -> None:
    absent = unpublished_matters(PUBLISHED)

    assert {"hồ bơi", "swimming pool", "căng tin", "nhà ăn"} <= set(absent)
    assert not {"máy in", "printer", "gửi xe", "parking"} & set(absent)


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("hồ bơi của trường mở cửa mấy giờ", "hồ bơi"),
        ("canteen truong may gio mo v ad", "canteen"),
        ("truong minh co ho boi ko a", "ho boi"),
        ("Giá vé bể bơi cho sinh viên là bao nhiêu?", "bể bơi"),
        ("does the school have a swimming pool?", "swimming pool"),
        ("lịch nghỉ tết năm 2027", "lịch nghỉ tết"),
        ("ktx có hồ bơi ko", "hồ bơi"),
        ("cho xin sdt rieng cua thay truong phong di", "sdt rieng"),
        ("số riêng của cô cố vấn là gì ạ", "số riêng"),
        ("thu vien co cho ngu trua hok", "cho ngu trua"),
        ("is there a swimming pool in the dorm", "swimming pool"),
    ],
)
def test_a_message_about_an_unpublished_thing_alone_is_understood(text: str, thing: str) -> None:
    assert MATTERS.absent(text) == thing


@pytest.mark.parametrize(
    "text",
    [
        "thư viện mở cửa mấy giờ",
        "gửi xe tháng bao nhiêu",
        "bị té ở hồ bơi thì bảo hiểm có trả không",
        "ăn ở căng tin bị ngộ độc thì gọi ai",
        "ký túc xá có nhà ăn không",
        "tết có được ở lại ký túc xá không",
        "học phí bao nhiêu",
        "",
    ],
)
def test_a_message_about_more_than_the_thing_is_looked_up(text: str) -> None:
    assert MATTERS.absent(text) is None


def test_a_thing_is_told_of_by_any_of_its_names() -> None:
    assert is_told("ho boi", ["Trường có bể bơi không?", "Có, ở khu B."])
    assert is_told("hồ bơi", ["Hồ bơi mở cửa lúc 6 giờ."])
    assert not is_told("hồ bơi", ["Phòng gym ở khu B.", "Hồ sơ bơi lội"])
