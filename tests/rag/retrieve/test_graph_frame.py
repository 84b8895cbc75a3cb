"""How a message asks for a contact without naming whose."""

from __future__ import annotations

import pytest

from rag.retrieve.graph_frame import asks_for_contact


@pytest.mark.parametrize(
    "text",
    [
        "sdt?",
        "gọi số nào",
        "goi so nao dc",
        "phone number?",
        "where is the office",
        "may gio ho lam",
        "phòng đó ở đâu vậy",
        "cho em xin địa chỉ mail ạ",
        "cô ơi cho em xin sdt",
    ],
)
def test_a_bare_contact(text: str) -> None:
    assert asks_for_contact(text)


@pytest.mark.parametrize(
    "text",
    [
        "nộp ở đâu",
        "nộp hồ sơ ở đâu",
        "mấy giờ",
        "email truong cua em dang nao v",
        "số điện thoại thầy Minh",
        "mở cửa lúc nào",
        "bao nhiêu tín chỉ",
    ],
)
def test_other_messages_ask_for_something_else(text: str) -> None:
    assert not asks_for_contact(text)
