"""The platforms' deliveries, each input once: stored in order with the turns that wait for an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from channels.delivery.database import Database, insert_into
from channels.delivery.erased_messages import ErasedMessages
from channels.delivery.incoming import ButtonPress, Incoming, TextInput, UnreadableInput, content_as_json
from channels.delivery.message import STUDENT, Message
from channels.delivery.message_rate import MESSAGES_PER_MINUTE, newly_warned, turns_of_last_minute
from channels.delivery.option_rows import find_option
from channels.delivery.said_rows import said_row
from channels.delivery.sender_rows import CHANNELS, NAMES, among, store_senders
from channels.delivery.tables import HELD, WAITING, calls, said, seen, turns
from vietnamese.text import MAX_QUESTION_CHARS, clean

EVENT_ID_CHARS = 200
"""Of a delivery's id; the column has no more."""

_SAY = said.insert().returning(said.c.channel, said.c.sender, said.c.message, said.c.id)
"""SQLAlchemy returns ids in the order of the rows, too, but on SQLite with a statement for each row."""

_QUEUE_TURN = turns.insert()
_FIND_HELD = sa.select(calls.c.id, calls.c.channel, calls.c.sender).where(
    calls.c.state == HELD, calls.c.channel.in_(CHANNELS), calls.c.sender.in_(NAMES)
)
"""Built once: to build a statement takes longer than to run it."""


@dataclass(frozen=True)
class Delivery:
    """The inputs that one request of a platform brings."""

    channel: str
    incoming: Sequence[Incoming]


@dataclass(frozen=True)
class AcceptedDelivery:
    """The senders with new turns, and the senders who are to be told that they write too fast, each once and in order.

    `refused` are the ids of the inputs that came too fast; they are taken when they come again later.
    """

    senders: Sequence[str]
    too_fast: Sequence[str]
    refused: Sequence[str] = ()


@cache
def _marking(dialect: str) -> Any:
    """Return the statement that stores ids of deliveries, and returns those that were not known."""
    return insert_into(dialect, seen).on_conflict_do_nothing().returning(seen.c.channel, seen.c.event_id)


