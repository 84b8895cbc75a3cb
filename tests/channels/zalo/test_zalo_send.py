"""Calls to Zalo and the errors for its refusals, over HTTP against a stand-in that keeps its rules."""

import asyncio
import time

import pytest
from zalo_api import BAD_TOKEN, BLOCKED, EXPIRED_TOKEN, LIMIT, NO_MONEY, NOT_FOLLOWED, OUTSIDE_WINDOW, ZaloApi

from channels.delivery.message import ADVISOR, BOT
from channels.delivery.pace import Pace
from channels.delivery.platform import Outgoing, OutsideWindowError, RefusedError, TryAgainError
from channels.zalo.send import (
    LIMIT_PAUSE_S,
    MORE_TOKENS,
    OVERALL,
    UNREADABLE,
    WINDOW_S,
    ZaloAnswer,
    ZaloPlatform,
    failure,
    limits,
)

CALL = {"message": {"text": "Chào bạn"}}


class Tokens:
    """In the place of `Access`: gives the stand-in's token after those of `wrong`."""

    def __init__(self, zalo, *wrong):
        self.zalo = zalo
        self.wrong = list(wrong)
        self.refused = []

    async def token(self):
        return self.wrong.pop(0) if self.wrong else self.zalo.access_token

    async def after_refusal(self, refused):
        self.refused.append(refused)
        return await self.token()


@pytest.fixture
def zalo():
    api = ZaloApi()
    api.start()
    yield api
    api.stop()


def send(zalo, *, silent_s=0.0, call=CALL, tokens=None, url=None, author=BOT, pace=None):
    async def run():
        platform = ZaloPlatform(url or zalo.url, tokens or Tokens(zalo), pace)
        try:
            await platform.send(Outgoing(call, "31", {}, author, time.time() - silent_s))
        finally:
            await platform.close()

    asyncio.run(run())


def test_a_message_goes_to_the_student_with_the_token_in_a_header(zalo):
    send(zalo)
    (asked,) = zalo.asked

    assert asked.body == {"recipient": {"user_id": "31"}, **CALL}
    assert asked.headers["access_token"] == zalo.access_token
    assert zalo.seen_by("31") == [CALL["message"]]


@pytest.mark.parametrize("author", [BOT, ADVISOR])
def test_after_seven_days_nobody_is_asked(zalo, author):
    send(zalo, silent_s=WINDOW_S - 60, author=author)
    with pytest.raises(OutsideWindowError, match="seven days"):
        send(zalo, silent_s=WINDOW_S + 1, author=author)

    assert len(zalo.asked) == 1


def test_a_refused_token_is_replaced_a_few_times(zalo):
    tokens = Tokens(zalo, *["old"] * MORE_TOKENS)
    send(zalo, tokens=tokens)
    assert tokens.refused == ["old"] * MORE_TOKENS
    assert len(zalo.seen_by("31")) == 1

    tokens = Tokens(zalo, *["old"] * 9)
    with pytest.raises(TryAgainError, match="-216"):
        send(zalo, tokens=tokens)
    assert len(tokens.refused) == MORE_TOKENS


def test_an_unreachable_zalo_is_tried_again_without_a_word_of_the_address(zalo):
    with pytest.raises(TryAgainError, match="cannot be reached: ConnectError") as failed:
        send(zalo, url="http://127.0.0.1:9")
    assert zalo.access_token not in str(failed.value)


def test_a_limit_holds_everybody(zalo):
    class Time:
        now = 1000.0

        def __call__(self):
            return self.now

        async def sleep(self, seconds):
            self.now += seconds

    clock = Time()
    pace = Pace(limits, clock, clock.sleep)
    zalo.fail_next(LIMIT)
    with pytest.raises(TryAgainError) as later:
        send(zalo, pace=pace)
    assert later.value.after_s == LIMIT_PAUSE_S
    send(zalo, pace=pace)

    assert clock.now == 1000.0 + LIMIT_PAUSE_S


def test_no_more_is_sent_than_zalo_allows():
    class Time:
        now = 0.0

        def __call__(self):
            return self.now

        async def sleep(self, seconds):
            self.now += seconds

    clock = Time()
    pace = Pace(limits, clock, clock.sleep)

    async def send_many():
        times = []
        for student in range(OVERALL.calls + 100):
            await pace.turn(str(student))
            times.append(clock.now)
        return times

    times = asyncio.run(send_many())
    assert times[OVERALL.calls - 1] == 0.0
    assert times[OVERALL.calls] == OVERALL.seconds


@pytest.mark.parametrize(
    ("error", "status", "kind", "told"),
    [
        (LIMIT, 200, TryAgainError, "-32"),
        ((-200, "Send message failed"), 200, TryAgainError, "-200"),
        ((-12345, "new"), 200, TryAgainError, "-12345: new"),
        ((UNREADABLE, ""), 502, TryAgainError, "502"),
        ((0, ""), 429, TryAgainError, "429"),
        (BAD_TOKEN, 200, TryAgainError, "-216"),
        (EXPIRED_TOKEN, 200, TryAgainError, "-220"),
        (OUTSIDE_WINDOW, 200, OutsideWindowError, "writes again"),
        ((-232, "expired"), 200, OutsideWindowError, "writes again"),
        (NOT_FOLLOWED, 200, OutsideWindowError, "writes again"),
        (NO_MONEY, 200, OutsideWindowError, "free 48 hours"),
        ((-211, "Out of quota"), 200, OutsideWindowError, "quota"),
        (BLOCKED, 200, RefusedError, "45 days"),
        ((-201, "text is invalid!"), 200, RefusedError, "text is invalid!"),
        ((-224, "upgrade"), 200, RefusedError, "package"),
    ],
)
def test_a_refusal_is_what_it_means(error, status, kind, told):
    failed = failure(ZaloAnswer(status, *error, {}))

    assert type(failed) is kind
    assert told in str(failed)


@pytest.mark.parametrize(
    "answer", [b'{"error": 1e999}', b'{"error": 0', b'{"error": "x"}', b"[" * 100_000 + b"]" * 100_000]
)
def test_an_answer_that_cannot_be_read_is_no_success(zalo, answer):
    zalo.answer_next("v3.0/oa/message/cs", answer)
    with pytest.raises(TryAgainError, match="Zalo answered 200"):
        send(zalo)


def test_a_success_is_no_failure():
    assert failure(ZaloAnswer(200, 0, "Success", {})) is None


def test_zalos_words_do_not_bring_a_token_into_the_log(zalo):
    zalo.fail_next((-201, f"access_token {zalo.access_token} is invalid!"))
    with pytest.raises(RefusedError) as failed:
        send(zalo)
    assert zalo.access_token not in str(failed.value)
