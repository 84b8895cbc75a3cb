"""Answers that need the question they were written for."""

from __future__ import annotations

import pytest

from vietnamese.yes_no_answer import says_yes_or_no


@pytest.mark.parametrize(
    "answer",
    [
        "Có. Quá hạn cuối **30 ngày** mà không được gia hạn, bạn không có tên trong danh sách.",
        "Không bạn nhé. Học kỳ hè không xét.",
        "**Được**, khi bạn ốm đau không thể có mặt.",
        "Không phải đóng, nếu thẻ diện khác còn hạn.",
        "Chưa được: bạn phải có chứng chỉ.",
        "Yes. Bring your card.",
        "No, the school does not.",
    ],
)
def test_an_answer_that_begins_with_yes_or_no(answer: str) -> None:
    assert says_yes_or_no(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Có năm bước: bạn tự chấm, họp lớp, hội đồng.",
        "Được miễn 100 %:\n\n- con liệt sĩ;\n- người nghèo.",
        "Không quá 25 tín chỉ trong một học kỳ chính, trừ sinh viên năm cuối.",
        "Phải nộp trước ngày 15/9 tại phòng Tài chính, nhà B.",
        "Nopes are not words.",
        "Bạn nộp đơn tại phòng Đào tạo.",
    ],
)
def test_an_answer_that_says_it_all_itself(answer: str) -> None:
    assert not says_yes_or_no(answer)