class IncomingStore:
    """The tables of deliveries and turns, where messages come in."""

    def __init__(self, database: Database, erased: ErasedMessages) -> None:
        self._database = database
        self._erased = erased

    def accept(self, channel: str, incoming: Sequence[Incoming]) -> AcceptedDelivery:
        """Store the inputs of a delivery that are new, in order; on return they are durable."""
        (accepted,) = self._accept_together([Delivery(channel, incoming)])
        return accepted

    def accept_all(self, deliveries: Sequence[Delivery]) -> Sequence[AcceptedDelivery | Exception]:
        """Store deliveries in one transaction; return of each what `accept` returns, or raises.

        Raises:
            sqlalchemy.exc.OperationalError: when the database takes nothing.
        """
        try:
            return self._accept_together(deliveries)
        except sa.exc.OperationalError:
            raise
        except Exception:
            # One of them cannot be stored, which must not cost its neighbours.
            return [self._accepted_alone(each) for each in deliveries]

    def _accepted_alone(self, delivery: Delivery) -> AcceptedDelivery | Exception:
        try:
            return self.accept(delivery.channel, delivery.incoming)
        except Exception as error:  # belongs to who brought this one
            return error

    def _accept_together(self, deliveries: Sequence[Delivery]) -> Sequence[AcceptedDelivery]:
        """One statement for each table, however many deliveries: in a burst, the statements are what takes time."""
        now = self._database.now()
        work: list[dict[str, None]] = [{} for _ in deliveries]
        warned: list[list[str]] = [[] for _ in deliveries]
        refused: list[list[str]] = [[] for _ in deliveries]
        new_turns: list[dict[str, Any]] = []
        shown: list[tuple[dict[str, Any], dict[str, Any]]] = []
        too_fast: dict[tuple[str, str], int] = {}
        with self._database.write() as db:
            new = self._new_inputs(db, deliveries, now)
            self._hear_from(db, new, now)
            recent = turns_of_last_minute(db, {(channel, each.sender) for _, channel, each in new}, now)
            for number, channel, each in new:
                key = (channel, each.sender)
                recent[key] += 1
                if recent[key] + self._erased.count(*key) > MESSAGES_PER_MINUTE:
                    too_fast.setdefault(key, number)
                    refused[number].append(each.event_id)
                    continue
                turn = {
                    "channel": channel,
                    "sender": each.sender,
                    "content": json.dumps(content_as_json(each.content)),
                    "said_id": None,
                    "at": now,
                }
                message = self._heard(db, channel, each, now)
                if message is not None:
                    shown.append((turn, said_row(channel, each.sender, message, None)))
                new_turns.append(turn)
                work[number][each.sender] = None
            if shown:
                # The id of its delivery makes each message another one.
                ids = {tuple(key): said_id for *key, said_id in db.execute(_SAY, [row for _, row in shown])}
                for turn, row in shown:
                    turn["said_id"] = ids[row["channel"], row["sender"], row["message"]]
            if new_turns:
                db.execute(_QUEUE_TURN, new_turns)
            for channel, sender in newly_warned(db, too_fast, now):
                warned[too_fast[channel, sender]].append(sender)
            _forget_inputs(db, deliveries, refused)
        return [
            AcceptedDelivery(tuple(each), tuple(told), tuple(ids))
            for each, told, ids in zip(work, warned, refused, strict=True)
        ]

    def _new_inputs(
        self, db: Connection, deliveries: Sequence[Delivery], now: float
    ) -> Sequence[tuple[int, str, Incoming]]:
        """Mark the inputs as seen; return those that were not, each with its delivery's number and channel."""
        found = [
            (number, delivery.channel, each)
            for number, delivery in enumerate(deliveries)
            for each in delivery.incoming
        ]
        # Sorted: two front doors that insert the same ids in different orders would wait for each other.
        ids = sorted({(channel, each.event_id[:EVENT_ID_CHARS]) for _, channel, each in found})
        if not ids:
            return ()
        rows = [{"channel": channel, "event_id": event_id, "at": now} for channel, event_id in ids]
        unseen = {(channel, event_id) for channel, event_id in db.execute(_marking(db.dialect.name), rows)}
        new = []
        for number, channel, each in found:
            if (key := (channel, each.event_id[:EVENT_ID_CHARS])) in unseen:
                unseen.remove(key)
                new.append((number, channel, each))
        return new

    def _hear_from(self, db: Connection, new: Sequence[tuple[int, str, Incoming]], now: float) -> None:
        """Store when the senders wrote and from where, and queue what was held until then.

        The senders' rows are locked to the end of the transaction, so that message ids follow their order.
        """
        addresses: dict[tuple[str, str], Mapping[str, Any]] = {}
        for _, channel, each in new:
            key = (channel, each.sender)
            addresses[key] = each.address or addresses.get(key, {})
        store_senders(db, addresses, now)
        held = [
            row.id
            for some in among(addresses)
            for row in db.execute(_FIND_HELD, some)
            if (row.channel, row.sender) in addresses
        ]
        if held:
            again = sa.update(calls).where(calls.c.id.in_(held), calls.c.state == HELD)
            db.execute(again.values(state=WAITING, not_before=0.0))

    def _heard(self, db: Connection, channel: str, incoming: Incoming, now: float) -> Message | None:
        """Return the student's message; None for input that the conversation does not show."""
        content = incoming.content
        facts: dict[str, Any] = {"event_id": incoming.event_id}
        if isinstance(content, TextInput):
            text = clean(content.text[: 8 * MAX_QUESTION_CHARS], MAX_QUESTION_CHARS)
        elif isinstance(content, ButtonPress):
            chosen = find_option(db, channel, incoming.sender, content.option, now)
            if chosen is None or chosen.payload.startswith("!"):
                return None
            text, facts["pressed"] = chosen.title, chosen.said_id
        elif isinstance(content, UnreadableInput):
            text, facts["unreadable"] = "", content.what[:40]
        else:
            return None
        return Message(text, STUDENT, facts=facts, at=now)


def _forget_inputs(db: Connection, deliveries: Sequence[Delivery], refused: Sequence[Sequence[str]]) -> None:
    """Take back the mark of refused inputs."""
    rows = [
        {"of_channel": delivery.channel, "of_event": event_id[:EVENT_ID_CHARS]}
        for delivery, of_delivery in zip(deliveries, refused, strict=True)
        for event_id in of_delivery
    ]
    if rows:
        mark = (seen.c.channel == sa.bindparam("of_channel"), seen.c.event_id == sa.bindparam("of_event"))
        db.execute(sa.delete(seen).where(*mark), rows)
