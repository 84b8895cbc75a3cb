"""Rate limits of calls to Telegram."""

from __future__ import annotations

import asyncio

import pytest

from channels.delivery.pace import MOST_CHATS, Limit, Pace
from channels.delivery.platform import TryAgainError
from channels.telegram.pace import IN_A_CHAT, IN_A_GROUP, OVERALL, limits


class Time:
    """Goes on only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def sent(chats: list[int]) -> list[float]:
    """When messages to these chats go out."""
    time = Time()
    pace = Pace(limits, time, time.sleep)

    async def send() -> list[float]:
        times = []
        for chat in chats:
            await pace.turn(chat)
            times.append(time.now)
        return times

    return asyncio.run(send())


def most_within(times: list[float], limit: Limit) -> int:
    return max(sum(start <= time < start + limit.seconds for time in times) for start in times)


@pytest.mark.parametrize(
    ("chats", "limit"),
    [([7] * 40, IN_A_CHAT), ([-7] * 70, IN_A_GROUP), (list(range(1, 200)), OVERALL)],
    ids=["a chat", "a group", "all"],
)
def test_no_limit_is_exceeded_and_each_is_used(chats: list[int], limit: Limit) -> None:
    assert most_within(sent(chats), limit) == limit.calls


def test_an_answer_in_three_pieces_comes_at_once() -> None:
    assert sent([7, 7, 7]) == [1000.0] * 3


def test_who_waits_for_a_chat_is_served_in_turn() -> None:
    pace, served = Pace(limits), []

    async def send(number: int) -> None:
        await pace.turn(7)
        served.append(number)

    async def all_at_once() -> None:
        await asyncio.gather(*map(send, range(5)))

    asyncio.run(all_at_once())

    assert served == [0, 1, 2, 3, 4]


def test_chats_in_which_nothing_happens_are_forgotten() -> None:
    time = Time()
    pace = Pace(limits, time, time.sleep)

    async def send() -> None:
        for chat in range(2 * MOST_CHATS):
            await pace.turn(chat)

    asyncio.run(send())

    assert len(pace._turns) <= MOST_CHATS + 1


def test_a_long_pause_that_telegram_asked_for_is_not_slept_through() -> None:
    time = Time()
    pace = Pace(limits, time, time.sleep)
    pace.hold(("chat", 7), 300.0)

    with pytest.raises(TryAgainError) as later:
        asyncio.run(pace.turn(7))
    asyncio.run(pace.turn(8))

    assert later.value.after_s == 300.0
    assert time.now == 1000.0


def test_a_pause_that_telegram_asked_for_ends() -> None:
    time = Time()
    pace = Pace(limits, time, time.sleep)
    pace.hold(("chat", 7), 3.0)

    asyncio.run(pace.turn(7))

    assert time.now == 1003.0
