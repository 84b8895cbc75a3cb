"""A question about a matter is told from talk to the bot or about oneself."""

from __future__ import annotations

import pytest

from vietnamese.impersonal_question import is_impersonal_question


@pytest.mark.parametrize(
    "text",
    [
        "Mức khen thưởng do ai quyết định?",
        "Khi nào sinh viên bị xóa tên khỏi danh sách lớp?",
        "Học phần là gì?",
        "Lớp chuyên ngành được tổ chức như thế nào?",
        "hoc phan nao khong duoc xoa",
        "Who decides on the amount of an award?",
        "What is this major about?",
    ],
)
def test_a_question_about_a_matter(text: str) -> None:
    assert is_impersonal_question(text)


@pytest.mark.parametrize(
    "text",
    [
        *("bạn là ai", "em học ngành gì bạn nhớ không", "xóa hết thông tin của mình đi", "who are you"),
        *("hỏi gì cũng không biết", "còn gì nữa không", "là sao", "không cần đâu ạ", "trả lời gì kỳ vậy"),
        *(
            "nhân viên hỗ trợ đâu rồi",
            "lam lai tu dau",
            "what can you do",
            "what can this bot do",
            "",
            "đây là kênh gì",
        ),
    ],
)
def test_talk(text: str) -> None:
    assert not is_impersonal_question(text)
