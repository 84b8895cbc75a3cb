"""JSON that somebody else has written is read whatever it holds, and what is read can be stored and shown."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from channels.untrusted_json import parse_json


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'{"a": [1, -2, 1.5, true, null, "x"]}', {"a": [1, -2, 1.5, True, None, "x"]}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (rb'["h\ud800c", "\u0000\u0111", "\ud83d\ude00"]', ["hc", "đ", "😀"]),
        (rb'{"\ud800a": {"b\u0000": 1}}', {"a": {"b": 1}}),
        (b'["h\xffc"]', ["h\ufffdc"]),
        (b"[" + b"1" * 4_000 + b"]", [int("1" * 4_000)]),
        (b"[" + b"1" * 5_000 + b", -" + b"1" * 5_000 + b"]", [math.inf, -math.inf]),
        (b'{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_what_is_odd_costs_nothing_else(text: bytes, value: Any) -> None:
    assert parse_json(text) == value


def test_numbers_can_stay_the_texts_that_were_written() -> None:
    text = b"[1.50, 9007199254740993, " + b"1" * 5_000 + b', NaN, "\xff"]'

    assert parse_json(text, numbers_as_text=True) == [
        "1.50",
        "9007199254740993",
        "1" * 5_000,
        "NaN",
        "\ufffd",
    ]


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", b"[" * 100_000 + b"]" * 100_000, b'{"a": 1} x'])
def test_what_is_not_json_is_a_value_error(text: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 the type is what is promised
        parse_json(text)


def test_what_is_read_can_be_written_in_utf_8() -> None:
    assert json.dumps(parse_json(rb'["\udc00\ud800", "\u0000"]'), ensure_ascii=False).encode() == b'["", ""]'
