"""Whoever listens to a conversation hears of its changes, wherever they are made; who may have missed one looks."""

import asyncio
import contextlib
import json
import socket
import time

import pytest
from redis.asyncio import Redis

from channels.delivery import changes as changes_module
from channels.delivery.changes import LOOK, WAITING_CHANGES, InProcess, ThroughRedis, changes_of
from rag.errors import SettingsError
from rag.settings import Settings

DEADLINE_S = 30
STUDENT = ("web", "student-1")


def said(number):
    return {"kind": "message", "id": number}


@pytest.fixture
def quick(monkeypatch):
    """So that a test of a lost connection takes no longer than it must."""
    monkeypatch.setattr(changes_module, "RECONNECT_FIRST_S", 0.02)
    monkeypatch.setattr(changes_module, "RECONNECT_MOST_S", 0.1)


def run(test):
    asyncio.run(asyncio.wait_for(test, 3 * DEADLINE_S))


async def heard(ear):
    return await asyncio.wait_for(ear.get(), DEADLINE_S)


async def until(condition):
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


async def until_heard(ear, wanted):
    """Return the changes up to and including the awaited one."""
    came = []
    while not came or came[-1] != wanted:
        came.append(await heard(ear))
    return came


class Processes:
    """Several processes, each with connections of its own."""

    def __init__(self, redis, count=2):
        self.all = [ThroughRedis(redis.url) for _ in range(count)]

    async def __aenter__(self):
        for process in self.all:
            await process.start()
            async with process.subscribe("test", "started") as ear:
                assert await heard(ear) == LOOK
        return self.all

    async def __aexit__(self, *_):
        for process in self.all:
            await process.close()


class Line:
    """A connection to Redis that can be cut and mended while both ends go on."""

    def __init__(self, redis):
        self._redis, self._server, self._open = redis, None, set()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self._port}/0"

    async def mend(self):
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", self._port)

    async def cut(self):
        self._server.close()
        for writer in self._open:
            writer.close()
        await self._server.wait_closed()

    async def _carry(self, reader, writer):
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._redis.port)
        self._open |= {writer, far_writer}

        async def one_way(source, target):
            with contextlib.suppress(ConnectionError):
                while data := await source.read(65_536):
                    target.write(data)
            target.close()

        await asyncio.gather(one_way(reader, far_writer), one_way(far_reader, writer))


def test_a_change_is_heard_by_every_listener_of_the_conversation_and_by_no_other():
    async def test():
        changes = InProcess()
        async with (
            changes.subscribe(*STUDENT) as one,
            changes.subscribe(*STUDENT) as two,
            changes.subscribe("web", "student-2") as other,
            changes.subscribe("telegram", "student-1") as else_,
        ):
            await changes.publish(*STUDENT, said(1))
            await changes.publish("web", "student-2", said(2))
            await changes.publish("telegram", "student-1", said(3))

            assert [await heard(ear) for ear in (one, two, other, else_)] == [
                said(1),
                said(1),
                said(2),
                said(3),
            ]

    run(test())


def test_changes_come_in_their_order():
    async def test():
        changes = InProcess()
        async with changes.subscribe(*STUDENT) as ear:
            for number in range(WAITING_CHANGES):
                await changes.publish(*STUDENT, said(number))

            assert [await heard(ear) for _ in range(WAITING_CHANGES)] == [
                said(n) for n in range(WAITING_CHANGES)
            ]

    run(test())


def test_a_slow_listener_is_told_to_look_instead_of_filling_the_memory():
    async def test():
        changes = InProcess()
        async with changes.subscribe(*STUDENT) as ear:
            for number in range(WAITING_CHANGES + 2):
                await changes.publish(*STUDENT, said(number))

            assert [await heard(ear), await heard(ear)] == [LOOK, said(WAITING_CHANGES + 1)]

    run(test())


def test_a_listener_that_gave_up_waiting_loses_nothing():
    async def test():
        changes = InProcess()
        async with changes.subscribe(*STUDENT) as ear:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(ear.get(), 0.01)
            await changes.publish(*STUDENT, said(1))

            assert await heard(ear) == said(1)

    run(test())


def test_nothing_is_kept_of_a_conversation_that_nobody_listens_to():
    async def test():
        changes = InProcess()
        async with changes.subscribe(*STUDENT):
            pass
        await changes.publish(*STUDENT, said(1))

        assert not changes._listeners

    run(test())


def test_a_change_made_in_one_process_is_heard_in_every_process_once(redis):
    async def test():
        async with (
            Processes(redis, 3) as (one, two, three),
            one.subscribe(*STUDENT) as a,
            two.subscribe(*STUDENT) as b,
            three.subscribe(*STUDENT) as c,
        ):
            await one.publish(*STUDENT, said(1))
            await one.publish(*STUDENT, {"kind": "typing", "on": True})
            await one.publish("web", "student-2", said(2))
            await one.publish(*STUDENT, said(3))

            for ear in (a, b, c):
                assert [await heard(ear) for _ in range(3)] == [
                    said(1),
                    {"kind": "typing", "on": True},
                    said(3),
                ]

    run(test())


def test_after_redis_was_away_every_listener_looks_and_hears_again(redis, quick):
    async def test():
        async with (
            Processes(redis) as (one, two),
            one.subscribe(*STUDENT) as here,
            two.subscribe(*STUDENT) as there,
        ):
            redis.stop()
            await one.publish(*STUDENT, said(1))
            assert await heard(here) == said(1)

            redis.start()
            assert LOOK in await until_heard(there, LOOK)
            await one.publish(*STUDENT, said(2))
            assert said(2) in await until_heard(here, said(2))
            assert said(2) in await until_heard(there, said(2))

    run(test())


