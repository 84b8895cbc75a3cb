"""Zalo's webhook in a server, with a real database and a stand-in of Zalo."""

import asyncio
import contextlib
import hashlib
import hmac
import sqlite3

import httpx
import pytest
from answerers import Answerer
from front_door_server import NO_RASA, open_front_door
from zalo_api import ZaloApi

from channels.delivery.receipt import RECEIVED
from channels.front_door import FrontDoor
from channels.zalo.authorization import ACCESS_PATH, CALLBACK_PATH, OPERATOR
from channels.zalo.channel import NOT_TAKEN
from channels.zalo.events import MAX_BODY_BYTES
from rag.settings import Settings

DEADLINE_S = 30.0


class Door:
    """A front door whose answers nobody waits for."""

    def __init__(self, zalo, door, url):
        self.zalo = zalo
        self.door = door
        self.client = httpx.AsyncClient(base_url=url, trust_env=False, timeout=DEADLINE_S)

    async def post(self, event, signature=True):
        body = event if isinstance(event, bytes) else self.zalo.body(event)
        shown = self.zalo.signature(body) if signature is True else signature
        headers = {"content-type": "application/json"}
        if shown is not None:
            headers["X-ZEvent-Signature"] = shown
        return await self.client.post("/webhooks/zalo/webhook", content=body, headers=headers)

    async def heard(self, student):
        history = await self.door.delivery.history("zalo", student)
        return [message.text for message in history if message.author == "student"]


@pytest.fixture
def run(zalo, tmp_path):
    """Runs a coroutine function with a front door; `settings` are further ones, or others."""

    def running(test, **settings):
        async def whole():
            door = FrontDoor(
                Settings(
                    channels_db=f"sqlite:///{tmp_path / 'channels.sqlite'}",
                    rasa_urls=NO_RASA,
                    **{
                        "zalo_app_id": zalo.app_id,
                        "zalo_app_secret": zalo.app_secret,
                        "zalo_oa_secret": zalo.oa_secret,
                        "zalo_api_url": zalo.url,
                        "zalo_oauth_url": zalo.url,
                        **settings,
                    },
                )
            )
            door.delivery.answering = Answerer()
            async with open_front_door(door) as url:
                await test(Door(zalo, door, url))

        asyncio.run(asyncio.wait_for(whole(), DEADLINE_S))

    return running


def test_a_message_is_stored_and_acknowledged_once_however_often_it_comes(run, zalo):
    async def test(door):
        event = zalo.message("31", "Học phí?")
        answers = [await door.post(event) for _ in range(5)]

        assert {(answer.status_code, answer.text) for answer in answers} == {(200, RECEIVED)}
        assert await door.heard("31") == ["Học phí?"]

    run(test)


def test_a_forged_or_unsigned_post_is_refused(run, zalo):
    async def test(door):
        event = zalo.message("31", "giả")
        body = zalo.body(event)
        other = ZaloApi(oa_secret="another")
        for shown in (
            None,
            "",
            "mac=",
            zalo.signature(body + b" "),
            zalo.signature(body, "17"),
            other.signature(body),
        ):
            assert (await door.post(body, shown)).status_code == 403
        assert await door.heard("31") == []

    run(test)


def test_a_forger_learns_nothing_of_what_would_be_read(run):
    async def test(door):
        for body in (b"{", b"[]", b"\xff", b"[" * 100_000):
            assert (await door.post(body, "mac=" + "0" * 64)).status_code == 403
            assert (await door.post(body)).status_code == 400

    run(test)


def test_a_body_that_is_too_large_is_refused(run):
    async def test(door):
        assert (await door.post(b" " * (MAX_BODY_BYTES + 1))).status_code == 413

    run(test)


def test_events_that_say_nothing_are_acknowledged(run, zalo):
    async def test(door):
        for event in (
            zalo.unfollow("31"),
            {},
            {"event_name": "user_send_text"},
            {"sender": [1], "message": 1},
        ):
            assert (await door.post(event)).status_code == 200
        await door.post(zalo.message("31", "thật"))
        assert await door.heard("31") == ["thật"]

    run(test)


