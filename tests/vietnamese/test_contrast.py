"""What a message puts aside is no part of what it asks."""

from __future__ import annotations

import pytest

from vietnamese.contrast import without_contrast


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("ý em là xin lại bằng cấp 3 chứ k phải thôi học", "ý em là xin lại bằng cấp 3"),
        ("ko, tui hoi nguyen nam chu ko phai 1 tin", "ko, tui hoi nguyen nam"),
        ("bảo hiểm hộ gia đình chứ không phải diện hộ nghèo ạ", "bảo hiểm hộ gia đình ạ"),
        ("em hỏi đổi lớp, chứ không phải đổi ngành, làm ở đâu", "em hỏi đổi lớp, làm ở đâu"),
        ("chứ không phải học bổng", "chứ không phải học bổng"),
        ("được miễn mà không phải nộp học phí", "được miễn mà không phải nộp học phí"),
        ("có phải nộp không", "có phải nộp không"),
    ],
)
def test_it_is_left_out(text: str, rest: str) -> None:
    assert without_contrast(text) == rest
