"""The database of the channels. Each method is one transaction; `DeliveryWorker` calls them in a thread.

A transaction stores a delivery with its mark in `channel_seen`, or the end of a turn with its replies. When a process
dies between two methods, another process continues from the stored state.
"""

from __future__ import annotations

import itertools
import json
import secrets
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from channels.delivery.draft import Draft
from channels.delivery.erased_messages import ErasedMessages
from channels.delivery.incoming import (
    ButtonPress,
    Content,
    Incoming,
    TextInput,
    UnreadableInput,
    content_as_json,
    content_of_json,
)
from channels.delivery.message import STUDENT, Message, Option, Thumbs
from channels.delivery.platform import Call
from channels.delivery.retention import OPTION_FOR_S, delete_some
from channels.delivery.schema import migrate
from channels.delivery.student_words import student_words
from channels.delivery.tables import (
    HELD,
    OF_SENDER,
    REFUSED,
    WAITING,
    calls,
    hand_overs,
    options,
    ratings,
    said,
    seen,
    senders,
    turns,
)
from channels.delivery.token_store import TokenStore
from privacy.scrubber import Scrubber, overwrite_deleted
from vietnamese.text import MAX_QUESTION_CHARS, clean

HOLD_S = 30.0
"""Seconds after which the lease on a sender expires unless its process renews it."""

MESSAGES_PER_MINUTE = 20
"""Further messages are dropped, with one notice a minute to the student."""

TRIED_ROWS = 200

EVENT_ID_CHARS = 200
"""Of a delivery's id; the column has no more."""

NO_ADDRESS = "{}"

CLOCK_STEP_S = 1.0
"""Seconds by which the clocks of two processes may differ."""

GOOD, BAD = "!good", "!bad"
UP, DOWN = "👍", "👎"

LOCKED_S = 5.0
"""Seconds that SQLite waits for another process's transaction; then the work is tried again later."""

WAL_TRIES, WAL_PAUSE_S = 100, 0.05

_SQLITE = {"check_same_thread": False, "timeout": LOCKED_S}

_READING = "covan_reading"
"""Execution option of transactions that only read."""

Render = Callable[[Message, Mapping[str, Any]], Sequence[Call]]


@dataclass(frozen=True)
class QueuedTurn:
    """An input of a student that waits for its answer."""

    id: int
    content: Content
    at: float


@dataclass(frozen=True)
class StoredCall:
    """A request to the platform that is not sent yet."""

    id: int
    call: Call
    author: str
    tries: int
    not_before: float


@dataclass(frozen=True)
class ChosenOption:
    """The title and payload of a pressed button, and the message it belongs to."""

    title: str
    payload: str
    said_id: int


@dataclass(frozen=True)
class Delivery:
    """The inputs that one request of a platform brings."""

    channel: str
    incoming: Sequence[Incoming]


@dataclass(frozen=True)
class AcceptedDelivery:
    """The senders with new turns, and the senders over the rate limit, each once and in order."""

    senders: Sequence[str]
    too_fast: Sequence[str]


