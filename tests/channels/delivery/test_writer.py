"""The thread that writes: order, deliveries together and first, faults, and an end."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from channels.delivery import writer as module
from channels.delivery.writer import Writer


class Stored:
    """What was stored, in the groups in which it was; "bad" cannot be stored."""

    def __init__(self) -> None:
        self.groups: list[list[str]] = []

    def __call__(self, deliveries: Sequence[str]) -> Sequence[str | Exception]:
        self.groups.append(list(deliveries))
        if "broken" in deliveries:
            raise OSError("disk full")
        return [ValueError(each) if each == "bad" else each.upper() for each in deliveries]


def writer_held() -> tuple[Writer[str, str], Stored, threading.Event]:
    """Return a writer that begins with its work when the event is set."""
    stored, gate = Stored(), threading.Event()
    writer: Writer[str, str] = Writer("test", stored)
    writer.submit(gate.wait)
    return writer, stored, gate


def test_deliveries_come_before_functions_and_each_kind_in_order() -> None:
    writer, stored, gate = writer_held()
    done: list[str] = []
    for number in range(3):
        writer.submit(lambda number=number: done.append(f"other {number} after {len(stored.groups)}"))  # type: ignore[misc]
        writer.deliver(f"delivery {number}")
    gate.set()
    writer.end()

    assert stored.groups == [[f"delivery {number}" for number in range(3)]]
    assert done == [f"other {number} after 1" for number in range(3)]


def test_what_must_not_wait_comes_after_the_deliveries_and_before_other_functions() -> None:
    writer, stored, gate = writer_held()
    done: list[str] = []
    writer.submit(lambda: done.append("other"))
    writer.submit(lambda: done.append(f"first, after {len(stored.groups)} delivery"), first=True)
    writer.deliver("delivery")
    gate.set()
    writer.end()

    assert done == ["first, after 1 delivery", "other"]


def test_deliveries_that_wait_are_stored_together_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TOGETHER", 2)
    writer, stored, gate = writer_held()
    futures = [writer.deliver(each) for each in "abcde"]
    gate.set()
    writer.end()

    assert stored.groups == [["a", "b"], ["c", "d"], ["e"]]
    assert [future.result(0) for future in futures] == ["A", "B", "C", "D", "E"]


def test_a_delivery_that_cannot_be_stored_costs_its_neighbours_nothing() -> None:
    writer, _, gate = writer_held()
    first, bad, last = (writer.deliver(each) for each in ("first", "bad", "last"))
    gate.set()
    writer.end()

    assert (first.result(0), last.result(0)) == ("FIRST", "LAST")
    with pytest.raises(ValueError, match="bad"):
        bad.result(0)


def test_a_fault_of_the_database_is_told_to_each_that_was_stored_together() -> None:
    writer, _, gate = writer_held()
    futures = [writer.deliver(each) for each in ("a", "broken")]
    gate.set()
    for future in futures:
        with pytest.raises(OSError, match="disk full"):
            future.result(10)

    assert writer.deliver("after").result(10) == "AFTER"
    writer.end()


def test_a_fault_is_told_to_who_asked_and_the_next_runs() -> None:
    writer = Writer("test", Stored())
    failed = writer.submit(lambda: 1 / 0)

    assert writer.submit(lambda: 2).result(10) == 2
    with pytest.raises(ZeroDivisionError):
        failed.result(10)
    writer.end()


def test_what_nobody_waits_for_any_more_is_left_out() -> None:
    writer, stored, gate = writer_held()
    done: list[str] = []
    assert writer.submit(lambda: done.append("cancelled")).cancel()
    assert writer.deliver("cancelled").cancel()
    writer.deliver("wanted")
    gate.set()
    writer.end()

    assert (done, stored.groups) == ([], [["wanted"]])


def test_after_the_end_nothing_is_taken() -> None:
    writer = Writer("test", Stored())
    writer.end()

    with pytest.raises(RuntimeError):
        writer.submit(lambda: 1)
    with pytest.raises(RuntimeError):
        writer.deliver("late")
