"""Stand-in for a platform (`channels.delivery.platform.Platform`), and waiting for what it receives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from channels.delivery.message import Message
from channels.delivery.platform import Call, Outgoing


class Wire:
    """A platform that records the texts of its calls, after raising each error of `trouble` once."""

    name = "wire"
    options_last = False
    reply_window = None

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.trouble: list[Exception] = []

    def render(self, message: Message, address: Mapping[str, Any]) -> list[Call]:
        return [{"text": message.text}]

    def preview(self, message: Message) -> list[str]:
        return [f"{message.by}: {message.text}"]

    async def send(self, outgoing: Outgoing) -> None:
        if self.trouble:
            raise self.trouble.pop(0)
        self.sent.append(outgoing.call["text"])

    async def typing(self, sender: str, address: Mapping[str, Any]) -> None:
        """Do nothing."""


async def until_within(seconds: float, condition: Callable[[], object]) -> None:
    """Return when `condition` holds. Raises TimeoutError after `seconds`."""

    async def poll() -> None:
        while not condition():
            await asyncio.sleep(0.005)

    await asyncio.wait_for(poll(), seconds)
