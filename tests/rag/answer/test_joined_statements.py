"""The verifier on sentences that have only words of their passage and say something else: joined, cut or turned."""

from __future__ import annotations

import pytest

from rag.answer.verify import Unsupported, evidence_of, unsupported
from rag.types import Passage

PASSAGE = Passage(
    id="1",
    text=(
        "1. Mỗi phòng bầu một trưởng phòng; trưởng phòng được giảm 10 % phí nội trú.\n"
        "2. Ban tự quản hòa giải mâu thuẫn giữa các thành viên trong 5 ngày làm việc.\n"
        "3. Sinh viên nuôi con nhỏ dưới 36 tháng được xin ngoại trú.\n"
        "4. Đồ dùng bị mất được đền bù nếu người ở báo ngay trong tuần.\n"
        "5. Thời gian ở là 8 tuần đối với khóa 49 và 12 tuần đối với khóa 50.\n"
        "6. Khách không nộp tiền gửi xe. Sinh viên nộp tiền gửi xe theo tháng.\n"
        "7. Mỗi sinh viên chỉ được gửi một xe máy, có xác nhận của UBND cấp xã.\n"
        "8. Phó Trưởng ban ký thẻ xe; thẻ xe được cấp tối đa hai lần."
    ),
    document_id="d",
    title="Nội quy của nhiều khu",
    locator="Điều 4",
)
ROWS = Passage(
    id="2",
    text=(
        "1. Mức học bổng:\n"
        "Loại: Giỏi; Điểm trung bình: từ 3,30; Điểm rèn luyện: từ 80\n"
        "Loại: Khá; Điểm trung bình: từ 2,70; Điểm rèn luyện: từ 65"
    ),
    document_id="d",
    title="Học bổng",
    locator="Điều 5",
)
OFFICE = Passage(
    id="3",
    text="Bộ môn: Xây dựng; Thuộc: Khoa Kỹ thuật; Trưởng bộ môn: TS. Đinh Trung Kiên; Giảng viên: —",
    document_id="d",
    title="Danh bạ",
    locator="Phụ lục 1, bảng, hàng 3",
)


def reason(text: str, passage: Passage = PASSAGE) -> Unsupported | None:
    return unsupported(text, [evidence_of(passage)])


@pytest.mark.parametrize(
    "text",
    [
        "Trưởng phòng được giảm 10% phí nội trú.",
        "Ban tự quản hòa giải mâu thuẫn trong vòng 5 ngày làm việc.",
        "Sinh viên nuôi con nhỏ dưới 36 tháng được xin ngoại trú.",
        "Đồ dùng bị mất được đền bù nếu bạn báo ngay trong tuần.",
        "Khóa 49 ở 8 tuần, còn khóa 50 ở 12 tuần.",
        "Khách không phải nộp tiền gửi xe.",
        "Thẻ xe được cấp nhiều nhất 2 lần.",
    ],
)
def test_what_one_place_says_is_supported(text: str) -> None:
    assert reason(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ban tự quản được giảm 10% phí nội trú.", Unsupported.APART),
        ("Thời gian ở của khóa 50 là 8 tuần.", Unsupported.APART),
        ("Ban tự quản hòa giải mâu thuẫn trong 5 ngày.", Unsupported.VALUE),
        ("Sinh viên nuôi con nhỏ được xin ngoại trú.", Unsupported.LEFT_OUT),
        ("Đồ dùng bị mất được đền bù.", Unsupported.LEFT_OUT),
        ("Khách nộp tiền gửi xe.", Unsupported.NEGATION),
        ("Mỗi sinh viên chỉ được gửi nhiều xe máy, có xác nhận của UBND cấp xã.", Unsupported.OPPOSITE),
        ("Bạn gửi một xe máy, có xác nhận của UBND cấp huyện.", Unsupported.NAME),
        ("Trưởng ban ký thẻ xe.", Unsupported.NAME),
        ("Thẻ xe được cấp tối thiểu hai lần.", Unsupported.VALUE),
    ],
)
def test_what_joins_or_leaves_out_is_not_supported(text: str, expected: Unsupported) -> None:
    assert reason(text) is expected


def test_a_clause_goes_on_in_the_row_it_began_in() -> None:
    assert reason("Loại Giỏi cần điểm trung bình từ 3,30 và điểm rèn luyện từ 80.", ROWS) is None
    assert reason("Loại Giỏi cần điểm trung bình từ 3,30 và điểm rèn luyện từ 65.", ROWS) is Unsupported.APART


def test_a_person_has_the_office_of_the_heading_alone() -> None:
    assert reason("Trưởng bộ môn Xây dựng là TS. Đinh Trung Kiên.", OFFICE) is None
    assert reason("Trưởng Khoa Kỹ thuật là TS. Đinh Trung Kiên.", OFFICE) is Unsupported.VALUES_APART
