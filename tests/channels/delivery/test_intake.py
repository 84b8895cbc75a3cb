"""Deliveries that wait to be stored: together, in order, each with its own fault, and not for ever."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Sequence

import pytest

from channels.delivery import intake as module
from channels.delivery.intake import Intake
from channels.delivery.writer import Writer


class Stored:
    """The stored inputs, in the groups in which they came; "bad" cannot be stored."""

    def __init__(self) -> None:
        self.groups: list[list[str]] = []
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, deliveries: Sequence[str]) -> Sequence[str | Exception]:
        self.gate.wait(10)
        self.groups.append(list(deliveries))
        if "broken" in deliveries:
            raise OSError("disk full")
        return [ValueError(each) if each == "bad" else each.upper() for each in deliveries]


@contextlib.asynccontextmanager
async def taking() -> AsyncIterator[tuple[Intake[str, str], Stored, Writer]]:
    stored, writer = Stored(), Writer("test")
    try:
        yield Intake(writer, stored), stored, writer
    finally:
        stored.gate.set()
        await asyncio.to_thread(writer.end)


def test_deliveries_of_one_moment_are_stored_together_and_in_order() -> None:
    async def talk() -> None:
        async with taking() as (intake, stored, _):
            said = await asyncio.gather(*(intake.store(each) for each in "abc"))
            assert said == ["A", "B", "C"]
            assert stored.groups == [["a", "b", "c"]]

    asyncio.run(talk())


def test_what_comes_while_others_are_stored_is_the_next_group_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_TOGETHER", 2)

    async def talk() -> None:
        async with taking() as (intake, stored, _):
            stored.gate.clear()
            first = asyncio.create_task(intake.store("first"))
            await asyncio.sleep(0.05)
            others = asyncio.gather(*(intake.store(each) for each in "abc"))
            await asyncio.sleep(0.05)
            stored.gate.set()
            assert [await first, *await others] == ["FIRST", "A", "B", "C"]
            assert stored.groups == [["first"], ["a", "b"], ["c"]]

    asyncio.run(talk())


def test_deliveries_come_before_what_the_writer_does_otherwise() -> None:
    async def talk() -> None:
        async with taking() as (intake, stored, writer):
            gate, seen = threading.Event(), list[int]()
            writer.submit(lambda: gate.wait(10))
            writer.submit(lambda: seen.append(len(stored.groups)))
            storing = asyncio.create_task(intake.store("a"))
            await asyncio.sleep(0.05)
            gate.set()
            await storing
            await asyncio.wrap_future(writer.submit(lambda: None))
            assert seen == [1]

    asyncio.run(talk())


def test_a_delivery_that_cannot_be_stored_costs_its_neighbours_nothing() -> None:
    async def talk() -> None:
        async with taking() as (intake, _, _):
            said = await asyncio.gather(
                *(intake.store(each) for each in ("first", "bad", "last")), return_exceptions=True
            )
            assert (said[0], type(said[1]), said[2]) == ("FIRST", ValueError, "LAST")

    asyncio.run(talk())


def test_a_fault_of_the_database_is_told_to_each_that_was_stored_together_and_is_no_progress() -> None:
    async def talk() -> None:
        async with taking() as (intake, _, writer):
            began = writer.progressed_at
            said = await asyncio.gather(
                *(intake.store(each) for each in ("a", "broken")), return_exceptions=True
            )
            assert [type(each) for each in said] == [OSError, OSError]
            assert writer.progressed_at == began
            assert await intake.store("after") == "AFTER"

    asyncio.run(talk())


def test_a_delivery_whose_caller_is_gone_before_its_turn_is_left_out() -> None:
    async def talk() -> None:
        async with taking() as (intake, stored, _):
            stored.gate.clear()
            first, gone = (asyncio.create_task(intake.store(each)) for each in ("first", "gone"))
            await asyncio.sleep(0)
            gone.cancel()
            stored.gate.set()
            assert await first == "FIRST"
            assert stored.groups == [["first"]]
            assert await intake.store("after") == "AFTER"

    asyncio.run(talk())


def test_deliveries_wait_for_a_stuck_database_for_a_limited_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STORED_WITHIN_S", 0.1)
    monkeypatch.setattr(module, "LOOK_EVERY_S", 0.02)

    async def talk() -> None:
        async with taking() as (intake, stored, _):
            stored.gate.clear()
            held = asyncio.create_task(intake.store("held"))
            await asyncio.sleep(0.05)
            queued = asyncio.create_task(intake.store("queued"))
            said = await asyncio.wait_for(asyncio.gather(held, queued, return_exceptions=True), 5.0)
            assert [type(each) for each in said] == [TimeoutError, TimeoutError]
            stored.gate.set()
            assert await intake.store("after") == "AFTER"
            # An input that was being stored may be stored after all; one that only waited for it is not.
            assert stored.groups == [["held"], ["after"]]

    asyncio.run(talk())


def test_deliveries_wait_longer_while_the_queue_moves_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "STORED_WITHIN_S", 0.3)
    monkeypatch.setattr(module, "STORED_AT_MOST_S", 1.0)
    monkeypatch.setattr(module, "LOOK_EVERY_S", 0.02)

    async def talk() -> None:
        async with taking() as (intake, stored, writer):
            stored.gate.clear()
            loop = asyncio.get_running_loop()
            began = loop.time()
            storing = asyncio.create_task(intake.store("slow"))
            while not storing.done():
                await asyncio.sleep(0.02)
                writer.progressed_at = time.monotonic()
            assert isinstance(storing.exception(), TimeoutError)
            assert loop.time() - began >= 0.9

    asyncio.run(talk())


def test_after_the_end_of_the_writer_nothing_is_taken() -> None:
    async def talk() -> None:
        writer = Writer("test")
        writer.end()
        intake: Intake[str, str] = Intake(writer, Stored())
        for _ in range(2):
            with pytest.raises(RuntimeError):
                await intake.store("late")

    asyncio.run(talk())
