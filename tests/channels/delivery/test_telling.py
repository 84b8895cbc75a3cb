"""What a student tells of themselves is told from a question."""

from __future__ import annotations

import pytest

from channels.delivery.telling import tells


@pytest.mark.parametrize(
    "text",
    [
        "em bị trừ nhầm tiền học phí 2 lần",
        "em bi tru nham tien hoc phi 2 lan",
        "dạ em tên An ạ",
        "em tên Nguyễn Văn An, mã số B2012345",
        "mssv B2012345",
        "B2012345",
        "thầy ơi em đã nộp đơn từ tuần trước mà chưa thấy trả lời",
        "mình nộp rồi",
        "an.nguyen@example.edu.vn",
        "my fee was taken twice",
        "i paid on monday",
    ],
)
def test_what_is_told(text: str) -> None:
    assert tells(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?",
        "em nộp đơn ở đâu",
        "em nop don o dau",
        "em có được học bổng không",
        "em đóng tiền như vậy đủ chưa",
        "em co duoc hoc bong ko",
        "em muốn hỏi về học phí",
        "cho em hỏi học phí",
        "học phí kế toán đại trà k51",
        "em bị trừ tiền hai lần thì làm sao",
        "xóa thông tin của mình đi",
        "em muốn xóa dữ liệu của em",
        "khi nào đóng học phí",
        "thư viện mở cửa mấy giờ",
        "how do i pay",
        "can i pay late",
        "em học được ngành nào",
        "\ud800",
    ],
)
def test_what_is_asked(text: str) -> None:
    assert not tells(text)
