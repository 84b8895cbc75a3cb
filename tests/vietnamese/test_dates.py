"""Days, months and ranges as students write them."""

from datetime import date

import pytest

from vietnamese.dates import find_dates
from vietnamese.text import fold_with_offsets

SUNDAY = date(2026, 11, 22)


def values(text, today=SUNDAY):
    seen = fold_with_offsets(text)
    return [mention.value for mention in find_dates(seen.folded, seen.lowered, today)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("hạn 15/12", "2026-12-15"),
        ("ngày 5-1", "2027-01-05"),
        ("15.12.2026", "2026-12-15"),
        ("1/12/26", "2026-12-01"),
        ("2026-12-15", "2026-12-15"),
        ("mùng 5 tháng 1", "2027-01-05"),
        ("15 thang 12 nam 2027", "2027-12-15"),
        ("29/2/2028", "2028-02-29"),
        ("tháng giêng", "2027-01"),
        ("tháng 9 năm ngoái", "2025-09"),
        ("12/2026", "2026-12"),
        ("cuối tháng 2", "2027-02-21/2027-02-28"),
        ("đầu tháng sau", "2026-12-01/2026-12-10"),
        ("ngày 5 tháng sau", "2026-12-05"),
        ("thứ hai tuần sau", "2026-11-23"),
        ("thu 6 nay", "2026-11-27"),
        ("tuần trước", "2026-11-09/2026-11-15"),
        ("tối nay", "2026-11-22"),
        ("2 tuần nữa", "2026-12-06"),
        ("từ 28/12 đến 5/1", "2026-12-28/2027-01-05"),
        ("next week", "2026-11-23/2026-11-29"),
        ("15th of December", "2026-12-15"),
        ("by may 5", "2027-05-05"),
    ],
)
def test_what_is_a_date(text, value):
    assert values(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "31/11",
        "29/2/2027",
        "ngày 40 tháng 13",
        "24/7",
        "3/4 điểm",
        "được 7/10",
        "1/2 học phí",
        "ielts 6.5",
        "15.9 điểm",
        "7:30-11:00",
        "0909.15.09.26",
        "(0200) 3800 101",
        "08/2021/TT-BGDĐT",
        "quyết định 15/2021",
        "học kỳ 2/2026",
        "năm 2026-2027",
        "2 tháng",
        "tháng nào",
        "thang diem 10",
        "quy đổi điểm sang thang 4",
        "tuần 5",
        "lần thứ hai này",
        "cô Mai",
        "mãi chưa có",
        "mai mốt tính",
        "mấy 5",
        "ngày một đông",
        "năm nay",
        "dạo này",
        "",
    ],
)
def test_what_is_none(text):
    assert values(text) == []


def test_a_date_without_a_year_is_the_near_one():
    assert values("15/9") == ["2026-09-15"]
    assert values("15/9", date(2026, 8, 1)) == ["2026-09-15"]
    assert values("15/9", date(2027, 2, 1)) == ["2027-09-15"]


def test_several_are_given_in_order():
    assert values("hôm nay hay 15/12 hay tháng 1") == ["2026-11-22", "2026-12-15", "2027-01"]


def test_hostile_text_is_read_to_its_end():
    assert values("1/" * 1_000) == []
    assert len(values("15/12 " * 300)) == 300
