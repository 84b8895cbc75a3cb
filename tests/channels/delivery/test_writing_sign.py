"""The typing indicator shows until the reply is sent, and never costs a connection."""

import asyncio
import random
from functools import partial

import httpx
from wire import until_within

from channels.delivery import writing_sign
from channels.delivery.writing_sign import WritingSign

DEADLINE_S = 30
until = partial(until_within, DEADLINE_S)


def run(test):
    asyncio.run(asyncio.wait_for(test, 3 * DEADLINE_S))


def test_it_is_shown_again_until_it_is_ended(monkeypatch):
    monkeypatch.setattr(writing_sign, "SHOW_EVERY_S", 0.01)

    async def talk():
        shown = []

        async def show():
            shown.append(1)

        sign = WritingSign("wire", show)
        sign.begin()
        sign.begin()
        await until(lambda: len(shown) >= 3)
        await sign.end()
        ended = len(shown)
        await asyncio.sleep(0.05)
        assert len(shown) == ended

    run(talk())


def test_one_that_never_began_ends_too():
    async def talk():
        await WritingSign("wire", None).end()

    run(talk())


def test_what_the_platform_says_to_it_is_of_no_consequence(monkeypatch):
    monkeypatch.setattr(writing_sign, "SHOW_EVERY_S", 0.01)

    async def talk():
        shown = []

        async def show():
            shown.append(1)
            raise ValueError("an address with a token")

        sign = WritingSign("wire", show)
        sign.begin()
        await until(lambda: len(shown) >= 2)
        await sign.end()

    run(talk())


def test_the_reply_comes_after_the_sign_that_was_under_way():
    async def talk():
        order, gate = [], asyncio.Event()

        async def show():
            order.append("asked")
            await gate.wait()
            order.append("shown")

        sign = WritingSign("wire", show)
        sign.begin()
        await until(lambda: order)
        ending = asyncio.create_task(sign.end())
        await asyncio.sleep(0.01)
        assert not ending.done()
        gate.set()
        await ending
        assert order == ["asked", "shown"]

    run(talk())


def test_a_platform_that_is_slow_to_show_it_does_not_hold_up_the_reply_for_long(monkeypatch):
    monkeypatch.setattr(writing_sign, "END_S", 0.02)

    async def talk():
        gate, done = asyncio.Event(), []

        async def show():
            await gate.wait()
            done.append(1)

        sign = WritingSign("wire", show)
        sign.begin()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await sign.end()
        assert not done
        # It was not broken off, either.
        gate.set()
        await until(lambda: done)

    run(talk())


def test_no_connection_is_lost_by_signs_that_end_at_any_moment():
    async def answer(reader, writer):
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                await asyncio.sleep(0.01 * random.random())
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def talk():
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        limits, patience = httpx.Limits(max_connections=4), httpx.Timeout(DEADLINE_S, pool=DEADLINE_S)
        async with httpx.AsyncClient(limits=limits, timeout=patience, trust_env=False) as client:

            async def one_turn():
                sign = WritingSign("wire", lambda: client.get(url))
                sign.begin()
                await asyncio.sleep(0.01 * random.random())
                await sign.end()

            for _ in range(60):
                await asyncio.gather(*(one_turn() for _ in range(16)))
            answered = await asyncio.gather(*(client.get(url) for _ in range(16)))
        assert [each.status_code for each in answered] == [200] * 16
        server.close()

    run(talk())
