"""The way to Rasa: one process for a student while it lives, and what its absence means for a turn."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

import pytest
from internal_channel import TOKEN, Rasa
from wire import until_within

from channels.rasa_client import (
    TURNS_AT_ONCE,
    RasaBrokeOffError,
    RasaClient,
    RasaError,
    RasaUnavailableError,
    Turn,
    weight,
)

until = partial(until_within, 40)

STUDENTS = [f"web:student-{number}" for number in range(60)]


@contextlib.asynccontextmanager
async def asked_by_client(count: int = 1, token: str = TOKEN) -> AsyncIterator[tuple[RasaClient, list[Rasa]]]:
    processes = [Rasa() for _ in range(count)]
    for process in processes:
        await process.start()
    client = RasaClient([process.url for process in processes], token)
    await client.start()
    try:
        yield client, processes
    finally:
        await client.close()
        for process in processes:
            await process.stop()


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await asyncio.wait_for(test(), 60)

    asyncio.run(whole())


def test_a_turn_brings_all_replies_and_the_language() -> None:
    async def test() -> None:
        async with asked_by_client() as (client, [rasa]):
            replies = await client.text_turn("web:an", "web", "học phí?")
            await client.payload_turn("web:an", "web", "/cancel")
            notice = await client.response("utter_help", "web:an", "web", {"name": "Lan"})
            await client.forget("web:an")

            assert (list(replies.messages), replies.language) == ([{"text": "học phí?"}], "en")
            assert notice.messages[0]["text"] == "response"
            assert await client.language("web:an") == "en"
            assert await client.intent("web:an", "xóa dữ liệu của em") == ""
            assert rasa.asked[-1] == ("intent", {"sender": "web:an", "message": "xóa dữ liệu của em"})
            assert rasa.asked[:4] == [
                ("turn", {"sender": "web:an", "channel": "web", "message": "học phí?"}),
                ("turn", {"sender": "web:an", "channel": "web", "payload": "/cancel"}),
                (
                    "response",
                    {"sender": "web:an", "channel": "web", "name": "utter_help", "values": {"name": "Lan"}},
                ),
                ("forget", {"sender": "web:an"}),
            ]

    run(test)


def test_a_turn_is_told_by_its_id_and_begins_when_it_waits_no_longer() -> None:
    async def test() -> None:
        async with asked_by_client() as (client, [rasa]):
            rasa.takes_s = 0.2
            begun: list[int] = []
            turns = [
                client.text_turn("web:an", "web", "x", turn=Turn(f"{i}@1.5", begins=partial(begun.append, i)))
                for i in range(TURNS_AT_ONCE + 1)
            ]
            running = [asyncio.create_task(turn) for turn in turns]
            await until(lambda: len(rasa.asked) == TURNS_AT_ONCE)
            assert begun == list(range(TURNS_AT_ONCE))
            await asyncio.gather(*running)

            assert begun == list(range(TURNS_AT_ONCE + 1))
            assert sorted(body["turn"] for _, body in rasa.asked) == sorted(f"{i}@1.5" for i in begun)

    run(test)


def test_a_student_is_always_sent_to_the_same_process_and_the_students_are_shared_out() -> None:
    async def test() -> None:
        async with asked_by_client(3) as (client, processes):
            for _ in range(2):
                for student in STUDENTS:
                    await client.text_turn(student, "web", "x")

            served = [Counter(body["sender"] for _, body in rasa.asked) for rasa in processes]
            assert sum(map(len, served)) == len(STUDENTS)
            assert all(set(each.values()) == {2} for each in served)
            assert min(map(len, served)) >= len(STUDENTS) // 6

    run(test)


def test_when_a_process_dies_its_own_students_move_and_come_back() -> None:
    async def test() -> None:
        async with asked_by_client(2) as (client, [one, other]):
            of_one = [s for s in STUDENTS if weight(one.url, s) > weight(other.url, s)]
            of_other = [s for s in STUDENTS if s not in of_one]
            await one.stop()
            with pytest.raises(RasaError):
                await client.text_turn(of_one[0], "web", "x")
            for student in STUDENTS:
                await client.text_turn(student, "web", "x")
            assert {body["sender"] for _, body in other.asked} == set(STUDENTS)

            await one.start()
            await until(lambda: all(process.ready for process in client._processes))
            other.asked.clear()
            for student in STUDENTS:
                await client.text_turn(student, "web", "x")
            assert {body["sender"] for _, body in one.asked} == set(of_one)
            assert {body["sender"] for _, body in other.asked} == set(of_other)

    run(test)


def test_rasa_without_a_model_or_away_takes_nothing_and_is_noticed_when_it_is_back() -> None:
    async def test() -> None:
        async with asked_by_client() as (client, [rasa]):
            assert client.ready
            rasa.status = 503
            rasa.ready = False
            with pytest.raises(RasaUnavailableError):
                await client.text_turn("web:an", "web", "x")
            assert not client.ready
            rasa.status = 200
            rasa.ready = True
            await until(lambda: client.ready)

            await rasa.stop()
            await until(lambda: not client.ready)
            with pytest.raises(RasaUnavailableError):
                await client.text_turn("web:an", "web", "x")
            await rasa.start()
            await until(lambda: client.ready)
            await client.text_turn("web:an", "web", "x")

    run(test)


def test_a_connection_that_breaks_off_during_a_turn_is_no_refusal() -> None:
    async def test() -> None:
        async with asked_by_client() as (client, [rasa]):
            rasa.breaks_off = True
            with pytest.raises(RasaBrokeOffError):
                await client.text_turn("web:an", "web", "x")

    run(test)


@pytest.mark.parametrize("status", [400, 500])
def test_a_refusal_is_neither(status: int) -> None:
    async def test() -> None:
        async with asked_by_client() as (client, [rasa]):
            rasa.status = status
            with pytest.raises(RasaError) as refused:
                await client.text_turn("web:an", "web", "x")
            assert type(refused.value) is RasaError
            assert str(status) in str(refused.value)

    run(test)


def test_half_a_character_in_a_students_text_reaches_rasa() -> None:
    async def test() -> None:
        async with asked_by_client() as (client, [rasa]):
            await client.text_turn("web:an", "web", "h\ud800c phí")
            assert rasa.asked[0][1]["message"] == "h\ud800c phí"

    run(test)


def test_another_token_is_told_without_the_token() -> None:
    async def test() -> None:
        async with asked_by_client(token="another token") as (client, _):
            with pytest.raises(RasaError, match="401") as refused:
                await client.text_turn("web:an", "web", "x")
            assert "another token" not in str(refused.value)

    run(test)
