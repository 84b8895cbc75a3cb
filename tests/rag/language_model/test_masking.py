"""What is personal is masked before a text is sent, and put back in the reply."""

from __future__ import annotations

import pytest

from rag.index.format import Index
from rag.language_model.masking import masked
from school.catalog import Catalog
from school.dimensions import Profile
from school.reader import Reader

NOBODY = Profile()


def text_of(text: str) -> str:
    return masked(text, [], NOBODY, Catalog()).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Em tên là Nguyễn Văn An, hỏi học phí", "Em tên là [tên], hỏi học phí"),
        ("mình là Trần Thị Bích muốn hỏi học phí", "mình là [tên] muốn hỏi học phí"),
        ("em ten la nguyen van an hoi hoc phi", "em ten la [tên] hoi hoc phi"),
        ("gọi em số 0912 345 678 nhé", "gọi em số [điện thoại] nhé"),
        ("gọi +84912345678", "gọi [điện thoại]"),
        ("mssv B2112345 bị khóa", "mssv [mã số] bị khóa"),
        ("mã số sinh viên của em: 2112345", "mã số sinh viên của em: [mã số]"),
        ("CCCD 092204001234 của em", "CCCD [mã số] của em"),
        ("viết cho an.nguyen@sv.edu.vn", "viết cho [email]"),
        ("em sinh ngày 01/02/2005", "em sinh ngày [ngày sinh]"),
        ("bạn Lê Văn Tám với bạn Phạm Thị Hoa", "bạn [tên] với bạn [tên 2]"),
    ],
)
def test_what_is_personal_is_masked(text: str, expected: str) -> None:
    assert text_of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Học phí là 15000000 đồng phải không?",
        "em là sinh viên năm 2 muốn hỏi học bổng",
        "Phòng Đào tạo ở đâu?",
        "Quyết định 877/QĐ-ĐH nói gì?",
        "hạn nộp 10/12/2026 đúng không",
        "môn Lý thuyết đồ thị học kỳ mấy",
    ],
)
def test_everything_else_stays(text: str) -> None:
    assert text_of(text) == text


def test_values_of_the_profile_are_masked_and_others_stay(index: Index, reader: Reader) -> None:
    text = "em k48 hỏi chuẩn ngoại ngữ của khóa 46"
    catalog = index.dictionaries.catalog
    found = masked(text, reader.wording.link(text), Profile({"cohort": "48"}), catalog)

    assert "48" not in found.text
    assert "46" in found.text
    assert "48" in found.unmasked(found.text)


def test_a_reply_gets_its_words_back() -> None:
    found = masked("em tên là Nguyễn Văn An", [], NOBODY, Catalog())

    assert found.unmasked("Chào [tên], bạn cần nộp đơn [1].") == "Chào Nguyễn Văn An, bạn cần nộp đơn [1]."
