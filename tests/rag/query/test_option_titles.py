"""Buttons tell in a student's words what a passage is about."""

from __future__ import annotations

import pytest

from rag.query.option_titles import TITLE_CHARS, is_formal, passage_title
from rag.types import Passage

TEXT = (
    "Ngành chăn nuôi đào tạo kỹ sư, có học bổng và cơ hội việc làm cho sinh viên của trường ở mọi khóa học."
)


def passage(title: str, *context: str) -> Passage:
    return Passage("p", TEXT, "d", title, "", context=context)


@pytest.mark.parametrize(
    ("title", "context", "said"),
    [
        ("Quy định về đăng ký học phần", ("Điều 14. Học kỳ hè",), "Đăng ký học phần: học kỳ hè"),
        (
            "Quy chế đào tạo trình độ đại học (ban hành năm 2025)",
            ("Chương II. TỔ CHỨC ĐÀO TẠO", "Điều 6. Khối lượng đăng ký"),
            "Đào tạo trình độ đại học: khối lượng đăng ký",
        ),
        ("Quy định về học phí", ("Điều 4. Điều kiện",), "Học phí: điều kiện"),
        ("Nội quy Ký túc xá", ("Điều 8. Wifi",), "Ký túc xá: wifi"),
        ("Quy định chuẩn ngoại ngữ", ("Điều 3. IELTS và TOEIC",), "Chuẩn ngoại ngữ: IELTS và TOEIC"),
        (
            "Quy định chuẩn tin học tốt nghiệp",
            ("QUY ĐỊNH CHUẨN TIN HỌC TỐT NGHIỆP",),
            "Chuẩn tin học tốt nghiệp",
        ),
        ("", ("Chương II", "Điều 5. Học bổng"), "Học bổng"),
        ("Quy định về học bổng", ("Điều 5. Học bổng",), "Học bổng"),
        ("Quy định về học phí", ("1. Bảng mức thu:",), "Học phí: bảng mức thu"),
    ],
)
def test_a_title_tells_the_matter_and_the_heading(title: str, context: tuple[str, ...], said: str) -> None:
    assert passage_title(passage(title, *context)) == said


@pytest.mark.parametrize(
    "heading",
    ["Điều 2", "Chương II.", "Điều 9. Điều khoản thi hành", "QUYẾT ĐỊNH", "1.2.", "Điều 1. Hiệu lực"],
)
def test_a_heading_that_says_nothing_is_passed_over(heading: str) -> None:
    formal = passage("Quy định về học phí", "Chương II. Miễn, giảm", heading)

    assert passage_title(formal) == "Học phí: miễn, giảm"


def test_an_article_on_the_force_of_its_document_is_formal() -> None:
    assert is_formal(passage("Quy định về học phí", "Điều 1. Phạm vi và đối tượng"))
    for context in ((), ("Điều 1",), ("Điều 1. Hiệu lực", "Điều 2. Mức thu")):
        assert not is_formal(passage("Quy định về học phí", *context))


def test_without_a_heading_a_passage_is_titled_by_its_beginning() -> None:
    title = passage_title(passage("Quy định về học phí"))

    assert title.startswith("Ngành chăn nuôi đào tạo")
    assert len(title) <= TITLE_CHARS + 1
    assert not is_formal(passage("Quy định về học phí"))


def test_a_long_title_is_cut_at_words() -> None:
    long = passage("Quy định về " + "một điều rất dài " * 9, "Điều 3. " + "một điều khác nữa " * 9)

    assert len(passage_title(long)) <= TITLE_CHARS + 1
    assert "…: một điều khác" in passage_title(long)
