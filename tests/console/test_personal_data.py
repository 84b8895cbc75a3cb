"""Personal data in a student's words, and words that only look like it."""

from __future__ import annotations

import pytest

from console.personal_data import MASK, has_personal_data, masked, unlisted_contacts


@pytest.mark.parametrize(
    "text",
    [
        "học phí năm học 2024-2025 bao nhiêu",
        "HK1 2024-2025 bắt đầu khi nào",
        "học kỳ 2 2025 2026 thi lúc nào",
        "chương trình 2021-2025 và 2022-2026",
        "lịch 2024-2025 2025-2026",
        "đóng trước 15.09.2025 được không",
        "từ 01.09.2025-15.09.2025",
        "hạn là 2025-12-31 à",
        "ngày 15-12-2025 có nghỉ không",
        "ngày 15/12/2025, 15 12 2025",
        "học phí 12.500.000 phải không",
        "khoảng 15.000.000-20.000.000 một năm",
        "nộp 12500000 đồng rồi",
        "nộp 12 345 678đ rồi ạ",
        "học bổng 1234567 VNĐ",
        "theo quyết định 12/2023/QĐ-ĐHX",
        "thông tư 08/2021/TT-BGDĐT và công văn 1234567/BGDĐT-GDĐH",
        "số 20231234/2023/NQ-HĐT",
        "môn CT174 và CT176 năm 2024",
    ],
)
def test_years_dates_sums_and_documents_are_nobodys(text: str) -> None:
    assert masked(text) == text
    assert not has_personal_data(text)
    assert unlisted_contacts(text, []) == []


@pytest.mark.parametrize(
    ("text", "personal"),
    [
        ("gọi em 0912345678 nhé", "0912345678"),
        ("sđt 0912.345.600", "0912.345.600"),
        ("09 12 34 56 78 là số em", "09 12 34 56 78"),
        ("+84 912 345 678", "+84 912 345 678"),
        ("84 912 345 678", "84 912 345 678"),
        ("0292-387-2728", "0292-387-2728"),
        ("1900 1234 là tổng đài", "1900 1234"),
        ("mssv 20123456", "20123456"),
        ("em là B2012345", "B2012345"),
        ("2012345 đồng ý ạ", "2012345"),
        ("20242025 là mã của em", "20242025"),
        ("cccd 079203001234", "079203001234"),
        ("cccd 079 203 001 234", "079 203 001 234"),
        ("mail em an.b20@sv.truong.vn", "an.b20@sv.truong.vn"),
        ("stk 45-13-2025-77", "45-13-2025-77"),
        ("số 12.345.678", "12.345.678"),
        ("0912345678 đ", "0912345678"),
    ],
)
def test_phones_student_numbers_cards_and_mail_are_personal(text: str, personal: str) -> None:
    assert masked(text) == text.replace(personal, MASK)
    assert has_personal_data(text)
    assert unlisted_contacts(text, []) == [personal]


def test_a_year_beside_a_student_number_hides_nothing() -> None:
    assert masked("HK1 2024-2025, mssv B2012345") == f"HK1 2024-2025, mssv {MASK}"
    assert masked("0912 2024-2025") == MASK
