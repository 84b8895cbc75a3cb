"""The thread that writes: order, urgent work first, faults, and an end."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from channels.delivery.writer import Urgency, Writer


def writer_held() -> tuple[Writer, threading.Event]:
    """Return a writer that begins with its work when the event is set."""
    gate = threading.Event()
    writer = Writer("test")
    writer.submit(gate.wait)
    return writer, gate


def test_the_most_urgent_functions_come_first_and_those_of_one_urgency_in_order() -> None:
    writer, gate = writer_held()
    done: list[tuple[Urgency, int]] = []
    for number in range(3):
        for urgency in reversed(Urgency):
            writer.submit(partial(done.append, (urgency, number)), urgency)
    gate.set()
    writer.end()

    assert done == [(urgency, number) for urgency in Urgency for number in range(3)]


def test_a_fault_is_told_to_who_asked_and_the_next_runs() -> None:
    writer = Writer("test")
    failed = writer.submit(lambda: 1 / 0)

    assert writer.submit(lambda: 2).result(10) == 2
    with pytest.raises(ZeroDivisionError):
        failed.result(10)
    writer.end()


def test_only_what_ends_well_is_progress() -> None:
    writer = Writer("test")
    began = writer.progressed_at
    assert writer.submit(lambda: 1 / 0).exception(10) is not None
    assert writer.progressed_at == began

    writer.submit(lambda: 1).result(10)
    writer.end()
    assert writer.progressed_at > began


def test_what_nobody_waits_for_any_more_is_left_out() -> None:
    writer, gate = writer_held()
    done: list[str] = []
    assert writer.submit(lambda: done.append("cancelled")).cancel()
    writer.submit(lambda: done.append("wanted"))
    gate.set()
    writer.end()

    assert done == ["wanted"]


def test_what_was_queued_runs_before_the_end_and_afterwards_nothing_is_taken() -> None:
    writer, gate = writer_held()
    done: list[int] = []
    for number in range(3):
        writer.submit(lambda number=number: done.append(number))  # type: ignore[misc]
    gate.set()
    writer.end()

    assert done == [0, 1, 2]
    with pytest.raises(RuntimeError):
        writer.submit(lambda: 1)