@pytest.mark.parametrize("missing", ["zalo_app_id", "zalo_app_secret"])
def test_a_channel_that_is_not_set_up_is_closed(run, zalo, missing):
    async def test(door):
        answer = await door.post(zalo.message("31", "chào"))
        assert (answer.status_code, answer.json()) == (404, {"error": "not set up"})

    run(test, **{missing: ""})


def test_zalos_trial_of_the_address_succeeds_before_the_oa_secret_is_known(run, zalo):
    async def test(door):
        for signature in (True, None):
            answer = await door.post(zalo.message("31", "thử"), signature)
            assert (answer.status_code, answer.text) == (200, NOT_TAKEN)
        assert await door.heard("31") == []

    run(test, zalo_oa_secret="")


def test_what_cannot_be_stored_is_asked_for_again(run, zalo, tmp_path):
    async def test(door):
        database = tmp_path / "channels.sqlite"
        with contextlib.closing(sqlite3.connect(database)) as db, db:
            db.execute("ALTER TABLE channel_seen RENAME TO gone")
        event = zalo.message("31", "một")
        assert (await door.post(event)).status_code == 503
        with contextlib.closing(sqlite3.connect(database)) as db, db:
            db.execute("ALTER TABLE gone RENAME TO channel_seen")
        assert (await door.post(event)).status_code == 200
        assert await door.heard("31") == ["một"]

    run(test)


# --- the operator -----------------------------------------------------------------------------------------------------


def operator(zalo, secret=None):
    proof = hmac.new((secret or zalo.app_secret).encode(), OPERATOR, hashlib.sha256).hexdigest()
    return {"Authorization": f"Bearer {proof}"}


def test_only_who_knows_the_apps_secret_and_is_inside_gets_a_link(run, zalo):
    async def test(door):
        for method in ("GET", "POST", "DELETE"):
            for headers in (
                {},
                {"Authorization": "Bearer"},
                operator(zalo, "another"),
                {**operator(zalo), "X-Forwarded-For": "203.0.113.9"},
                {**operator(zalo), "Host": "tuvan.example.edu.vn"},
            ):
                answer = await door.client.request(method, ACCESS_PATH, headers=headers)
                assert (answer.status_code, answer.json()) == (404, {"error": "not set up"})
        answer = await door.client.post(ACCESS_PATH, headers=operator(zalo))
        assert answer.json()["url"].startswith(f"{zalo.url}/v4/oa/permission?app_id={zalo.app_id}")

    run(test, public_url="https://tuvan.example.edu.vn")


def test_a_link_needs_the_public_address(run, zalo):
    async def test(door):
        assert (await door.client.post(ACCESS_PATH, headers=operator(zalo))).status_code == 409

    run(test, public_url="")


def test_a_browser_without_a_good_code_changes_nothing(run, zalo):
    async def test(door):
        async def brings(**query):
            return await door.client.get(CALLBACK_PATH, params=query)

        assert (await brings()).status_code == 400
        assert (await brings(code="x" * 3_000)).status_code == 400
        assert (await brings(code="guessed", state="guessed")).status_code == 403
        link = (await door.client.post(ACCESS_PATH, headers=operator(zalo))).json()["url"]
        refused = await brings(code="guessed", state=httpx.URL(link).params["state"])
        assert (refused.status_code, refused.text[:9]) == (403, "Chưa được")
        zalo.fail_refresh((-1, "down"), 503)
        assert (await brings(code="guessed", state=httpx.URL(link).params["state"])).status_code == 503
        told = (await door.client.get(ACCESS_PATH, headers=operator(zalo))).json()
        assert (told["authorized"], told["oa"]) == (False, None)

    run(test, public_url="https://tuvan.example.edu.vn")
