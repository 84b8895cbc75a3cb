"""A parent's message is read in the words of a school's texts."""

from __future__ import annotations

import pytest

from vietnamese.parents import with_parent


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Tôi đóng thay cháu được không?", "phụ huynh đóng thay con được không?"),
        ("toi co xem duoc diem cua chau khong", "phụ huynh co xem duoc diem cua con khong"),
        ("tôi muốn đón con gái tôi ở ký túc xá", "phụ huynh muốn đón con ở ký túc xá"),
        ("Tôi nộp tiền thay cháu nhà tôi thì sao", "phụ huynh nộp tiền thay con thì sao"),
    ],
)
def test_who_writes_for_a_child_is_a_parent(text: str, read: str) -> None:
    assert with_parent(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "Con tôi học K52 ngành Dược",
        "cháu chào cô, cháu muốn hỏi học phí",
        "tôi muốn chuyển ngành",
        "Tôi là phụ huynh, muốn nộp tiền học cho cháu",
        "em toi lop",
    ],
)
def test_other_messages_stay_as_they_are(text: str) -> None:
    assert with_parent(text) == text
