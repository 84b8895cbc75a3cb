"""The words of a student that the channels' database holds, for whoever must make sure that they are gone."""

from __future__ import annotations

import json
from collections.abc import Iterator

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from channels.delivery.message import STUDENT
from channels.delivery.tables import hand_overs, notes, ratings, said, traces, turns


def student_words(db: Connection, channel: str, sender: str) -> Iterator[str]:
    """Yield the texts that a student has typed, and advisors' notes, in any order and with repetitions."""

    def column(of: sa.Column[str]) -> Iterator[str]:
        table = of.table
        yield from db.execute(
            sa.select(of).where(table.c.channel == channel, table.c.sender == sender)
        ).scalars()

    for stored in column(said.c.message):
        message = json.loads(stored)
        if message.get("author") == STUDENT:
            yield message.get("text") or ""
    for stored in column(turns.c.content):
        content = json.loads(stored)
        yield from (content[key] for key in ("text", "reason") if content.get(key))
    yield from column(hand_overs.c.question)
    yield from column(notes.c.text)
    yield from column(ratings.c.reason)
    yield from column(traces.c.question)
    for stored in column(traces.c.trace):
        trace = json.loads(stored)
        yield from (trace[key] for key in ("normalized", "resolved") if trace.get(key))
