"""The work that waits, in each student's order, and the lease by which one process serves a student."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from channels.delivery.database import Database, of_student
from channels.delivery.incoming import Content, content_of_json
from channels.delivery.platform import Call
from channels.delivery.tables import PASSED_ON, WAITING, calls, senders, traces, turns

HOLD_S = 30.0
"""Seconds after which the lease on a sender expires unless its process renews it."""


@dataclass(frozen=True)
class QueuedTurn:
    """An input of a student that waits for its answer; `said_id` is its message, None when the page shows none."""

    id: int
    content: Content
    at: float
    said_id: int | None = None


@dataclass(frozen=True)
class StoredCall:
    """A request to the platform that is not sent yet."""

    id: int
    call: Call
    author: str
    tries: int
    not_before: float


class WorkQueue:
    """The turns and calls that wait, and the leases on their senders."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def hold(self, channel: str, sender: str, process: str) -> bool:
        """Take the lease on a sender; return False when another process holds it."""
        now = self._database.now()
        with self._database.write() as db:
            held = of_student(sa.update(senders), senders, channel, sender).where(_free(now, process))
            return bool(db.execute(held.values(held_by=process, held_until=now + HOLD_S)).rowcount)

    def release(self, channel: str, sender: str, process: str) -> bool:
        """Give up the lease; return True when work arrived in the meantime."""
        with self._database.write() as db:
            mine = of_student(sa.update(senders), senders, channel, sender).where(
                senders.c.held_by == process
            )
            db.execute(mine.values(held_by=None))
        with self._database.write() as db:
            return _next_call(db, channel, sender) is not None or _next_turn(db, channel, sender) is not None

    def still_here(self, process: str, serving: Collection[tuple[str, str]]) -> None:
        """Renew a process's leases on the senders that it is serving (channel and sender); no other lease lasts."""
        until = self._database.now() + HOLD_S
        with self._database.write() as db:
            for channel, sender in serving:
                mine = of_student(sa.update(senders), senders, channel, sender).where(
                    senders.c.held_by == process
                )
                db.execute(mine.values(held_until=until))

    def release_all(self) -> None:
        """Drop all leases; for a single process, whose predecessor is gone."""
        with self._database.write() as db:
            db.execute(sa.update(senders).where(senders.c.held_by.isnot(None)).values(held_by=None))

    def next(self, channel: str, sender: str) -> tuple[StoredCall | None, QueuedTurn | None]:
        """Return the oldest waiting call, or else the oldest waiting turn."""
        with self._database.read() as db:
            call = _next_call(db, channel, sender)
            return call, None if call else _next_turn(db, channel, sender)

    def waiting(self, channel: str, process: str) -> list[str]:
        """Return the senders with waiting work that `process` may serve: nobody else has a lease on them."""
        free = _free(self._database.now(), process)
        with self._database.read() as db:
            open_turns = sa.select(turns.c.sender).where(
                turns.c.channel == channel, turns.c.done_at.is_(None)
            )
            open_calls = sa.select(calls.c.sender).where(calls.c.channel == channel, calls.c.state == WAITING)
            # With two conditions and an OR, SQLite would go through all senders of the channel.
            working = senders.c.sender.in_(open_turns.union(open_calls))
            found = sa.select(senders.c.sender).where(senders.c.channel == channel, free, working)
            return list(db.execute(found).scalars())

    def pass_on(self, channel: str, sender: str, turn_id: int) -> None:
        """Mark a turn as left to an advisor, and its trace, which may also come later (`trace_recorder`)."""
        with self._database.write() as db:
            db.execute(sa.update(turns).where(turns.c.id == turn_id).values(passed_on=True))
            its_trace = of_student(sa.update(traces), traces, channel, sender).where(
                traces.c.turn_id == turn_id
            )
            db.execute(its_trace.values(decision=PASSED_ON))


def _free(now: float, process: str) -> sa.ColumnElement[bool]:
    """Whether `process` may take the lease on a sender. A lease that ends later than any can was taken before the
    clock was set back."""
    return sa.or_(
        senders.c.held_by.is_(None),
        senders.c.held_by == process,
        senders.c.held_until < now,
        senders.c.held_until > now + 2 * HOLD_S,
    )


def _next_call(db: Connection, channel: str, sender: str) -> StoredCall | None:
    row = db.execute(
        of_student(sa.select(calls), calls, channel, sender)
        .where(calls.c.state == WAITING)
        .order_by(calls.c.id)
        .limit(1)
    ).first()
    if row is None:
        return None
    return StoredCall(row.id, json.loads(row.call), row.author, row.tries, row.not_before)


def _next_turn(db: Connection, channel: str, sender: str) -> QueuedTurn | None:
    row = db.execute(
        of_student(sa.select(turns), turns, channel, sender)
        .where(turns.c.done_at.is_(None))
        .order_by(turns.c.id)
        .limit(1)
    ).first()
    if row is None:
        return None
    return QueuedTurn(row.id, content_of_json(json.loads(row.content)), row.at, row.said_id)
