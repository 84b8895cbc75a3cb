"""The payloads that the channels handle themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from channels.delivery.turn_handler import BACK_TO_BOT, FORGET_ALL, KEEP_ALL, REASON
from covan.domain import read_domain


def buttons_of_the_domain() -> Iterator[str]:
    for variations in read_domain()["responses"].values():
        for variation in variations:
            yield from (button["payload"] for button in variation.get("buttons", ()))


@pytest.mark.parametrize(
    "payload", sorted({each for each in buttons_of_the_domain() if each.startswith("!")})
)
def test_every_button_of_the_domain_that_is_not_for_the_bot_is_one_of_the_channels_own(payload: str) -> None:
    assert payload in (BACK_TO_BOT, FORGET_ALL, KEEP_ALL) or re.fullmatch(
        re.escape(REASON) + r"[a-z_]+", payload
    )
