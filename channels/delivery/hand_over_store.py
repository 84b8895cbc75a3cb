"""The conversations that an advisor takes over."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from channels.delivery.database import Database, new_id, of_student
from channels.delivery.note_store import insert_note
from channels.delivery.sender_rows import locked_address
from channels.delivery.tables import hand_overs, senders
from vietnamese.text import MAX_QUESTION_CHARS

_WITH_HEARD_AT = sa.select(hand_overs, sa.func.coalesce(senders.c.heard_at, 0.0).label("heard_at")).join(
    senders,
    sa.and_(senders.c.channel == hand_overs.c.channel, senders.c.sender == hand_overs.c.sender),
    isouter=True,
)


class HandOverStore:
    """The table of hand-overs; a conversation has one at most that is not closed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(
        self, channel: str, sender: str, request: Mapping[str, Any], quiet: bool, expected_at: float | None
    ) -> int:
        """Open a hand-over and return its id; an open one is updated instead."""
        now = self._database.now()
        with self._database.write() as db:
            locked_address(db, channel, sender)
            row = _find_open(db, channel, sender)
            if row is not None:
                db.execute(
                    sa.update(hand_overs).where(hand_overs.c.id == row.id).values(quiet=quiet, last_at=now)
                )
                return int(row.id)
            new = hand_overs.insert().values(
                channel=channel,
                sender=sender,
                status="waiting",
                quiet=quiet,
                topic=str(request.get("topic") or ""),
                office=str(request.get("office") or ""),
                question=str(request.get("question") or "")[:MAX_QUESTION_CHARS],
                hours=json.dumps(request.get("hours")),
                opened_at=now,
                expected_at=expected_at,
                last_at=now,
            )
            return new_id(db.execute(new))

    def open_of(self, channel: str, sender: str) -> dict[str, Any] | None:
        """Return the open hand-over of a conversation; None without one."""
        with self._database.read() as db:
            row = _find_open(db, channel, sender)
            return dict(row._mapping) if row is not None else None

    def by_id(self, hand_over_id: int) -> dict[str, Any] | None:
        """Return a hand-over of any status with `heard_at` of its sender; None for an unknown id."""
        with self._database.read() as db:
            row = db.execute(_WITH_HEARD_AT.where(hand_overs.c.id == hand_over_id)).first()
            return dict(row._mapping) if row is not None else None

    def close(self, hand_over_id: int, by: str) -> bool:
        """Give a conversation back to the bot; return False when it is closed already."""
        closed = {"status": "closed", "quiet": False, "closed_by": by, "closed_at": self._database.now()}
        return self.change(hand_over_id, ("waiting", "taken"), **closed)

    def quiet(self, channel: str) -> list[dict[str, Any]]:
        """Return the quiet hand-overs of a channel, in which the bot does not reply."""
        query = sa.select(hand_overs).where(hand_overs.c.channel == channel, hand_overs.c.quiet.is_(True))
        with self._database.read() as db:
            return [dict(row._mapping) for row in db.execute(query)]

    def with_status(self, statuses: Sequence[str], limit: int) -> list[dict[str, Any]]:
        """Return the hand-overs with these statuses and `heard_at` of their senders.

        The longest-waiting first; closed ones are behind all others, the latest first.
        """
        closed = hand_overs.c.status == "closed"
        since = sa.case((closed, -hand_overs.c.opened_at), else_=hand_overs.c.opened_at)
        query = _WITH_HEARD_AT.where(hand_overs.c.status.in_(statuses)).order_by(closed, since)
        with self._database.read() as db:
            return [dict(row._mapping) for row in db.execute(query.limit(limit))]

    def change(self, hand_over_id: int, only: Sequence[str], **values: Any) -> bool:
        """Change a hand-over whose status is in `only`; return False for another status."""
        with self._database.write() as db:
            changed = sa.update(hand_overs).where(
                hand_overs.c.id == hand_over_id, hand_overs.c.status.in_(only)
            )
            return bool(db.execute(changed.values(**values)).rowcount)

    def hand_on(self, hand_over_id: int, seen_by: str, by: str, text: str, **values: Any) -> bool:
        """Change an open hand-over that was seen as `seen_by`'s (empty: it waits), and store the note of who did it.

        Returns False when it is closed, or another advisor's by now.
        """
        seen = sa.update(hand_overs).where(
            hand_overs.c.id == hand_over_id,
            hand_overs.c.status == ("taken" if seen_by else "waiting"),
            hand_overs.c.taken_by == seen_by,
        )
        with self._database.write() as db:
            changed = bool(db.execute(seen.values(**values)).rowcount)
            if changed:
                insert_note(
                    db, hand_over_id, by, text, self._database.now(), values["taken_by"] or values["office"]
                )
            return changed

    def end_quiet(self, hand_over_id: int) -> bool:
        """Let the bot reply in an open hand-over; return False when it does already."""
        with self._database.write() as db:
            quiet = sa.update(hand_overs).where(hand_overs.c.id == hand_over_id, hand_overs.c.quiet.is_(True))
            return bool(db.execute(quiet.values(quiet=False)).rowcount)


def _find_open(db: Connection, channel: str, sender: str) -> Any:
    query = of_student(sa.select(hand_overs), hand_overs, channel, sender).where(
        hand_overs.c.status != "closed"
    )
    return db.execute(query.order_by(hand_overs.c.id.desc()).limit(1)).first()
