"""The access token over faults: lost answers, a database that fails, processes that stop."""

import asyncio
import sqlite3
import time
from contextlib import asynccontextmanager, closing, suppress

import httpx
import pytest
from answerers import Answerer
from sqlalchemy.exc import OperationalError
from zalo_api import ACCESS_TOKEN_S, BAD_SECRET, LIMIT

from channels.delivery.changes import changes_of
from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.platform import TryAgainError
from channels.delivery.store import Store
from channels.zalo import access as access_module
from channels.zalo.access import Access
from channels.zalo.oauth import OAuth, RefusedTokenError
from rag.settings import Settings

DEADLINE_S = 30
SEED = "refresh-token-0"


class Clock:
    def __init__(self):
        self.ahead = 0.0

    def __call__(self):
        return time.time() + self.ahead


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def opened(zalo, tmp_path, clock, monkeypatch):
    """Opens an `Access` as a process of its own; nothing is renewed but on demand unless `keep`."""

    @asynccontextmanager
    async def opening(seed=SEED, keep=False, app_secret=None):
        if not keep:

            async def nothing(self):
                """Do not look after the token."""

            monkeypatch.setattr(Access, "_keep", nothing)
        settings = Settings(channels_db=f"sqlite:///{tmp_path / 'channels.sqlite'}")
        delivery = DeliveryWorker(settings, Store(settings.channels_database, clock), changes_of(settings))
        delivery.answering = Answerer()
        oauth = OAuth(zalo.url, zalo.app_id, app_secret or zalo.app_secret, clock)
        access = Access(delivery, oauth, seed, clock)
        await access.open()
        try:
            yield access
        finally:
            await access.close()
            await oauth.close()

    return opening


def run(test):
    asyncio.run(asyncio.wait_for(test(), DEADLINE_S))


def test_an_access_token_serves_until_shortly_before_its_end(opened, zalo, clock):
    async def test():
        async with opened() as access:
            assert {await access.token() for _ in range(5)} == {zalo.access_token}
            clock.ahead = ACCESS_TOKEN_S - 30
            assert await access.token() == zalo.access_token
        assert (zalo.refreshed, zalo.used_again) == (2, [])

    run(test)


def test_many_who_need_a_token_at_once_cause_one_renewal(opened, zalo):
    async def test():
        zalo.refresh_delay_s = 0.2
        async with opened() as access:
            assert set(await asyncio.gather(*(access.token() for _ in range(50)))) == {zalo.access_token}
        assert zalo.refreshed == 1

    run(test)


def test_a_token_is_renewed_before_it_ends_without_anybody_asking(opened, zalo, clock, monkeypatch):
    monkeypatch.setattr(access_module, "LOOK_EVERY_S", 0.05)

    async def test():
        async with opened(keep=True) as access:
            while zalo.refreshed < 1:
                await asyncio.sleep(0.02)
            clock.ahead = ACCESS_TOKEN_S - access_module.RENEW_BEFORE_S + 60
            while zalo.refreshed < 2:
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.3)
            assert await access.token() == zalo.access_token
        assert (zalo.refreshed, zalo.used_again) == (2, [])

    run(test)


def test_a_young_token_that_is_refused_is_not_renewed_over_and_over(opened, zalo):
    async def test():
        async with opened() as access:
            token = await access.token()
            for _ in range(3):
                with pytest.raises(TryAgainError, match="just given"):
                    await access.after_refusal(token)
        assert zalo.refreshed == 1

    run(test)


@pytest.mark.parametrize("after_s", [0.0, 0.001, 0.005, 0.1])
def test_a_caller_who_goes_away_does_not_cost_the_new_token(opened, zalo, after_s):
    async def test():
        zalo.refresh_delay_s = 0.3
        async with opened() as access:
            asking = asyncio.create_task(access.token())
            await asyncio.sleep(after_s)
            asking.cancel()
            with suppress(asyncio.CancelledError):
                await asking
            assert await access.token() == zalo.access_token
        assert (zalo.refreshed, zalo.used_again) == (1, [])

    run(test)