class Store:
    """The tables of channels/delivery/tables.py in one database."""

    def __init__(self, url: str, clock: Callable[[], float] = time.time) -> None:
        """Raises sqlalchemy.exc.SQLAlchemyError when the database cannot be used."""
        self._clock = clock
        self._erased = ErasedMessages()
        # By default SQLAlchemy opens a file anew for each transaction, and SQLite syncs it at each close.
        pool = (
            {"poolclass": sa.pool.QueuePool, "connect_args": _SQLITE}
            if url.startswith("sqlite")
            else {"pool_pre_ping": True}
        )
        self._engine = sa.create_engine(url, hide_parameters=True, **pool)
        self._reading = self._engine.execution_options(**{_READING: True})
        # Only a dialect's own INSERT has ON CONFLICT.
        self._insert = sqlite.insert if self._engine.dialect.name == "sqlite" else postgresql.insert
        if self._engine.dialect.name == "sqlite":
            sa.event.listen(self._engine, "connect", _sqlite_durable)
            sa.event.listen(self._engine, "begin", _sqlite_begin)
        migrate(self._engine)
        self.tokens = TokenStore(self._engine, self._reading, clock)
        self._scrubber = Scrubber(self._engine, [table.name for table in OF_SENDER])

    def close(self) -> None:
        """Close the connections."""
        self._scrubber.close()
        self._engine.dispose()

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        with self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        """A transaction that only reads: on SQLite another process's write does not hold it up."""
        with self._reading.begin() as connection:
            yield connection

    # --- incoming -----------------------------------------------------------------------------------------------------

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
        now = self._clock()
        work: list[dict[str, None]] = [{} for _ in deliveries]
        warned: list[list[str]] = [[] for _ in deliveries]
        new_said: list[dict[str, Any]] = []
        new_turns: list[dict[str, Any]] = []
        shown: list[dict[str, Any]] = []
        too_fast: dict[tuple[str, str], int] = {}
        with self._write() as db:
            new = self._new_inputs(db, deliveries, now)
            self._hear_from(db, new, now)
            recent = _recent(db, {(channel, each.sender) for _, channel, each in new}, now)
            for number, channel, each in new:
                key = (channel, each.sender)
                recent[key] += 1
                if recent[key] + self._erased.count(*key) > MESSAGES_PER_MINUTE:
                    too_fast.setdefault(key, number)
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
                    new_said.append(_said_row(channel, each.sender, message, None))
                    shown.append(turn)
                new_turns.append(turn)
                work[number][each.sender] = None
            if new_said:
                inserted = said.insert().returning(said.c.id, sort_by_parameter_order=True)
                for turn, said_id in zip(shown, db.execute(inserted, new_said).scalars(), strict=True):
                    turn["said_id"] = said_id
            if new_turns:
                db.execute(turns.insert(), new_turns)
            for channel, sender in self._newly_warned(db, too_fast, now):
                warned[too_fast[channel, sender]].append(sender)
        return [AcceptedDelivery(tuple(each), tuple(told)) for each, told in zip(work, warned, strict=True)]

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
        marked = self._insert(seen).on_conflict_do_nothing().returning(seen.c.channel, seen.c.event_id)
        rows = [{"channel": channel, "event_id": event_id, "at": now} for channel, event_id in ids]
        unseen = {(channel, event_id) for channel, event_id in db.execute(marked, rows)}
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
        self._store_senders(db, addresses, now)
        for channel, names in _by_channel(addresses):
            held = sa.update(calls).where(
                calls.c.state == HELD, calls.c.channel == channel, calls.c.sender.in_(names)
            )
            db.execute(held.values(state=WAITING, not_before=0.0))

    def _store_senders(
        self, db: Connection, addresses: Mapping[tuple[str, str], Mapping[str, Any]], now: float
    ) -> None:
        """Store the address and the time of senders; an empty address leaves the one before."""
        if not addresses:
            return
        row = self._insert(senders)
        address = sa.case((row.excluded.address == NO_ADDRESS, senders.c.address), else_=row.excluded.address)
        stored = row.on_conflict_do_update(
            index_elements=[senders.c.channel, senders.c.sender],
            set_={"heard_at": row.excluded.heard_at, "address": address},
        )
        db.execute(
            stored,
            [
                {
                    "channel": channel,
                    "sender": sender,
                    "heard_at": now,
                    "address": json.dumps(dict(addresses[channel, sender])),
                }
                for channel, sender in sorted(addresses)
            ],
        )

    def _newly_warned(
        self, db: Connection, too_fast: Collection[tuple[str, str]], now: float
    ) -> Sequence[tuple[str, str]]:
        """Return which of the senders are told that they write too fast: once a minute."""
        warned = []
        for channel, sender in too_fast:
            before = db.execute(_of(sa.select(senders.c.warned_at), senders, channel, sender)).scalar_one()
            if not 0.0 <= now - before <= 60.0:
                db.execute(_of(sa.update(senders), senders, channel, sender).values(warned_at=now))
                warned.append((channel, sender))
        return warned

    def _heard(self, db: Connection, channel: str, incoming: Incoming, now: float) -> Message | None:
        """Return the student's message; None for input that the conversation does not show."""
        content = incoming.content
        facts: dict[str, Any] = {"event_id": incoming.event_id}
        if isinstance(content, TextInput):
            text = clean(content.text[: 8 * MAX_QUESTION_CHARS], MAX_QUESTION_CHARS)
        elif isinstance(content, ButtonPress):
            chosen = self._chosen(db, channel, incoming.sender, content.option)
            if chosen is None or chosen.payload.startswith("!"):
                return None
            text, facts["pressed"] = chosen.title, chosen.said_id
        elif isinstance(content, UnreadableInput):
            text, facts["unreadable"] = "", content.what[:40]
        else:
            return None
        return Message(text, STUDENT, facts=facts, at=now)

    # --- serving a sender -------------------------------------------------------------------------------------------

    def hold(self, channel: str, sender: str, process: str) -> bool:
        """Take the lease on a sender; return False when another process holds it."""
        now = self._clock()
        with self._write() as db:
            held = _of(sa.update(senders), senders, channel, sender).where(_free(now, process))
            return bool(db.execute(held.values(held_by=process, held_until=now + HOLD_S)).rowcount)

    def release(self, channel: str, sender: str, process: str) -> bool:
        """Give up the lease; return True when work arrived in the meantime."""
        with self._write() as db:
            mine = _of(sa.update(senders), senders, channel, sender).where(senders.c.held_by == process)
            db.execute(mine.values(held_by=None))
        with self._write() as db:
            return (
                self._next_call(db, channel, sender) is not None
                or self._next_turn(db, channel, sender) is not None
            )

    def still_here(self, process: str, serving: Collection[tuple[str, str]]) -> None:
        """Renew a process's leases on the senders that it is serving (channel and sender); no other lease lasts."""
        until = self._clock() + HOLD_S
        with self._write() as db:
            for channel, sender in serving:
                mine = _of(sa.update(senders), senders, channel, sender).where(senders.c.held_by == process)
                db.execute(mine.values(held_until=until))

    def try_writing(self) -> None:
        """Write and delete rows: raises what a message would, when the database is locked, full or damaged."""
        tried, at = secrets.token_hex(8), self._clock()
        # As much as a long message: the file must have room for new pages.
        rows = [{"channel": "", "event_id": f"{tried}-{number}", "at": at} for number in range(TRIED_ROWS)]
        with self._write() as db:
            db.execute(seen.insert(), rows)
            db.execute(sa.delete(seen).where(seen.c.channel == "", seen.c.event_id.startswith(tried)))

    def release_all(self) -> None:
        """Drop all leases; for a single process, whose predecessor is gone."""
        with self._write() as db:
            db.execute(sa.update(senders).where(senders.c.held_by.isnot(None)).values(held_by=None))

    def next(self, channel: str, sender: str) -> tuple[StoredCall | None, QueuedTurn | None]:
        """Return the oldest waiting call, or else the oldest waiting turn."""
        with self._read() as db:
            call = self._next_call(db, channel, sender)
            return call, None if call else self._next_turn(db, channel, sender)

    def waiting(self, channel: str, process: str) -> list[str]:
        """Return the senders with waiting work that `process` may serve: nobody else has a lease on them."""
        free = _free(self._clock(), process)
        with self._read() as db:
            open_turns = sa.select(turns.c.sender).where(
                turns.c.channel == channel, turns.c.done_at.is_(None)
            )
            open_calls = sa.select(calls.c.sender).where(calls.c.channel == channel, calls.c.state == WAITING)
            # With two conditions and an OR, SQLite would go through all senders of the channel.
            working = senders.c.sender.in_(open_turns.union(open_calls))
            found = sa.select(senders.c.sender).where(senders.c.channel == channel, free, working)
            return list(db.execute(found).scalars())

    @staticmethod
    def _next_call(db: Connection, channel: str, sender: str) -> StoredCall | None:
        row = db.execute(
            _of(sa.select(calls), calls, channel, sender)
            .where(calls.c.state == WAITING)
            .order_by(calls.c.id)
            .limit(1)
        ).first()
        if row is None:
            return None
        return StoredCall(row.id, json.loads(row.call), row.author, row.tries, row.not_before)

    @staticmethod
    def _next_turn(db: Connection, channel: str, sender: str) -> QueuedTurn | None:
        row = db.execute(
            _of(sa.select(turns), turns, channel, sender)
            .where(turns.c.done_at.is_(None))
            .order_by(turns.c.id)
            .limit(1)
        ).first()
        return None if row is None else QueuedTurn(row.id, content_of_json(json.loads(row.content)), row.at)

    # --- replies ------------------------------------------------------------------------------------------------------

    def finish(
        self, channel: str, sender: str, turn: QueuedTurn | None, say: Sequence[Draft], render: Render
    ) -> list[Message]:
        """End a turn: store its replies and their calls. Return an empty list for an erased turn."""
        now = self._clock()
        with self._write() as db:
            if turn is not None:
                done = sa.update(turns).where(turns.c.id == turn.id, turns.c.done_at.is_(None))
                if not db.execute(done.values(done_at=now)).rowcount:
                    return []
            if say:
                self._ensure_sender(db, channel, sender)
            address = self._address(db, channel, sender)
            stored = []
            for each in say:
                message = self._say(db, channel, sender, each, turn.id if turn else None, now)
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
        self, db: Connection, channel: str, sender: str, draft: Draft, turn_id: int | None, now: float
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
            at=now,
            facts=draft.facts,
        )
        said_id = self._insert_said(db, channel, sender, message, turn_id)
        if made:
            db.execute(options.insert(), [{**each, "said_id": said_id} for each in made])
        return replace(message, id=said_id)

    @staticmethod
    def _insert_said(db: Connection, channel: str, sender: str, message: Message, turn_id: int | None) -> int:
        return _new_id(db.execute(said.insert().values(**_said_row(channel, sender, message, turn_id))))

    @staticmethod
    def _ensure_sender(db: Connection, channel: str, sender: str) -> None:
        """Make the row by whose lease a student is served; it is missing after an erasure."""
        if db.execute(_of(sa.select(senders.c.sender), senders, channel, sender)).first() is not None:
            return
        # Another process may be quicker.
        with suppress(sa.exc.IntegrityError), db.begin_nested():
            db.execute(senders.insert().values(channel=channel, sender=sender))

    def _address(self, db: Connection, channel: str, sender: str) -> dict[str, Any]:
        """Return the sender's address; the row stays locked to the end of the transaction."""
        query = _of(sa.select(senders.c.address), senders, channel, sender).with_for_update()
        found: dict[str, Any] = json.loads(db.execute(query).scalar() or "{}")
        return found

    # --- calls ------------------------------------------------------------------------------------------------------

    def outgoing(self, channel: str, sender: str) -> tuple[Mapping[str, Any], float]:
        """Return the sender's address and the time of the student's last message."""
        with self._read() as db:
            row = db.execute(_of(sa.select(senders), senders, channel, sender)).first()
            return (json.loads(row.address), row.heard_at) if row else ({}, 0.0)

    def mark(
        self, call_id: int, state: str, why: str = "", *, tries: int = 0, not_before: float = 0.0
    ) -> None:
        """Set the state of a call."""
        with self._write() as db:
            changed = sa.update(calls).where(calls.c.id == call_id)
            db.execute(changed.values(state=state, why=why[:500], tries=tries, not_before=not_before))

    def try_now(self, channel: str) -> None:
        """Let the calls of a channel that wait for a later try begin anew: what was in their way is gone."""
        later = sa.update(calls).where(
            calls.c.channel == channel, calls.c.state == WAITING, calls.c.tries > 0
        )
        with self._write() as db:
            db.execute(later.values(tries=0, not_before=0.0))

    def last_heard(self, channel: str) -> float:
        """Return when a student last wrote on a channel; 0 when nobody has."""
        query = sa.select(sa.func.max(senders.c.heard_at)).where(senders.c.channel == channel)
        with self._read() as db:
            return float(db.execute(query).scalar() or 0.0)

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
        with self._read() as db:
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
        query = _of(sa.select(calls.c.said_id), calls, channel, sender).where(calls.c.state == WAITING)
        with self._read() as db:
            return sorted(set(db.execute(query).scalars()))

    def send_again(self, call_id: int) -> tuple[str, str] | None:
        """Queue a held or refused call again; return its channel and sender, or None for any other call."""
        with self._write() as db:
            again = sa.update(calls).where(calls.c.id == call_id, calls.c.state.in_((HELD, REFUSED)))
            if not db.execute(again.values(state=WAITING, tries=0, not_before=0.0)).rowcount:
                return None
            row = db.execute(sa.select(calls.c.channel, calls.c.sender).where(calls.c.id == call_id)).one()
            return row.channel, row.sender

    # --- reading ----------------------------------------------------------------------------------------------------

    def history(self, channel: str, sender: str, before: int | None, limit: int) -> list[Message]:
        """Return the last messages before id `before`, newest last."""
        query = _of(sa.select(said.c.id, said.c.message), said, channel, sender)
        if before is not None:
            query = query.where(said.c.id < before)
        with self._read() as db:
            rows = db.execute(query.order_by(said.c.id.desc()).limit(limit)).all()
        return [_message(row) for row in reversed(rows)]

    def since(self, channel: str, sender: str, after: int, limit: int = 200) -> list[Message]:
        """Return the messages after id `after`, oldest first."""
        query = _of(sa.select(said.c.id, said.c.message), said, channel, sender).where(said.c.id > after)
        with self._read() as db:
            return [_message(row) for row in db.execute(query.order_by(said.c.id).limit(limit)).all()]

    def chosen(self, channel: str, sender: str, option: str) -> ChosenOption | None:
        """Return the option of a button; None when the student has no such button."""
        with self._read() as db:
            return self._chosen(db, channel, sender, option)

    def _chosen(self, db: Connection, channel: str, sender: str, option: str) -> ChosenOption | None:
        query = _of(sa.select(options), options, channel, sender).where(
            options.c.id == option, options.c.at > self._clock() - OPTION_FOR_S
        )
        row = db.execute(query).first()
        return None if row is None else ChosenOption(row.title, row.payload, row.said_id)

    # --- ratings ----------------------------------------------------------------------------------------------------

    def rate(self, channel: str, sender: str, said_id: int, good: bool | None, reason: str) -> bool:
        """Store a rating; without `good`, add the reason only. Return False when the answer is not the student's."""
        with self._write() as db:
            query = _of(sa.select(said.c.message), said, channel, sender).where(said.c.id == said_id)
            stored = db.execute(query).scalar()
            if stored is None or not (message := json.loads(stored)).get("thumbs"):
                return False
            new: dict[str, Any] = {"at": self._clock()}
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

    # --- hand-over --------------------------------------------------------------------------------------------------

    def open_hand_over(
        self, channel: str, sender: str, request: Mapping[str, Any], quiet: bool, expected_at: float | None
    ) -> int:
        """Open a hand-over and return its id; an open one is updated instead."""
        now = self._clock()
        with self._write() as db:
            self._address(db, channel, sender)
            row = self._open(db, channel, sender)
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
            return _new_id(db.execute(new))

    def hand_over(self, channel: str, sender: str) -> dict[str, Any] | None:
        """Return the open hand-over of a conversation; None without one."""
        with self._read() as db:
            row = self._open(db, channel, sender)
            return dict(row._mapping) if row is not None else None

    def hand_over_by_id(self, hand_over_id: int) -> dict[str, Any] | None:
        """Return a hand-over of any status with `heard_at` of its sender; None for an unknown id."""
        with self._read() as db:
            row = db.execute(_WITH_HEARD_AT.where(hand_overs.c.id == hand_over_id)).first()
            return dict(row._mapping) if row is not None else None

    def close_hand_over(self, hand_over_id: int, by: str) -> bool:
        """Give a conversation back to the bot; return False when it is closed already."""
        closed = {"status": "closed", "quiet": False, "closed_by": by, "closed_at": self._clock()}
        return self.change_hand_over(hand_over_id, ("waiting", "taken"), **closed)

    def quiet_hand_overs(self, channel: str) -> list[dict[str, Any]]:
        """Return the quiet hand-overs of a channel, in which the bot does not reply."""
        query = sa.select(hand_overs).where(hand_overs.c.channel == channel, hand_overs.c.quiet.is_(True))
        with self._read() as db:
            return [dict(row._mapping) for row in db.execute(query)]

    def list_hand_overs(self, statuses: Sequence[str], limit: int) -> list[dict[str, Any]]:
        """Return the hand-overs with these statuses and `heard_at` of their senders, the longest-waiting first."""
        query = _WITH_HEARD_AT.where(hand_overs.c.status.in_(statuses))
        with self._read() as db:
            return [
                dict(row._mapping) for row in db.execute(query.order_by(hand_overs.c.opened_at).limit(limit))
            ]

    def change_hand_over(self, hand_over_id: int, only: Sequence[str], **values: Any) -> bool:
        """Change a hand-over whose status is in `only`; return False for another status."""
        with self._write() as db:
            changed = sa.update(hand_overs).where(
                hand_overs.c.id == hand_over_id, hand_overs.c.status.in_(only)
            )
            return bool(db.execute(changed.values(**values)).rowcount)

    def end_quiet(self, hand_over_id: int) -> bool:
        """Let the bot reply in an open hand-over; return False when it does already."""
        with self._write() as db:
            quiet = sa.update(hand_overs).where(hand_overs.c.id == hand_over_id, hand_overs.c.quiet.is_(True))
            return bool(db.execute(quiet.values(quiet=False)).rowcount)

    @staticmethod
    def _open(db: Connection, channel: str, sender: str) -> Any:
        query = _of(sa.select(hand_overs), hand_overs, channel, sender).where(hand_overs.c.status != "closed")
        return db.execute(query.order_by(hand_overs.c.id.desc()).limit(1)).first()

    # --- erasing ----------------------------------------------------------------------------------------------------

    def erase(self, channel: str, sender: str) -> None:
        """Erase the data of a student. The ids of seen deliveries are anonymous and stay.

        The rows are gone on return, their bytes within seconds.
        """
        now = self._clock()
        with self._write() as db:
            self._erased.add(channel, sender, _recent(db, [(channel, sender)], now)[channel, sender])
            words = set(student_words(db, channel, sender))
            for table in OF_SENDER:
                db.execute(_of(sa.delete(table), table, channel, sender))
        self._scrubber.erased(words)

    def remember_address(self, channel: str, sender: str, address: Mapping[str, Any]) -> None:
        """Store the address of a student whose data was erased."""
        with self._write() as db:
            self._store_senders(db, {(channel, sender): address}, self._clock())

    def tidy(self, retention_days: float) -> bool:
        """Delete some of what has expired (`channels.delivery.retention`); return False when nothing was left."""
        with self._write() as db:
            deleted = delete_some(db, self._clock(), retention_days)
        if not deleted:
            # Also for a process that was killed: it may have erased rows, but not their bytes.
            self._scrubber.erased(())
        return deleted