def test_what_could_not_be_said_is_said_when_redis_can_be_reached_again(redis, quick):
    async def test():
        line = Line(redis)
        await line.mend()
        async with Processes(redis, 1) as (hearing,):
            speaking = ThroughRedis(line.url)
            await speaking.start()
            async with hearing.subscribe(*STUDENT) as ear:
                await speaking.publish(*STUDENT, said(0))
                assert await heard(ear) == said(0)
                await line.cut()
                await speaking.publish(*STUDENT, said(1))
                await speaking.publish(*STUDENT, said(2))
                await line.mend()

                # The listener's own connection was never lost: nobody but the speaker could tell it.
                assert [await heard(ear), await heard(ear)] == [said(1), said(2)]
            await speaking.close()
            await line.cut()

    run(test())


def test_redis_that_is_not_there_at_the_start_is_waited_for(redis, quick, caplog):
    async def test():
        redis.stop()
        one, two = ThroughRedis(redis.url), ThroughRedis(redis.url)
        await one.start()
        await two.start()
        async with two.subscribe(*STUDENT) as ear:
            await until(lambda: "COVAN_REDIS_URL" in caplog.text)
            redis.start()
            await until_heard(ear, LOOK)
            await one.publish(*STUDENT, said(1))
            await until_heard(ear, said(1))
        await one.close()
        await two.close()

    run(test())


def test_a_connection_that_went_dead_in_silence_is_noticed(redis, quick, monkeypatch, caplog):
    monkeypatch.setattr(changes_module, "SILENCE_S", 0.1)
    monkeypatch.setattr(changes_module, "CONNECT_TIMEOUT_S", 0.2)

    async def test():
        async with Processes(redis, 1) as (one,), one.subscribe(*STUDENT) as ear:
            redis.freeze()
            await until(lambda: "cannot be received" in caplog.text)
            redis.thaw()

            assert await heard(ear) == LOOK

    run(test())


def test_a_connection_on_which_nothing_is_said_is_kept(redis, monkeypatch):
    # On a busy machine, a reply to a ping takes a while.
    monkeypatch.setattr(changes_module, "SILENCE_S", 0.5)

    async def test():
        async with Processes(redis, 1) as (one,):
            connections = await ids_of_connections(redis)
            async with one.subscribe(*STUDENT) as ear:
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(ear.get(), 4 * changes_module.SILENCE_S)
            assert await ids_of_connections(redis) == connections

    run(test())


def test_too_much_to_say_while_redis_is_away_becomes_a_look_for_everybody(redis, quick, monkeypatch):
    monkeypatch.setattr(changes_module, "WAITING_ANNOUNCEMENTS", 3)

    async def test():
        one = ThroughRedis(redis.url)
        for number in range(4):
            await one.publish(*STUDENT, said(number))

        assert [json.loads(each) for each in one._unsent] == [{"by": one._me, "all": True}]
        async with Processes(redis, 1) as (two,), two.subscribe("web", "anybody") as ear:
            await one.start()
            assert await heard(ear) == LOOK
        await one.close()

    run(test())


def test_what_another_program_says_on_the_channel_does_no_harm(redis):
    async def test():
        async with Processes(redis, 1) as (one,):
            stranger = Redis(port=redis.port)
            async with one.subscribe(*STUDENT) as ear:
                for nonsense in (b"\xff", b"{", b"[]", b"{}", b'{"by": 1, "to": 2, "change": 3}', b"null"):
                    await stranger.publish("covan:changes:0", nonsense)
                await stranger.publish(
                    "covan:changes:0",
                    json.dumps({"by": "x", "to": STUDENT, "change": {"kind": "message", "id": 1}}),
                )
                assert await heard(ear) == said(1)
            await stranger.close()

    run(test())


def test_schools_on_different_databases_of_one_redis_do_not_wake_each_other(redis):
    async def test():
        async with Processes(redis, 1) as (one,):
            other = ThroughRedis(redis.url[:-1] + "1")
            await other.start()
            async with one.subscribe(*STUDENT) as ear:
                await other.publish(*STUDENT, said(1))
                await until(lambda: not other._unsent)
                await one.publish(*STUDENT, said(2))
                assert await heard(ear) == said(2)
            await other.close()

    run(test())


def test_it_ends_without_leaving_a_connection(redis):
    async def test():
        before, tasks = await ids_of_connections(redis), len(asyncio.all_tasks())
        async with Processes(redis, 2):
            assert len(await ids_of_connections(redis)) > len(before)
        deadline = time.monotonic() + DEADLINE_S
        while await ids_of_connections(redis) != before:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)
        assert len(asyncio.all_tasks()) == tasks

    run(test())


async def ids_of_connections(redis):
    """All but the one that asks."""
    asking = Redis(port=redis.port, single_connection_client=True)
    async with asking:
        me = await asking.client_id()
        return {each["id"] for each in await asking.client_list()} - {str(me)}


@pytest.mark.parametrize(
    ("url", "kind"),
    [("", InProcess), ("redis://127.0.0.1:1/0", ThroughRedis), ("rediss://example.edu.vn", ThroughRedis)],
)
def test_the_settings_say_which(url, kind):
    assert isinstance(changes_of(Settings(channels_db="sqlite://", redis_url=url)), kind)


def test_an_address_that_is_none_is_said_without_repeating_its_password():
    with pytest.raises(SettingsError, match="COVAN_REDIS_URL") as caught:
        changes_of(Settings(channels_db="sqlite://", redis_url="http://:secret@127.0.0.1"))

    assert "secret" not in str(caught.value)