def test_a_process_that_stops_during_a_renewal_stores_it_first(opened, zalo):
    async def test():
        zalo.refresh_delay_s = 0.5
        async with opened() as access:
            asking = asyncio.create_task(access.token())
            await asyncio.sleep(0.2)
        with suppress(TryAgainError):
            await asking
        async with opened() as access:
            assert await access.token() == zalo.access_token
        assert (zalo.refreshed, zalo.used_again) == (1, [])

    run(test)


def test_a_database_that_fails_just_then_does_not_cost_the_new_token(opened, zalo, monkeypatch, caplog):
    monkeypatch.setattr(access_module, "SAVE_AGAIN_S", 0.05)

    async def test():
        async with opened() as access:
            renew, failures = access._tokens.renew, [1, 2, 3]

            def failing(*of):
                if failures:
                    failures.pop()
                    raise OperationalError("UPDATE", {}, Exception("database is locked"))
                return renew(*of)

            monkeypatch.setattr(access._tokens, "renew", failing)
            assert await access.token() == zalo.access_token
        async with opened() as access:
            assert await access.token() == zalo.access_token
        assert (zalo.refreshed, zalo.used_again) == (1, [])

    run(test)
    assert caplog.text.count("could not be stored") == 3
    assert "token-" not in caplog.text


@pytest.mark.parametrize(("error", "status"), [(LIMIT, 200), ((-1, "down"), 503)])
def test_an_oauth_server_that_is_busy_costs_no_token(opened, zalo, error, status):
    async def test():
        zalo.fail_refresh(error, status, times=2)
        async with opened() as access:
            for _ in range(2):
                with pytest.raises(TryAgainError):
                    await access.token()
            assert await access.token() == zalo.access_token
        assert zalo.used_again == []

    run(test)


def test_an_answer_that_is_lost_ends_the_chain_and_says_so(opened, zalo):
    async def test():
        zalo.lose_refresh()
        async with opened() as access:
            with pytest.raises(TryAgainError, match="cannot be reached"):
                await access.token()
            with pytest.raises(TryAgainError, match=r"Invalid refresh token.*covan channel zalo"):
                await access.token()
            found = await access.known()
            assert found is not None
            assert "Invalid refresh token" in found.why
            asked = len(zalo.asked)
            with pytest.raises(TryAgainError, match="covan channel zalo"):
                await access.token()
            assert len(zalo.asked) == asked, "Zalo is not asked over and over"

    run(test)


def test_a_wrong_secret_is_tried_again_later_and_then_mended(opened, zalo, clock):
    async def test():
        async with opened(app_secret="another") as access:
            with pytest.raises(TryAgainError, match=str(BAD_SECRET[0])):
                await access.token()
        async with opened() as access:
            with pytest.raises(TryAgainError):
                await access.token()
            clock.ahead = access_module.ASK_AGAIN_S + 1
            assert await access.token() == zalo.access_token

    run(test)


def test_the_hold_of_a_process_that_died_ends(opened, zalo, clock, tmp_path):
    async def test():
        async with opened() as access:
            assert access._tokens.hold("zalo", SEED, "a process that died")
            asking = asyncio.create_task(access.token())
            await asyncio.sleep(0.5)
            assert not asking.done()
            clock.ahead = 121.0
            assert await asking == zalo.access_token

    run(test)


def test_tokens_that_another_process_has_renewed_are_read(opened, zalo, clock):
    async def test():
        async with opened() as one, opened() as other:
            first = await one.token()
            assert await other.token() == first
            clock.ahead = 120.0
            second = await other.after_refusal(first)
            assert second == zalo.access_token != first
            assert await one.after_refusal(first) == second
        assert (zalo.refreshed, zalo.used_again) == (2, [])

    run(test)


# --- authorizing ------------------------------------------------------------------------------------------------------


def test_a_link_is_redeemed_with_its_own_secret_once(opened, zalo):
    async def test():
        async with opened(seed="") as access:
            with pytest.raises(TryAgainError, match="No administrator"):
                await access.token()
            link = httpx.URL(await access.link("https://x.example/cb")).params
            assert (link["app_id"], link["redirect_uri"]) == (zalo.app_id, "https://x.example/cb")
            code = zalo.authorize(link["code_challenge"])
            with pytest.raises(RefusedTokenError, match="no longer counts"):
                await access.redeem(code, "of another link")
            await access.redeem(code, link["state"])
            assert await access.token() == zalo.access_token
            with pytest.raises(RefusedTokenError, match="no longer counts"):
                await access.redeem(zalo.authorize(link["code_challenge"]), link["state"])

    run(test)


