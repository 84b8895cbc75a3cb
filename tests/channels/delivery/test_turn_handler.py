"""The channels handle the payloads of their own buttons, and commands that a student types."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from wire import Wire

from channels.delivery.changes import InProcess
from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.draft import Draft
from channels.delivery.incoming import ButtonPress, Content, Incoming, TextInput
from channels.delivery.store import Store
from channels.delivery.turn_handler import BACK_TO_BOT, FORGET_ALL, KEEP_ALL, REASON, TurnHandler
from channels.delivery.work_queue import QueuedTurn
from channels.rasa_client import Replies, Turn
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
    """Notes the turns and the erasures that it gets; a response is its name. A consent is the word "yes"."""

    ready = True

    def __init__(self) -> None:
        self.turns: list[str] = []
        self.erased: list[str] = []

    async def text_turn(self, sender: str, channel: str, text: str, *, turn: Turn | None = None) -> Replies:
        self.turns.append(text)
        custom = {"custom": {"type": "erase"}} if text == "yes" else {}
        return Replies([{"text": "of Rasa", **custom}], "vi")

    async def payload_turn(
        self, sender: str, channel: str, payload: str, *, turn: Turn | None = None
    ) -> Replies:
        return await self.text_turn(sender, channel, payload)

    async def response(self, name: str, sender: str, channel: str, values: Mapping[str, Any]) -> Replies:
        return Replies([{"text": name}], "vi")

    async def forget(self, sender: str) -> None:
        self.erased.append(sender)


def handled(rasa: Rasa, url: str, channel: str, content: Content) -> Sequence[Draft]:
    """Return the reply to a turn."""
    delivery = DeliveryWorker(Settings(channels_db=url), Store(url), InProcess())
    handler = TurnHandler(rasa, delivery)  # type: ignore[arg-type]

    async def answer() -> Sequence[Draft]:
        platform = Wire()
        platform.name = channel
        await delivery.open(platform)
        said = await handler.answer(channel, "an", QueuedTurn(1, content, 0.0), lambda: None)
        await delivery.close(channel)
        return said

    return asyncio.run(answer())


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'channels.sqlite'}"


CHANNELS = ["web", "telegram", "messenger"]


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("/xoa", "/erase_all"),
        (" /XOA ", "/erase_all"),
        ("/forget", "/erase_all"),
        ("/xoa hết giúp em", "/xoa hết giúp em"),
        ("xoa", "xoa"),
    ],
)
def test_fault_3_the_typed_command_to_erase_means_the_same_on_every_channel(
    url: str, channel: str, text: str, turn: str
) -> None:
    rasa = Rasa()

    drafts = handled(rasa, url, channel, TextInput(text))

    assert [draft.text for draft in drafts] == ["of Rasa"]
    assert (rasa.turns, rasa.erased) == ([turn], [])


@pytest.mark.parametrize("channel", CHANNELS)
def test_fault_3_a_consent_in_words_erases_what_channels_and_rasa_store(url: str, channel: str) -> None:
    store, rasa = Store(url), Rasa()
    store.incoming.accept(
        channel, [Incoming("1", "an", TextInput("a secret")), Incoming("2", "binh", TextInput("b"))]
    )

    assert handled(rasa, url, channel, TextInput("yes")) == ()

    assert rasa.erased == [f"{channel}:an"]
    assert [each.text for each in store.conversations.history(channel, "an", None, 9)] == [
        "utter_forgotten_all"
    ]
    assert [each.text for each in store.conversations.history(channel, "binh", None, 9)][:1] == ["b"]


def test_fault_3_whoever_keeps_everything_is_asked_no_longer(url: str) -> None:
    rasa, store = Rasa(), Store(url)
    store.incoming.accept("web", [Incoming("1", "an", TextInput("x"))])
    confirm = Draft("sure?", buttons=(("Keep", KEEP_ALL),))
    [asked] = store.replies.finish("web", "an", None, [confirm], lambda message, address: ())

    drafts = handled(rasa, url, "web", ButtonPress(asked.options[0].id))

    assert [draft.text for draft in drafts] == ["utter_kept_all"]
    assert (rasa.turns, rasa.erased) == (["/deny"], [])