_WITH_HEARD_AT = sa.select(hand_overs, sa.func.coalesce(senders.c.heard_at, 0.0).label("heard_at")).join(
    senders,
    sa.and_(senders.c.channel == hand_overs.c.channel, senders.c.sender == hand_overs.c.sender),
    isouter=True,
)


def _of(statement: Any, table: sa.Table, channel: str, sender: str) -> Any:
    """Restrict a statement to one student's rows."""
    return statement.where(table.c.channel == channel, table.c.sender == sender)


def _new_id(result: sa.CursorResult[Any]) -> int:
    key = result.inserted_primary_key
    assert key is not None
    return int(key[0])


def _free(now: float, process: str) -> sa.ColumnElement[bool]:
    """Whether `process` may take the lease on a sender. A lease that ends later than any can was taken before the
    clock was set back."""
    return sa.or_(
        senders.c.held_by.is_(None),
        senders.c.held_by == process,
        senders.c.held_until < now,
        senders.c.held_until > now + 2 * HOLD_S,
    )


def _by_channel(keys: Collection[tuple[str, str]]) -> Sequence[tuple[str, Sequence[str]]]:
    """Return each channel with its senders."""
    return [
        (channel, [sender for _, sender in of_channel])
        for channel, of_channel in itertools.groupby(sorted(keys), key=lambda key: key[0])
    ]