@pytest.mark.parametrize(("others", "after_s"), [(False, 0.0), (False, 0.1), (True, 0.25)])
def test_a_renewal_beside_an_authorization_is_no_failure(opened, zalo, caplog, others, after_s):
    """Of one process, or of another whose renewal reaches Zalo when the code's tokens are stored."""

    async def test():
        zalo.refresh_delay_s = 0.3
        async with opened() as one, opened() as other:
            link = httpx.URL(await one.link("https://x.example/cb")).params
            redeeming = asyncio.create_task(one.redeem(zalo.authorize(link["code_challenge"]), link["state"]))
            await asyncio.sleep(after_s)
            access = other if others else one
            token = await access.token()
            await redeeming
            if token != zalo.access_token:  # the code came to Zalo after the renewal, and ended this token
                token = await access.after_refusal(token)
            assert token == await one.token() == zalo.access_token
            found = await one.known()
            assert (found.pair.access, found.why) == (zalo.access_token, "")
        assert "Nothing can be sent" not in caplog.text

    run(test)


def test_zalo_may_leave_the_state_out_and_another_code_is_refused(opened, zalo):
    async def test():
        async with opened(seed="") as access:
            link = httpx.URL(await access.link("https://x.example/cb")).params
            with pytest.raises(RefusedTokenError, match="Invalid code") as refused:
                await access.redeem("code-of-somebody-else", "")
            assert "code-of-somebody-else" not in str(refused.value)
            await access.redeem(zalo.authorize(link["code_challenge"]), "")
            assert await access.token() == zalo.access_token

    run(test)


@pytest.mark.parametrize(
    "answer",
    [
        b'{"access_token": "\\ud800", "refresh_token": "refresh-1"}',
        b'{"access_token": "access-1", "refresh_token": "\xc4\x91"}',
        b'{"access_token": "access\\n1", "refresh_token": "refresh-1"}',
        b"[" * 100_000 + b"]" * 100_000,
    ],
)
def test_tokens_that_no_header_can_hold_are_none(opened, zalo, answer):
    async def test():
        async with opened(seed="") as access:
            link = httpx.URL(await access.link("https://x.example/cb")).params
            zalo.answer_next("v4/oa/access_token", answer)
            with pytest.raises(RefusedTokenError, match="no reason given"):
                await access.redeem(zalo.authorize(link["code_challenge"]), link["state"])
            await access.redeem(zalo.authorize(link["code_challenge"]), link["state"])
            assert await access.token() == zalo.access_token

    run(test)


@pytest.mark.parametrize("expires_in", [b"1" + b"0" * 400, b"1e999", b'"soon"', b"null", b"-1"])
def test_a_lifetime_that_is_none_costs_no_token(opened, zalo, expires_in):
    async def test():
        async with opened(seed="") as access:
            link = httpx.URL(await access.link("https://x.example/cb")).params
            told = b'{"access_token": "access-1", "refresh_token": "refresh-1", "expires_in": '
            zalo.answer_next("v4/oa/access_token", told + expires_in + b"}")
            await access.redeem(zalo.authorize(link["code_challenge"]), link["state"])
            assert await access.token() == "access-1"

    run(test)


def test_tokens_are_in_no_log_and_in_the_database_alone(opened, zalo, tmp_path, caplog):
    async def test():
        async with opened() as access:
            await access.token()

    with caplog.at_level("DEBUG"):
        run(test)
    assert not any(secret in caplog.text for secret in (SEED, zalo.access_token, zalo.refresh_token))
    with closing(sqlite3.connect(tmp_path / "channels.sqlite")) as db:
        (row,) = db.execute("SELECT access_token, refresh_token, seed FROM channel_tokens").fetchall()
    assert row[:2] == (zalo.access_token, zalo.refresh_token)
    assert SEED not in row[2]
