"""How many messages a student may send in a minute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from channels.delivery.database import of_student
from channels.delivery.sender_rows import CHANNELS, NAMES, among
from channels.delivery.tables import senders, turns

MESSAGES_PER_MINUTE = 20
"""Further messages are dropped, with one notice a minute to the student."""

WINDOW_S = 60.0
"""Seconds in which messages are counted."""

CLOCK_STEP_S = 1.0
"""Seconds by which the clocks of two processes may differ."""

_COUNT = (
    sa.select(turns.c.channel, turns.c.sender, sa.func.count())
    .where(turns.c.channel.in_(CHANNELS), turns.c.sender.in_(NAMES))
    .where(turns.c.at > sa.bindparam("after"), turns.c.at <= sa.bindparam("until"))
    .group_by(turns.c.channel, turns.c.sender)
)


def turns_of_last_minute(
    db: Connection, keys: Collection[tuple[str, str]], now: float
) -> Counter[tuple[str, str]]:
    """Return the number of each sender's turns in the last minute."""
    counted: Counter[tuple[str, str]] = Counter()
    # Turns from the future were stored before the clock was set back: they tell nothing of the last minute.
    minute = {"after": now - WINDOW_S, "until": now + CLOCK_STEP_S}
    for some in among(keys):
        for channel, sender, count in db.execute(_COUNT, {**some, **minute}):
            if (channel, sender) in keys:
                counted[channel, sender] = count
    return counted


def newly_warned(
    db: Connection, too_fast: Collection[tuple[str, str]], now: float
) -> Sequence[tuple[str, str]]:
    """Return which of the senders are told that they write too fast: once a minute."""
    warned = []
    for channel, sender in too_fast:
        before = db.execute(of_student(sa.select(senders.c.warned_at), senders, channel, sender)).scalar_one()
        if not 0.0 <= now - before <= WINDOW_S:
            db.execute(of_student(sa.update(senders), senders, channel, sender).values(warned_at=now))
            warned.append((channel, sender))
    return warned