def _recent(db: Connection, keys: Collection[tuple[str, str]], now: float) -> Counter[tuple[str, str]]:
    """Return the number of each sender's turns in the last minute."""
    counted: Counter[tuple[str, str]] = Counter()
    for channel, names in _by_channel(keys):
        # Turns from the future were stored before the clock was set back: they tell nothing of the last minute.
        query = (
            sa.select(turns.c.sender, sa.func.count())
            .where(turns.c.channel == channel, turns.c.sender.in_(names))
            .where(turns.c.at > now - 60.0, turns.c.at <= now + CLOCK_STEP_S)
            .group_by(turns.c.sender)
        )
        counted.update({(channel, sender): count for sender, count in db.execute(query)})
    return counted


def _said_row(channel: str, sender: str, message: Message, turn_id: int | None) -> dict[str, Any]:
    return {
        "channel": channel,
        "sender": sender,
        "turn_id": turn_id,
        "author": message.author,
        "message": json.dumps(message.as_json()),
        "at": message.at,
    }


def _message(row: Any) -> Message:
    return replace(Message.of_json(json.loads(row.message)), id=row.id)


def _sqlite_durable(connection: Any, _record: Any) -> None:
    # The driver must not begin transactions by itself: `_sqlite_begin` does.
    connection.isolation_level = None
    cursor = connection.cursor()
    _switch_to_wal(cursor)
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()
    overwrite_deleted(connection)


def _switch_to_wal(cursor: sqlite3.Cursor) -> None:
    """Set WAL, in which readers and a writer go side by side. The file is being switched by another process at times,
    and SQLite does not wait for that."""
    for tries_left in reversed(range(WAL_TRIES)):
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if not tries_left:
                raise
            time.sleep(WAL_PAUSE_S)


def _sqlite_begin(connection: Connection) -> None:
    # A transaction that reads first and writes later fails when another process writes in between.
    reading = connection.get_execution_options().get(_READING, False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
