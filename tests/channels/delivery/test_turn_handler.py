"""The channels handle the payloads of their own buttons, and commands that a student types."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from channels.delivery.changes import InProcess
from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.incoming import TextInput
from channels.delivery.store import QueuedTurn, Store
from channels.delivery.turn_handler import BACK_TO_BOT, FORGET_ALL, KEEP_ALL, REASON, TurnHandler
from channels.rasa_client import Replies
from covan.domain import read_domain
from rag.settings import Settings


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


class Rasa:
    """Notes the turns that it gets; a response is its name."""

    ready = True

    def __init__(self) -> None:
        self.turns: list[str] = []

    async def text_turn(self, sender: str, channel: str, text: str) -> Replies:
        self.turns.append(text)
        return Replies([{"text": "of Rasa"}], "vi")

    async def response(self, name: str, sender: str, channel: str, values: Mapping[str, Any]) -> Replies:
        return Replies([{"text": name}], "vi")


@pytest.mark.parametrize("channel", ["web", "telegram", "messenger"])
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/xoa", "utter_forget_all_confirm"),
        (" /XOA ", "utter_forget_all_confirm"),
        ("/forget", "utter_forget_all_confirm"),
        ("/xoa hết giúp em", "of Rasa"),
        ("xoa", "of Rasa"),
    ],
)
def test_fault_3_the_typed_command_to_erase_means_the_same_on_every_channel(
    tmp_path: Path, channel: str, text: str, answer: str
) -> None:
    url, rasa = f"sqlite:///{tmp_path / 'channels.sqlite'}", Rasa()
    delivery = DeliveryWorker(Settings(channels_db=url), Store(url), InProcess())
    handler = TurnHandler(rasa, delivery)  # type: ignore[arg-type]

    turn = QueuedTurn(1, TextInput(text), 0.0)
    drafts = asyncio.run(handler.answer(channel, "an", turn, lambda: None))

    assert [draft.text for draft in drafts] == [answer]
    assert rasa.turns == ([text] if answer == "of Rasa" else [])
