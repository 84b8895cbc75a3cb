"""A question about another university is recognised, and no everyday phrase is taken for one."""

from __future__ import annotations

import pytest

from school.catalog import School
from school.institutions import Institutions

OWN = School(
    id="dhsm",
    name="Trường Đại học Sông Mây",
    name_en="Song May University",
    short="ĐHSM",
    aliases=("Đại học Sông Mây", "SMU"),
)


@pytest.fixture(scope="module")
def institutions() -> Institutions:
    return Institutions(OWN)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Học phí Đại học Bách khoa Hà Nội?", "Đại học Bách khoa"),
        ("hoc phi dai hoc can tho", "dai hoc can tho"),
        ("HỌC PHÍ ĐH KINH TẾ QUỐC DÂN", "ĐH KINH TẾ QUỐC DÂN"),
        ("Trường Đại học Ngoại thương xét học bạ không", "Trường Đại học Ngoại thương"),
        ("điểm chuẩn của NEU năm nay", "NEU"),
        ("em muốn vào rmit", "rmit"),
        ("so với Harvard thì sao", "Harvard"),
        ("học viện ngân hàng có ký túc xá không", "học viện ngân hàng"),
        ("Đại học Mở tuyển sinh khi nào", "Đại học Mở"),
    ],
)
def test_other_universities(institutions: Institutions, text: str, name: str) -> None:
    found = institutions.foreign(text)

    assert found is not None
    assert name in found or found in name
    assert found in text


@pytest.mark.parametrize(
    "text",
    [
        "Học phí của trường là bao nhiêu?",
        "Học phí Đại học Sông Mây?",
        "truong dai hoc song may o dau",
        "smu có ký túc xá không",
        "ĐHSM tuyển sinh ngành gì",
        "ngành kinh tế học những gì",
        "khoa công nghệ thông tin ở đâu",
        "điều kiện học đại học từ xa",
        "phòng tài chính ở đâu",
        "em neu ly do trong don",
        "",
    ],
)
def test_the_own_school_and_common_words(institutions: Institutions, text: str) -> None:
    assert institutions.foreign(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Trường mở đăng ký học phần khi nào?",
        "Nhà trường mở lớp hè vào tháng mấy?",
        "truong mo cong dang ky luc may gio",
        "trường xây dựng thời khóa biểu thế nào",
        "trường vinh danh sinh viên xuất sắc khi nào",
        "trường có an ninh không",
    ],
)
def test_what_a_school_does_is_not_its_name(institutions: Institutions, text: str) -> None:
    assert institutions.foreign(text) is None


def test_a_comparison_with_the_own_school_is_about_the_own_school(institutions: Institutions) -> None:
    assert institutions.foreign("Đại học Sông Mây khác gì Đại học Cần Thơ?") is None


def test_a_well_known_name_that_is_the_own_one_is_no_other() -> None:
    can_tho = Institutions(
        School(id="ctu", name="Trường Đại học Cần Thơ", short="CTU", aliases=("ĐH Cần Thơ",))
    )

    assert can_tho.foreign("học phí đại học cần thơ") is None
    assert can_tho.foreign("CTU ở đâu") is None
    assert can_tho.foreign("học phí ĐH Cần Thơ") is None
    assert can_tho.foreign("học phí đại học đà nẵng") is not None


def test_a_folder_that_does_not_name_its_school_knows_no_other() -> None:
    assert Institutions(School()).foreign("học phí Đại học Bách khoa") is None
