"""The thread that writes: order, urgency, faults, and an end."""

from __future__ import annotations

import threading

import pytest

from channels.delivery.writer import Writer


def test_the_urgent_comes_first_and_each_kind_in_order() -> None:
    writer, done, gate = Writer("test"), [], threading.Event()
    held = writer.submit(gate.wait)
    for number in range(3):
        writer.submit(lambda number=number: done.append(f"other {number}"))  # type: ignore[misc]
        writer.submit(lambda number=number: done.append(f"urgent {number}"), urgent=True)  # type: ignore[misc]
    gate.set()
    writer.end()

    assert held.result()
    assert done == [*(f"urgent {number}" for number in range(3)), *(f"other {number}" for number in range(3))]


def test_a_fault_is_told_to_who_asked_and_the_next_runs() -> None:
    writer = Writer("test")
    failed = writer.submit(lambda: 1 / 0)

    assert writer.submit(lambda: 2).result(10) == 2
    with pytest.raises(ZeroDivisionError):
        failed.result(10)
    writer.end()


def test_what_nobody_waits_for_any_more_is_left_out() -> None:
    writer, done, gate = Writer("test"), [], threading.Event()
    writer.submit(gate.wait)
    cancelled = writer.submit(lambda: done.append("cancelled"), urgent=True)
    assert cancelled.cancel()
    gate.set()
    writer.end()

    assert done == []


def test_after_the_end_nothing_is_taken() -> None:
    writer = Writer("test")
    writer.end()

    with pytest.raises(RuntimeError):
        writer.submit(lambda: 1)
