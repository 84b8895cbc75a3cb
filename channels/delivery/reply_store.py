"""The replies, and the requests by which platforms get them."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from channels.delivery.database import Database, new_id, of_student
from channels.delivery.draft import Draft
from channels.delivery.incoming import MenuCommand
from channels.delivery.message import Message, Option, Thumbs
from channels.delivery.option_rows import BAD, GOOD
from channels.delivery.platform import Call
from channels.delivery.said_rows import said_row
from channels.delivery.sender_rows import ensure_sender, locked_address
from channels.delivery.tables import HELD, REFUSED, WAITING, calls, options, said, senders, turns
from channels.delivery.work_queue import QueuedTurn

UP, DOWN = "👍", "👎"

Render = Callable[[Message, Mapping[str, Any]], Sequence[Call]]


class ReplyStore:
    """The messages that are said to students, and the calls that send them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def finish(
        self, channel: str, sender: str, turn: QueuedTurn | None, say: Sequence[Draft], render: Render
    ) -> list[Message]:
        """End a turn: store its replies and their calls. Return an empty list for an erased turn.

        What the student has not asked for is not said below what the student has written meanwhile.
        """
        now = self._database.now()
        with self._database.write() as db:
            if turn is not None:
                done = sa.update(turns).where(turns.c.id == turn.id, turns.c.done_at.is_(None))
                if not db.execute(done.values(done_at=now)).rowcount:
                    return []
            if say:
                ensure_sender(db, channel, sender)
            address = locked_address(db, channel, sender)
            if turn is not None and _is_unasked(turn) and _has_written_since(db, channel, sender, turn):
                return []
            stored = []
            for each in say:
                message = self._say(db, channel, sender, each, turn, now)
                stored.append(message)
                for call in render(message, address):
                    db.execute(
                        calls.insert().values(
                            channel=channel,
                            sender=sender,
                            said_id=message.id,
                            author=message.author,
                            call=json.dumps(dict(call)),
                            state=WAITING,
                            at=now,
                        )
                    )
            return stored

    def _say(
        self, db: Connection, channel: str, sender: str, draft: Draft, turn: QueuedTurn | None, now: float
    ) -> Message:
        made: list[Mapping[str, Any]] = []

        def option(title: str, payload: str) -> Option:
            new = Option(title, secrets.token_urlsafe(9))
            made.append(
                {
                    "id": new.id,
                    "channel": channel,
                    "sender": sender,
                    "title": title,
                    "payload": payload,
                    "at": now,
                }
            )
            return new

        message = Message(
            draft.text,
            draft.author,
            tuple(option(title, payload) for title, payload in draft.buttons),
            Thumbs(option(UP, GOOD), option(DOWN, BAD)) if draft.answer_id else None,
            draft.citations,
            draft.cards,
            draft.by,
            draft.act,
            at=now,
            facts={**draft.facts, "reply_to": turn.said_id} if turn and turn.said_id else draft.facts,
        )
        turn_id = turn.id if turn else None
        said_id = new_id(db.execute(said.insert().values(**said_row(channel, sender, message, turn_id))))
        if made:
            db.execute(options.insert(), [{**each, "said_id": said_id} for each in made])
        return replace(message, id=said_id)

    def outgoing(self, channel: str, sender: str) -> tuple[Mapping[str, Any], float]:
        """Return the sender's address and the time of the student's last message."""
        with self._database.read() as db:
            row = db.execute(of_student(sa.select(senders), senders, channel, sender)).first()
            return (json.loads(row.address), row.heard_at) if row else ({}, 0.0)

    def mark(
        self, call_id: int, state: str, why: str = "", *, tries: int = 0, not_before: float = 0.0
    ) -> None:
        """Set the state of a call."""
        with self._database.write() as db:
            changed = sa.update(calls).where(calls.c.id == call_id)
            db.execute(changed.values(state=state, why=why[:500], tries=tries, not_before=not_before))

    def try_now(self, channel: str) -> None:
        """Let the calls of a channel that wait for a later try begin anew: what was in their way is gone."""
        later = sa.update(calls).where(
            calls.c.channel == channel, calls.c.state == WAITING, calls.c.tries > 0
        )
        with self._database.write() as db:
            db.execute(later.values(tries=0, not_before=0.0))

    def undelivered(self, channel: str | None = None, sender: str | None = None) -> list[dict[str, Any]]:
        """Return the held and refused calls and the waiting ones that have failed, oldest first."""
        query = (
            sa.select(calls, said.c.message)
            .join(said, said.c.id == calls.c.said_id)
            .where(
                sa.or_(
                    calls.c.state.in_((HELD, REFUSED)), sa.and_(calls.c.state == WAITING, calls.c.tries > 0)
                )
            )
            .order_by(calls.c.id)
        )
        if channel is not None and sender is not None:
            query = query.where(calls.c.channel == channel, calls.c.sender == sender)
        with self._database.read() as db:
            return [
                {
                    "id": row.id,
                    "channel": row.channel,
                    "sender": row.sender,
                    "message": row.said_id,
                    "state": row.state,
                    "why": row.why,
                    "at": row.at,
                    "text": json.loads(row.message)["text"],
                }
                for row in db.execute(query)
            ]

    def on_its_way(self, channel: str, sender: str) -> list[int]:
        """Return the ids of the messages with waiting calls."""
        query = of_student(sa.select(calls.c.said_id), calls, channel, sender).where(calls.c.state == WAITING)
        with self._database.read() as db:
            return sorted(set(db.execute(query).scalars()))

    def send_again(self, call_id: int) -> tuple[str, str] | None:
        """Queue a held or refused call again; return its channel and sender, or None for any other call."""
        with self._database.write() as db:
            again = sa.update(calls).where(calls.c.id == call_id, calls.c.state.in_((HELD, REFUSED)))
            if not db.execute(again.values(state=WAITING, tries=0, not_before=0.0)).rowcount:
                return None
            row = db.execute(sa.select(calls.c.channel, calls.c.sender).where(calls.c.id == call_id)).one()
            return row.channel, row.sender


def _is_unasked(turn: QueuedTurn) -> bool:
    return isinstance(turn.content, MenuCommand) and turn.content.unasked


def _has_written_since(db: Connection, channel: str, sender: str, turn: QueuedTurn) -> bool:
    later = of_student(sa.select(turns.c.id), turns, channel, sender)
    return (
        db.execute(later.where(turns.c.id > turn.id, turns.c.said_id.is_not(None)).limit(1)).first()
        is not None
    )
