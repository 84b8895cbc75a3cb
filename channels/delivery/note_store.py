"""The advisors' notes on students: seen in the console, sent to nobody, erased with the student's data."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from channels.delivery.database import Database, new_id, of_student
from channels.delivery.tables import notes

_SHOWN = (notes.c.id, notes.c.by, notes.c.text, notes.c.handed_to, notes.c.at)


class NoteStore:
    """The table of notes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, channel: str, sender: str, by: str, text: str, handed_to: str = "") -> int:
        """Store a note and return its id."""
        new = {"channel": channel, "sender": sender, "by": by, "text": text, "handed_to": handed_to}
        with self._database.write() as db:
            return new_id(db.execute(notes.insert().values(**new, at=self._database.now())))

    def of(self, channel: str, sender: str, limit: int) -> list[dict[str, Any]]:
        """Return the last notes on a student, newest last."""
        query = of_student(sa.select(*_SHOWN), notes, channel, sender)
        with self._database.read() as db:
            rows = db.execute(query.order_by(notes.c.id.desc()).limit(limit)).all()
        return [dict(row._mapping) for row in reversed(rows)]
