"""Fault 8: neither one address, one student, one channel nor one who erases holds the others up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from answerers import Answerer
from front_door_server import NO_RASA, open_front_door
from internal_channel import TOKEN, Rasa
from wire import Wire, until_within

from channels import rasa_client
from channels.delivery import erased_messages, incoming_store, origins
from channels.delivery.changes import InProcess
from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.draft import Draft
from channels.delivery.erased_messages import ErasedMessages
from channels.delivery.incoming import Incoming, TextInput
from channels.delivery.message_rate import MESSAGES_PER_MINUTE
from channels.delivery.origins import Origins
from channels.delivery.store import Store
from channels.fair_turns import FairTurns
from channels.front_door import FrontDoor
from channels.web.limits import ERASURES_PER_MINUTE_OF_A_SESSION
from rag.settings import Settings

DEADLINE_S = 60
SECRET = "a secret of 32 letters and digits"

until = partial(until_within, DEADLINE_S)


class Echo(Answerer):
    async def answer(self, channel, sender, turn, typing):
        return [Draft(f"re: {turn.content.text}")]


def typed(number: int | str, text: str = "a", sender: str = "an") -> Incoming:
    return Incoming(f"event-{sender}-{number}", sender, TextInput(text))


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'channels.sqlite'}"


@asynccontextmanager
async def door_before(rasa: Rasa, url: str) -> AsyncIterator[tuple[FrontDoor, str]]:
    await rasa.start()
    door = FrontDoor(Settings(channels_db=url, web_secret=SECRET, rasa_urls=rasa.url, internal_token=TOKEN))
    try:
        async with open_front_door(door) as address:
            yield door, address
    finally:
        await rasa.stop()


class Page:
    """A visitor of the website at an address, as the reverse proxy on this machine tells it."""

    def __init__(self, client: httpx.AsyncClient, address: str) -> None:
        self._client, self._headers = client, {"X-Forwarded-For": address}

    async def open(self) -> None:
        given = await self._client.post("/webhooks/web/session", json={}, headers=self._headers)
        self._headers["Authorization"] = f"Bearer {given.json()['token']}"

    async def say(self, text: str) -> int:
        body = {"id": f"client-id-{text}", "text": text}
        return (
            await self._client.post("/webhooks/web/messages", json=body, headers=self._headers)
        ).status_code

    async def erase(self) -> int:
        return (await self._client.delete("/webhooks/web/conversation", headers=self._headers)).status_code


# --- limits that erasing does not reset -------------------------------------------------------------------------------


def test_fault_8_erasing_does_not_lift_the_limit_of_messages(url: str) -> None:
    tables = Store(url)
    for number in range(MESSAGES_PER_MINUTE):
        assert tables.incoming.accept("wire", [typed(number)]).too_fast == ()
        tables.deletion.erase("wire", "an")

    accepted = tables.incoming.accept("wire", [typed("after")])

    assert (list(accepted.senders), list(accepted.too_fast)) == ([], ["an"])
    assert list(tables.incoming.accept("wire", [typed(1, sender="binh")]).senders) == ["binh"]
    assert list(tables.incoming.accept("other", [typed(1)]).senders) == ["an"]
    tables.close()


def test_fault_8_what_was_erased_counts_for_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erased_messages, "REMEMBERED", 10)
    now = 1_000.0
    erased = ErasedMessages(lambda: now)
    erased.add("wire", "an", 3)
    now += 30.0
    erased.add("wire", "an", 2)
    assert erased.count("wire", "an") == 5
    now += 31.0
    assert erased.count("wire", "an") == 2
    for number in range(100):
        erased.add("wire", str(number), 1)
    assert len(erased._counts) == 10


def test_fault_8_one_erasing_client_is_refused_after_a_few(url: str) -> None:
    async def test() -> None:
        async with door_before(Rasa(), url) as (door, address), httpx.AsyncClient(base_url=address) as client:
            page, other = Page(client, "203.0.113.9"), Page(client, "203.0.113.10")
            await page.open()
            await other.open()
            statuses = [await page.erase() for _ in range(ERASURES_PER_MINUTE_OF_A_SESSION + 2)]
            assert statuses == [204] * ERASURES_PER_MINUTE_OF_A_SESSION + [429] * 2
            assert await other.erase() == 204
            assert door.health.report()["refused"] == {"requests": 2}

    asyncio.run(asyncio.wait_for(test(), DEADLINE_S))


# --- a fair share of Rasa ---------------------------------------------------------------------------------------------


def test_fault_8_turns_go_round_the_channels_and_their_origins() -> None:
    async def test() -> list[str]:
        turns, order = FairTurns(1), []

        async def one(channel: str, origin: str, name: str) -> None:
            async with turns.turn(channel, origin):
                order.append(name)
                await asyncio.sleep(0)

        flood = [("web", "flood", f"flood {number}") for number in range(6)]
        others = [
            ("web", "an", "an 1"),
            ("web", "an", "an 2"),
            ("tg", "binh", "binh 1"),
            ("tg", "chi", "chi 1"),
        ]
        async with turns.turn("web", "first"):
            waiting = [asyncio.create_task(one(*each)) for each in (*flood, *others)]
            gone = asyncio.create_task(one("tg", "binh", "gone"))
            await asyncio.sleep(0.01)
            gone.cancel()
        await asyncio.gather(*waiting)
        assert turns._free == 1
        return order

    assert asyncio.run(asyncio.wait_for(test(), DEADLINE_S)) == [
        *("flood 0", "binh 1", "an 1", "chi 1", "flood 1", "an 2"),
        *("flood 2", "flood 3", "flood 4", "flood 5"),
    ]


def test_fault_8_a_turn_that_is_cancelled_with_its_place_passes_the_place_on() -> None:
    async def test() -> None:
        turns, ran = FairTurns(1), []

        async def one(name: str) -> None:
            async with turns.turn("web", name):
                ran.append(name)

        async with turns.turn("web", "first"):
            first, second = asyncio.create_task(one("gone")), asyncio.create_task(one("stays"))
            await asyncio.sleep(0.01)
        # The place is given to the first, which is cancelled before it runs.
        first.cancel()
        await asyncio.wait({first, second})
        assert (ran, turns._free) == (["stays"], 1)

    asyncio.run(asyncio.wait_for(test(), DEADLINE_S))


def test_fault_8_one_address_with_many_sessions_does_not_hold_up_another(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rasa_client, "TURNS_AT_ONCE", 1)
    monkeypatch.setattr(origins, "SHARES_OF_AN_ADDRESS", 4)

    async def test() -> None:
        rasa = Rasa()
        rasa.takes_s = 0.02
        async with door_before(rasa, url) as (_, address), httpx.AsyncClient(base_url=address) as client:
            flood = [Page(client, "203.0.113.9") for _ in range(40)]
            student = Page(client, "198.51.100.7")
            for page in (*flood, student):
                await page.open()
            await asyncio.gather(*(page.say("flood-0001") for page in flood))
            before = len(rasa.asked)
            await student.say("student-0001")
            await until(lambda: any(body.get("message") == "student-0001" for _, body in rasa.asked))
            # One of each of the four shares, and what ran while the message was stored.
            assert len(rasa.asked) - before < 20
            await until(lambda: len(rasa.asked) == 41)

    asyncio.run(asyncio.wait_for(test(), DEADLINE_S))


def test_fault_8_the_origin_of_a_sender() -> None:
    known = Origins()
    for number in range(500):
        known.note("web", f"session-{number}", "203.0.113.9")
    shares = {known.of("web", f"session-{number}") for number in range(500)}

    assert len(shares) == origins.SHARES_OF_AN_ADDRESS
    assert known.of("telegram", "11") == "11"


# --- the delivery -----------------------------------------------------------------------------------------------------


def test_fault_8_one_sender_with_a_thousand_messages_does_not_hold_up_another(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incoming_store, "MESSAGES_PER_MINUTE", 10_000)

    async def test() -> None:
        delivery, wire = DeliveryWorker(Settings(channels_db=url), Store(url), InProcess()), Wire()
        delivery.answering = Echo()
        await delivery.open(wire)
        delivery.store.incoming.accept("wire", [typed(number) for number in range(1_000)])
        delivery.kick("wire", "an")
        await until(lambda: wire.sent)
        await delivery.accept("wire", [typed(1, "b", sender="binh")])
        await until(lambda: "re: b" in wire.sent)
        assert len(wire.sent) < 500
        await delivery.close("wire")

    asyncio.run(asyncio.wait_for(test(), DEADLINE_S))


class Hanging(Wire):
    """A platform that takes a call and never answers."""

    name = "hanging"

    def __init__(self) -> None:
        super().__init__()
        self.hangs = asyncio.Event()

    async def send(self, outgoing: Any) -> None:
        self.sent.append(outgoing.call["text"])
        await self.hangs.wait()

    async def typing(self, sender: str, address: Any) -> None:
        await self.hangs.wait()


def test_fault_8_a_channel_whose_platform_hangs_does_not_hold_up_another(url: str) -> None:
    async def test() -> None:
        delivery = DeliveryWorker(Settings(channels_db=url, rasa_urls=NO_RASA), Store(url), InProcess())
        delivery.answering = Echo()
        hanging, wire = Hanging(), Wire()
        await delivery.open(hanging)
        await delivery.open(wire)
        await delivery.accept("hanging", [typed(1, sender=f"student-{number}") for number in range(200)])
        await until(lambda: len(hanging.sent) == 200)
        await delivery.accept("wire", [typed(1)])
        await until(lambda: wire.sent)
        hanging.hangs.set()
        await delivery.close("hanging")
        await delivery.close("wire")

    asyncio.run(asyncio.wait_for(test(), DEADLINE_S))
