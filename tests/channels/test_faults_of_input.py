"""No input costs a 5xx, a traceback or its neighbours: a hostile night found each of these in the adapters."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from answerers import Answerer
from front_door_server import NO_RASA, open_front_door
from graph_api import GraphApi
from telegram_api import SECRET, TOKEN, TelegramApi

from channels.front_door import FrontDoor
from rag.settings import Settings

DEADLINE_S = 60
ADVISOR_TOKEN = "a token of the advisors of the tests"

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")


class Door:
    """A front door with every channel, before stand-ins, without Rasa."""

    def __init__(self, client: httpx.AsyncClient, door: FrontDoor, graph: GraphApi) -> None:
        self.client = client
        self.door = door
        self.graph = graph

    async def telegram(self, update: Any) -> int:
        headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET, "Content-Type": "application/json"}
        answer = await self.client.post(
            "/webhooks/telegram/webhook", content=json.dumps(update), headers=headers
        )
        return answer.status_code

    async def messenger(self, body: bytes) -> int:
        headers = {"X-Hub-Signature-256": self.graph.signature(body), "Content-Type": "application/json"}
        return (
            await self.client.post("/webhooks/messenger/webhook", content=body, headers=headers)
        ).status_code

    async def texts(self, channel: str, sender: str) -> list[str]:
        history = await self.door.delivery.history(channel, sender)
        return [message.text for message in history if message.author == "student"]


def with_door(tmp_path: Any, test: Any) -> None:
    graph, telegram = GraphApi(), TelegramApi()
    settings = Settings(
        channels_db=f"sqlite:///{tmp_path / 'channels.sqlite'}",
        rasa_urls=NO_RASA,
        web_secret="a secret of the website of the tests",
        advisor_token=ADVISOR_TOKEN,
        telegram_token=TOKEN,
        telegram_secret=SECRET,
        telegram_api_url=telegram.start(),
        messenger_token=graph.token,
        messenger_app_secret=graph.app_secret,
        messenger_verify_token=graph.verify_token,
        messenger_api_url=graph.start(),
    )

    async def whole() -> None:
        door = FrontDoor(settings)
        door.delivery.answering = Answerer()
        async with (
            open_front_door(door) as url,
            httpx.AsyncClient(base_url=url, trust_env=False, timeout=DEADLINE_S) as client,
        ):
            await test(Door(client, door, graph))

    try:
        asyncio.run(asyncio.wait_for(whole(), DEADLINE_S))
    finally:
        graph.stop()
        telegram.stop()


@pytest.mark.parametrize("method", ["POST", "OPTIONS"])
def test_fault_10_an_origin_that_is_no_address_is_refused(tmp_path: Any, method: str) -> None:
    async def test(door: Door) -> None:
        for origin in ("http://[", "http://]", "https://[::1", "http://a:b:c", "http://\\"):
            answer = await door.client.request(
                method, "/webhooks/web/session", headers={"Origin": origin}, json={}
            )
            assert (answer.status_code, answer.json()["error"]) == (403, "origin"), origin

    with_door(tmp_path, test)


def test_fault_10_a_messenger_event_never_costs_its_neighbours(tmp_path: Any) -> None:
    async def test(door: Door) -> None:
        graph = door.graph
        digits = ("1" + "0" * 400, "-1" + "0" * 400, "1" * 5_000, "-" + "1" * 5_000, "1e999")
        for number, timestamp in enumerate((*digits, "NaN", "[]", '"x"', '"\xff"', '"\\ud800"')):
            sender = f"4{number}"
            first, odd, last = (graph.message(sender, text) for text in ("trước", "lạ", "sau"))
            odd["timestamp"] = 424242424242
            body = graph.batch(first, odd, last).replace(b"424242424242", timestamp.encode("latin-1"))
            assert await door.messenger(body) == 200, timestamp
            assert {"trước", "sau"} <= set(await door.texts("messenger", sender)), timestamp

    with_door(tmp_path, test)


STRANGE_IDS = ["\ud800", "11", [11], {"id": 11}, 10**30, True, 1.5, None]


@pytest.mark.parametrize("strange", STRANGE_IDS, ids=range(len(STRANGE_IDS)))
def test_fault_10_telegram_ids_that_are_none_are_left_out(tmp_path: Any, strange: Any) -> None:
    async def test(door: Door) -> None:
        def message(**changes: Any) -> dict[str, Any]:
            sender = {"id": changes.pop("user", 11), "is_bot": False, "first_name": "An"}
            chat = {"id": changes.pop("chat", 11), "type": "private"}
            return {"message_id": 5, "date": 1, "chat": chat, "from": sender, "text": "xin chào", **changes}

        press = {
            "id": strange,
            "from": {"id": 11, "is_bot": False, "first_name": "An"},
            "chat_instance": "1",
            "data": "o:x",
            "message": message(),
        }
        updates = [
            {"update_id": 1, "message": message(user=strange)},
            {"update_id": 2, "message": message(chat=strange)},
            {"update_id": 3, "message": message(media_group_id=strange, photo=[], sticker={})},
            {"update_id": 4, "callback_query": press},
            {"update_id": 5, "callback_query": {**press, "id": "1", "message": message(chat=strange)}},
            {"update_id": strange, "message": message()},
        ]
        for update in updates:
            assert await door.telegram(update) in (200, 400), update
        assert await door.telegram({"update_id": 9, "message": message(text="sau cùng")}) == 200
        assert "sau cùng" in await door.texts("telegram", "11")

    with_door(tmp_path, test)


def test_fault_10_advisors_numbers_that_no_database_holds_are_not_found(tmp_path: Any) -> None:
    async def test(door: Door) -> None:
        door.client.headers["Authorization"] = f"Bearer {ADVISOR_TOKEN}"
        for number in (2**63, 10**30, "9" * 1_000, "9" * 5_000, "-1", "\u0661"):
            read = await door.client.get(f"/webhooks/advisors/conversations/{number}")
            take = await door.client.post(
                f"/webhooks/advisors/conversations/{number}/take", json={"by": "Lan"}
            )
            again = await door.client.post(f"/webhooks/advisors/undelivered/{number}/send_again", json={})
            assert [answer.status_code for answer in (read, take, again)] == [404] * 3

    with_door(tmp_path, test)


def test_fault_10_a_website_request_with_half_a_character_as_a_key_is_refused(tmp_path: Any) -> None:
    async def test(door: Door) -> None:
        given = await door.client.post("/webhooks/web/session", json={})
        answer = await door.client.post(
            "/webhooks/web/messages",
            content=rb'{"id": "client-id-0001", "text": "x", "\ud800y": 1}',
            headers={
                "Authorization": f"Bearer {given.json()['token']}",
                "Content-Type": "application/json",
            },
        )
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")
        assert "unknown: y;" in answer.json()["message"]

    with_door(tmp_path, test)


def test_fault_10_chunked_and_identity_is_no_fault_of_the_server(tmp_path: Any) -> None:
    async def test(door: Door) -> None:
        port = int(str(door.client.base_url).rpartition(":")[2].strip("/"))
        for encoding in ("chunked, identity", "identity, chunked", "identity", "x"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(
                b"POST /webhooks/web/session HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                b"Transfer-Encoding: " + encoding.encode() + b"\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
            )
            await writer.drain()
            answer = await asyncio.wait_for(reader.read(), 10)
            writer.close()
            status = int(answer.split(b" ")[1]) if answer else 400
            assert status < 500, (encoding, answer)

    with_door(tmp_path, test)
