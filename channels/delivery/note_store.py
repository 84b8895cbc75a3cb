"""The advisors' notes on students: seen in the console, sent to nobody, erased with the student's data."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from channels.delivery.database import Database, new_id, of_student
from channels.delivery.tables import hand_overs, notes

_SHOWN = (notes.c.id, notes.c.by, notes.c.text, notes.c.handed_to, notes.c.at)


class NoteStore:
    """The table of notes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, hand_over_id: int, by: str, text: str) -> int | None:
        """Store a note on the student of a hand-over and return its id; None when the student has erased all."""
        with self._database.write() as db:
            return insert_note(db, hand_over_id, by, text, self._database.now())

    def of(self, channel: str, sender: str, limit: int) -> list[dict[str, Any]]:
        """Return the last notes on a student, newest last."""
        query = of_student(sa.select(*_SHOWN), notes, channel, sender)
        with self._database.read() as db:
            rows = db.execute(query.order_by(notes.c.id.desc()).limit(limit)).all()
        return [dict(row._mapping) for row in reversed(rows)]


def insert_note(
    db: Connection, hand_over_id: int, by: str, text: str, at: float, handed_to: str = ""
) -> int | None:
    """Insert a note on the student of a hand-over and return its id; None for an unknown hand-over."""
    # Locked: an erasure that runs at the same time deletes the note, too, or is done before.
    found = sa.select(hand_overs.c.channel, hand_overs.c.sender).where(hand_overs.c.id == hand_over_id)
    row = db.execute(found.with_for_update()).first()
    if row is None:
        return None
    new = {"by": by, "text": text, "handed_to": handed_to, "at": at}
    return new_id(db.execute(notes.insert().values(channel=row.channel, sender=row.sender, **new)))
