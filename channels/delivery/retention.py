"""Delete what was said longer ago than the school keeps it (`COVAN_RETENTION_DAYS`), a few rows at a time.

What still waits stays: a turn without an answer, a call that is not delivered with its message, and the whole
conversation of a student who waits for an advisor.
"""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from channels.delivery.message import ADVISOR
from channels.delivery.tables import (
    HELD,
    OF_SENDER,
    WAITING,
    calls,
    hand_overs,
    notes,
    options,
    ratings,
    said,
    seen,
    senders,
    traces,
    turns,
)

DAY_S = 24 * 3600.0

SEEN_FOR_S = 7 * DAY_S
"""Seconds; platforms repeat a delivery for up to a day (Telegram) or 36 hours (Messenger)."""

OPTION_FOR_S = 90 * DAY_S
"""Seconds for which a button works."""

BATCH = 200
"""Rows that one transaction deletes: other work waits for it."""


def delete_some(db: Connection, now: float, retention_days: float) -> bool:
    """Delete up to BATCH rows; return False when none was left to delete. `retention_days` 0: keep for ever."""
    since = now - retention_days * DAY_S if retention_days else None
    for table, expired in _expired(now, since):
        key = list(table.primary_key)
        some = sa.select(*key).where(expired).limit(BATCH)
        if db.execute(sa.delete(table).where(expired, sa.tuple_(*key).in_(some))).rowcount:
            return True
    return False


def _expired(now: float, since: float | None) -> Iterator[tuple[sa.Table, sa.ColumnElement[bool]]]:
    """Yield each table with the condition of its rows that go."""
    yield seen, seen.c.at < now - SEEN_FOR_S
    yield options, options.c.at < max(now - OPTION_FOR_S, since or 0.0)
    if since is None:
        return
    yield hand_overs, sa.and_(hand_overs.c.last_at < since, sa.not_(_is_open(since)))
    yield turns, sa.and_(turns.c.at < since, turns.c.done_at.isnot(None), _has_no_open_question(turns, since))
    undelivered = calls.c.state.in_((WAITING, HELD))
    yield calls, sa.and_(calls.c.at < since, sa.not_(undelivered), _has_no_open_question(calls, since))
    yield notes, sa.and_(notes.c.at < since, _has_no_open_question(notes, since))
    yield ratings, ratings.c.at < since
    yield traces, traces.c.at < since
    unsent = sa.exists().where(_of_same_sender(calls, said), calls.c.said_id == said.c.id, undelivered)
    unanswered = sa.exists().where(
        _of_same_sender(turns, said), turns.c.said_id == said.c.id, turns.c.done_at.is_(None)
    )
    yield (
        said,
        sa.and_(said.c.at < since, ~unsent, ~unanswered, _has_no_open_question(said, since)),
    )
    others = [table for table in OF_SENDER if table is not senders]
    nothing = [~sa.exists().where(_of_same_sender(table, senders)) for table in others]
    yield senders, sa.and_(senders.c.heard_at < since, senders.c.held_by.is_(None), *nothing)


def _is_open(since: float) -> sa.ColumnElement[bool]:
    """Return the condition of a hand-over in which a student waits for an answer, or talked with an advisor lately.

    An advisor who has answered may leave it open.
    """
    answered = sa.exists().where(
        _of_same_sender(said, hand_overs), said.c.author == ADVISOR, said.c.at >= hand_overs.c.taken_at
    )
    lately = hand_overs.c.last_at >= since
    return sa.or_(
        hand_overs.c.status == "waiting", sa.and_(hand_overs.c.status == "taken", sa.or_(lately, ~answered))
    )


def _has_no_open_question(table: sa.Table, since: float) -> sa.ColumnElement[bool]:
    return ~sa.exists().where(_of_same_sender(hand_overs, table), _is_open(since))


def _of_same_sender(inner: sa.Table, outer: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(inner.c.channel == outer.c.channel, inner.c.sender == outer.c.sender)
