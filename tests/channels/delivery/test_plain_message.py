"""The parts of a message as plain text."""

import pytest

from channels.delivery.plain_message import telephone


@pytest.mark.parametrize(
    ("written", "dialled"),
    [
        ("0292 3832 663", "+842923832663"),
        ("(0292) 3832.663 - máy lẻ 12", "+842923832663"),
        ("0292 3832 663 - 0292 3832 664", "+842923832663"),
        ("024-3869-2008", "+842438692008"),
        ("ĐT: 0912 345 678; 0987 654 321", "+84912345678"),
        ("+84 292 3832 663", "+842923832663"),
        ("(+84) 292 3832 663", "+842923832663"),
        ("84 292 3832 663", "+842923832663"),
        ("+1 202 555 0123", "+12025550123"),
        ("1900 1234", ""),
        ("1800 599 920", ""),
        ("113", ""),
        ("máy lẻ 12", ""),
        ("", ""),
    ],
)
def test_a_number_is_written_as_a_phone_dials_it(written, dialled):
    assert telephone(written) == dialled
