"""The preview that an advisor sees before sending is the text that the student's channel will show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from channels.delivery.markdown import utf16_units
from channels.delivery.message import ADVISOR, BOT, Message
from channels.delivery.platform import Platform
from channels.messenger.send import MessengerPlatform
from channels.telegram.calls import TelegramPlatform
from channels.web.channel import WebPlatform
from channels.zalo.send import ZaloPlatform

PLATFORMS: dict[str, tuple[Callable[[], Any], int]] = {
    "web": (lambda: WebPlatform(lambda *_: None), 10_000),  # type: ignore[arg-type, return-value]
    "telegram": (lambda: TelegramPlatform("1:token", "http://127.0.0.1:1"), 4_096),
    "messenger": (lambda: MessengerPlatform("http://127.0.0.1:1", "token", "secret"), 2_000),
    "zalo": (lambda: ZaloPlatform("http://127.0.0.1:1", None), 2_000),  # type: ignore[arg-type]
}
"""Each with the longest text that it takes."""


def previewed(name: str, text: str) -> Sequence[str]:
    async def see() -> Sequence[str]:
        platform: Platform = PLATFORMS[name][0]()
        message = Message(text, ADVISOR, by="Cô Lan", act="hand_over", facts={"language": "vi"})
        return platform.preview(message)

    return asyncio.run(see())


@pytest.mark.parametrize("name", PLATFORMS)
def test_markdown_is_shown_as_the_channel_shows_it(name: str) -> None:
    written = "Điểm <b>A</b> & **B**: 5 < 6.\nTầng 2."

    (shown,) = previewed(name, written)

    # The website's page reads the Markdown itself.
    assert shown.endswith(written if name == "web" else written.replace("**", ""))
    # The website has the name beside the text; the others have no other place for it.
    assert shown.startswith("Cô Lan") is (name != "web")


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_long_reply_is_cut_where_the_channel_cuts_it(name: str) -> None:
    words = [f"từ{number}" for number in range(500)]

    shown = previewed(name, " ".join(words))

    assert max(map(utf16_units, shown)) <= PLATFORMS[name][1]
    assert " ".join(shown).split()[-500:] == words
    assert (len(shown) > 1) is (name in ("messenger", "zalo"))


@pytest.mark.parametrize("name", PLATFORMS)
def test_an_answer_of_the_bot_has_no_name(name: str) -> None:
    written = "Ở **tầng 2**."

    async def see() -> Sequence[str]:
        platform: Platform = PLATFORMS[name][0]()
        return platform.preview(Message(written, BOT, act="answer"))

    assert list(asyncio.run(see())) == [written if name == "web" else written.replace("**", "")]
