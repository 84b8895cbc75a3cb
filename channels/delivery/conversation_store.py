"""The conversations as they were held, and the students' ratings of the answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import dropwhile, takewhile
from typing import Any

import sqlalchemy as sa

from channels.delivery.database import Database, of_student
from channels.delivery.message import STUDENT, Message
from channels.delivery.option_rows import ChosenOption, OfferedOption, find_option, payloads
from channels.delivery.said_rows import message_of_row
from channels.delivery.tables import ratings, said, senders

MOST_BUBBLES = 12
"""Messages above the student's that are looked through for options."""


class ConversationStore:
    """The messages of both sides, read; and the ratings of answers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def history(self, channel: str, sender: str, before: int | None, limit: int) -> list[Message]:
        """Return the last messages before id `before`, newest last."""
        query = of_student(sa.select(said.c.id, said.c.message), said, channel, sender)
        if before is not None:
            query = query.where(said.c.id < before)
        with self._database.read() as db:
            rows = db.execute(query.order_by(said.c.id.desc()).limit(limit)).all()
        return [message_of_row(row) for row in reversed(rows)]

    def since(self, channel: str, sender: str, after: int, limit: int = 200) -> list[Message]:
        """Return the messages after id `after`, oldest first."""
        query = of_student(sa.select(said.c.id, said.c.message), said, channel, sender).where(
            said.c.id > after
        )
        with self._database.read() as db:
            return [message_of_row(row) for row in db.execute(query.order_by(said.c.id).limit(limit)).all()]

    def chosen(self, channel: str, sender: str, option: str) -> ChosenOption | None:
        """Return the option of a button; None when the student has no such button."""
        with self._database.read() as db:
            return find_option(db, channel, sender, option, self._database.now())

    def offered(self, channel: str, sender: str, before: int) -> list[OfferedOption]:
        """Return the options that stood right above the student's message `before`, in the order of the page.

        A reply that only declines ("choose one of the above") leaves those of the reply before it open.
        """
        above = self.history(channel, sender, before, MOST_BUBBLES)
        reply = _last_reply(above)
        if reply and all(message.act == "no_answer" for message in reply):
            asked = dropwhile(lambda message: message.author == STUDENT, reversed(above[: -len(reply)]))
            reply = [*_last_reply(list(asked)[::-1]), *reply]
        if not any(message.options for message in reply):
            return []
        with self._database.read() as db:
            known = payloads(db, channel, sender, [message.id for message in reply], self._database.now())
        return [
            OfferedOption(option.title, known[option.id], message.id, message.act == "ask")
            for message in reply
            for option in message.options
            if option.id in known
        ]

    def asked_right_before(self, channel: str, sender: str, before: int, payload: str) -> bool:
        """Return whether a button with this payload is on the message right above the student's message `before`."""
        above = self.history(channel, sender, before, 1)
        with self._database.read() as db:
            known = payloads(db, channel, sender, [message.id for message in above], self._database.now())
        return payload in known.values()

    def rate(self, channel: str, sender: str, said_id: int, good: bool | None, reason: str) -> bool:
        """Store a rating; without `good`, add the reason only. Return False when the answer is not the student's."""
        with self._database.write() as db:
            query = of_student(sa.select(said.c.message), said, channel, sender).where(said.c.id == said_id)
            stored = db.execute(query).scalar()
            if stored is None or not (message := json.loads(stored)).get("thumbs"):
                return False
            new: dict[str, Any] = {"at": self._database.now()}
            if good is not None:
                new["good"] = good
            if reason or good is not None:
                new["reason"] = reason[:1000]
            changed = db.execute(sa.update(ratings).where(ratings.c.said_id == said_id).values(**new))
            if not changed.rowcount:
                answer_id = str(message["facts"].get("answer_id") or "")
                of_sender = {"said_id": said_id, "channel": channel, "sender": sender, "answer_id": answer_id}
                db.execute(ratings.insert().values(**of_sender, **{"good": False, **new}))
            return True

    def last_heard(self, channel: str) -> float:
        """Return when a student last wrote on a channel; 0 when nobody has."""
        query = sa.select(sa.func.max(senders.c.heard_at)).where(senders.c.channel == channel)
        with self._database.read() as db:
            return float(db.execute(query).scalar() or 0.0)


def _last_reply(messages: Sequence[Message]) -> list[Message]:
    """Return the messages behind the student's last one."""
    return list(takewhile(lambda message: message.author != STUDENT, reversed(messages)))[::-1]
