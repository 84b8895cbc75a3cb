"""Questions that ask the same in other words are told from those that only look alike."""

from __future__ import annotations

import pytest

from console.publishing import Publisher
from console.question_likeness import LEAST_COSINE, LEAST_LIKENESS, QuestionLikeness
from rag.types import FaqEntry

COSINE = 0.97
"""The sentence vectors (E5) of the pairs here have cosines from 0.94 to 0.99, those that differ as well."""


def likeness(publisher: Publisher, one: str, other: str, cosine: float = COSINE) -> float:
    live = publisher.live
    before = live.index()
    made = tuple(FaqEntry(f"made-{n}", text, (), "Có.", "study") for n, text in enumerate((one, other)))
    index = live.with_faq(before, (*before.faq, *made), before.rules)
    rows = [len(before.faq), len(before.faq) + 1]
    first, second = (next(n for n, own in enumerate(index.faq_rows) if row in own) for row in rows)
    return QuestionLikeness(index).of(first, second, cosine)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Căng tin của Trường ở đâu?", "Căng tin trường ở đâu?"),
        ("Trường có phòng tập gym không?", "truong minh co phong tap gym khong a"),
        ("Điều kiện học vượt là gì?", "Muốn học vượt thì cần điều kiện gì?"),
        ("Thư viện mở cửa mấy giờ?", "Giờ mở cửa của thư viện là mấy giờ?"),
        ("Hút thuốc trong trường bị phạt thế nào?", "Hút thuốc ở trường thì bị phạt ra sao?"),
    ],
)
def test_the_same_in_other_words(publisher: Publisher, one: str, other: str) -> None:
    assert likeness(publisher, one, other) >= LEAST_LIKENESS
    assert likeness(publisher, one, other) == likeness(publisher, other, one)
    assert likeness(publisher, one, other, LEAST_COSINE - 0.01) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Another thing.
        ("Chương trình tiên tiến nộp TOEIC được không?", "Chương trình tiên tiến nộp JLPT được không?"),
        ("Giấy ủy quyền nhập học viết tay được không?", "Giấy ủy quyền nhận bằng viết tay được không?"),
        ("Hút thuốc trong trường bị phạt thế nào?", "Hút thuốc ở ký túc xá bị phạt thế nào?"),
        ("Vắng mấy buổi thì bị cấm thi?", "Học quân sự vắng mấy buổi thì bị cấm thi?"),
        # Another aspect.
        ("Căng tin trường ở đâu?", "Căng tin trường mở cửa mấy giờ?"),
        ("Hồ sơ miễn giảm học phí gồm những gì?", "Hồ sơ miễn giảm học phí nộp ở đâu?"),
        # Another extreme, another year.
        (
            "Mỗi học kỳ chính được đăng ký tối đa bao nhiêu tín chỉ?",
            "Mỗi học kỳ chính phải đăng ký tối thiểu bao nhiêu tín chỉ?",
        ),
        ("Điểm chuẩn đại học năm 2026 là bao nhiêu?", "Điểm chuẩn đại học năm 2025 là bao nhiêu?"),
        # Too little is said.
        ("Bao nhiêu tín chỉ?", "Tín chỉ"),
    ],
)
def test_what_only_looks_alike(publisher: Publisher, one: str, other: str) -> None:
    assert likeness(publisher, one, other) == 0
