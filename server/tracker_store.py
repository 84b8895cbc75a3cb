"""A tracker store that keeps every event in the database and gives Rasa a window of the last turns.

endpoints.yml names the class. Rasa's own store returns all events of the session, so that the cost of a turn grows with
the length of the conversation. The database is read and written in a thread: while it is locked, Rasa goes on reading
other students' messages.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import time
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, TypeVar

import sqlalchemy as sa
from rasa.core.agent import Agent
from rasa.core.brokers.broker import EventBroker
from rasa.core.tracker_store import (
    AwaitableTrackerStore,
    FailSafeTrackerStore,
    SQLTrackerStore,
    TrackerStore,
    create_engine_kwargs,
)
from rasa.shared.core.domain import Domain, SessionConfig
from rasa.shared.core.events import Event, SessionStarted, UserUttered, deserialise_events
from rasa.shared.core.trackers import DialogueStateTracker
from rasa.shared.exceptions import RasaException
from sqlalchemy.orm import Session

from privacy.scrubber import Scrubber, overwrite_deleted
from server.history_window import expired, first_kept, last_message, standing_for, trimmed

logger = logging.getLogger(__name__)

T = TypeVar("T")

_Stored = SQLTrackerStore.SQLEvent

_INDEXES = (
    sa.Index("ix_events_sender_id_id", _Stored.sender_id, _Stored.id),
    sa.Index("ix_events_timestamp", _Stored.timestamp),
)

BATCH = 100
"""Events that one transaction of `tidy` deletes: turns wait for it."""

PROBE, PROBE_BYTES = "health-check", 8192
"""A row that is written and deleted in one transaction, to see whether the database takes one."""


class Window(SQLTrackerStore.Base):
    """The start of a conversation's window, and the events that restore the state before it.

    A cache: without its row, the window is computed from the events.
    """

    __tablename__ = "conversation_windows"

    sender_id = sa.Column(sa.String(255), primary_key=True)
    first_event = sa.Column(sa.Integer, nullable=False)
    before = sa.Column(sa.Text, nullable=False)


class WindowTracker(DialogueStateTracker):
    """A tracker with the database ids of its events; 0 for the events that restore the earlier state."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ids: list[int] = []


class WindowTrackerStore(SQLTrackerStore):
    """Rasa's SQL store with windows, and with the session length and the days that events are kept as settings.

    After `session_hours` of silence a session ends: the profile's slots are kept, the open question is dropped. 0:
    never. `tidy` deletes what is older than `retention_days`; 0: nothing. `tidied_at` is when nothing was left to
    delete (s since 1970; None since the start).
    """

    def __init__(
        self,
        domain: Domain | None = None,
        event_broker: EventBroker | None = None,
        session_hours: Any = 12,
        retention_days: Any = 180,
        **kwargs: Any,
    ) -> None:
        self.session_hours = float(session_hours)
        self.retention_days = float(retention_days)
        self.tidied_at: float | None = None
        try:
            super().__init__(domain=domain, event_broker=event_broker, **kwargs)
        except sa.exc.DatabaseError as error:
            raise RasaException(
                f"The tracker store {kwargs.get('db')} cannot be used: {error.orig}. Put the last backup in its "
                "place, or put it aside to begin without the conversations so far (docs/van-hanh.md)."
            ) from error
        if self.engine.dialect.name == "sqlite":
            self._keep_connected()
        else:
            self._check_connections()
        # Rasa logs the messages of the database's errors; the parameters are students' words.
        self.engine.hide_parameters = True
        sa.event.listen(self.engine, "handle_error", _keep_first_line)
        for index in _INDEXES:
            try:
                index.create(self.engine, checkfirst=True)
            except (sa.exc.OperationalError, sa.exc.ProgrammingError):
                logger.debug("Another process has just created the index.")
        self._scrubber = Scrubber(self.engine, [_Stored.__tablename__, Window.__tablename__])
        # A process that was killed may have erased rows, but not their bytes.
        self._scrubber.erased(())
        # One, since SQLite has one connection here, and a conversation's writes keep their order.
        self._executor = ThreadPoolExecutor(1, "covan-tracker-store")
        # Rasa does not close the connections of the store of a replaced agent.
        weakref.finalize(self, self.engine.dispose)
        self.domain = domain

    def _keep_connected(self) -> None:
        """Use one connection and a write-ahead log without a sync for each turn: a power cut may lose the last
        turns."""
        self.engine.dispose()
        self.engine = sa.create_engine(
            self.engine.url, poolclass=sa.pool.StaticPool, connect_args={"check_same_thread": False}
        )
        with self.engine.connect() as connection:
            connection.execute(sa.text("PRAGMA journal_mode = WAL"))
            connection.execute(sa.text("PRAGMA synchronous = NORMAL"))
            # StaticPool has no other connection.
            overwrite_deleted(connection.connection)
        self.sessionmaker = sa.orm.sessionmaker(bind=self.engine)

    def _check_connections(self) -> None:
        """Check each connection before its use: after a restart of the server, the first turns would fail."""
        self.engine.dispose()
        self.engine = sa.create_engine(
            self.engine.url, pool_pre_ping=True, **create_engine_kwargs(self.engine.url)
        )
        self.sessionmaker = sa.orm.sessionmaker(bind=self.engine)

    @property
    def domain(self) -> Domain:
        """Return the domain of the current model."""
        return self._domain

    @domain.setter
    def domain(self, domain: Domain | None) -> None:
        self._domain = domain or Domain.empty()
        # Rasa reads the session length from the model's domain; as a setting it needs no training.
        self._domain.session_config = SessionConfig(self.session_hours * 60, carry_over_slots=True)

    def init_tracker(self, sender_id: str) -> WindowTracker:
        """Return a tracker without events."""
        return WindowTracker(sender_id, self.domain.slots, max_event_history=self.max_event_history)

    async def _in_thread(self, method: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, method, *args)

    async def retrieve(self, sender_id: str) -> DialogueStateTracker | None:
        """Return the window of a conversation; None for an unknown sender."""
        return await self._in_thread(self._read_window, sender_id)

    async def retrieve_full_tracker(self, conversation_id: str) -> DialogueStateTracker | None:
        """Return all of a conversation, which may be megabytes; None for an unknown sender."""
        return await self._in_thread(self._read_all, conversation_id)

    def _read_all(self, sender_id: str) -> DialogueStateTracker | None:
        with self.session_scope() as session:
            rows = [json.loads(row.data) for row in _stored_from(session, sender_id, 0)]
        return DialogueStateTracker.from_dict(sender_id, rows, self.domain.slots) if rows else None

    def _read_window(self, sender_id: str) -> DialogueStateTracker | None:
        with self.session_scope() as session:
            events, ids = self._window(session, sender_id)
        if not events:
            return None
        if self._has_expired(events):
            events = expired(events)
            ids = [0] * len(events)
        tracker = WindowTracker.from_events(sender_id, events, self.domain.slots)
        assert isinstance(tracker, WindowTracker)
        tracker.ids = ids
        return tracker

    async def save(self, tracker: DialogueStateTracker) -> None:
        """Store the tracker's new events and the start of its window."""
        await self.stream_events(tracker)
        await self._in_thread(self._store_events, tracker)

    def _store_events(self, tracker: DialogueStateTracker) -> None:
        sender_id, events = tracker.sender_id, list(tracker.events)
        with self.session_scope() as session:
            ids = self._ids(session, tracker)
            rows = [_row(sender_id, event) for event in events[len(ids) :]]
            session.add_all(rows)
            session.flush()
            ids += [row.id for row in rows]
            if rows:
                _keep_window(session, sender_id, events, ids)
            session.commit()
        if isinstance(tracker, WindowTracker):
            tracker.ids = ids

    async def forget(self, sender_id: str) -> None:
        """Erase a conversation. Events that were published to a broker stay there.

        The rows are gone on return, their bytes within seconds.
        """
        await self._in_thread(self._erase, sender_id)

    def _erase(self, sender_id: str) -> None:
        with self.session_scope() as session:
            said = session.query(_Stored.data).filter(
                _Stored.sender_id == sender_id, _Stored.type_name == UserUttered.type_name
            )
            words = {str(json.loads(row.data).get("text") or "") for row in said}
            session.execute(sa.delete(_Stored).where(_Stored.sender_id == sender_id))
            session.execute(sa.delete(Window).where(Window.sender_id == sender_id))
            session.commit()
        self._scrubber.erased(words)

    async def tidy(self) -> bool:
        """Delete some of the events that are older than `retention_days`; return False when none was left.

        A conversation that goes on keeps its slots; of one that does not, nothing is left.
        """
        return bool(self.retention_days) and await self._in_thread(self._delete_some)

    def _delete_some(self) -> bool:
        since = time.time() - self.retention_days * 24 * 3600
        with self.session_scope() as session:
            old = session.query(_Stored.id, _Stored.sender_id).filter(_Stored.timestamp < since)
            found = old.order_by(_Stored.timestamp).limit(BATCH).all()
            for sender_id in sorted({row.sender_id for row in found}):
                self._leave_behind(session, sender_id, since)
            session.execute(sa.delete(_Stored).where(_Stored.id.in_([row.id for row in found])))
            session.commit()
        if found:
            self._scrubber.expired()
        else:
            # Also for a process that was killed.
            self._scrubber.erased(())
        return bool(found)

    def _leave_behind(self, session: Session, sender_id: str, since: float) -> None:
        """Make the window of a conversation begin with a turn that is not older than `since`."""
        last = session.query(_Stored.timestamp).filter(_Stored.sender_id == sender_id)
        if last.order_by(_Stored.id.desc()).limit(1).scalar() < since:
            session.execute(sa.delete(Window).where(Window.sender_id == sender_id))
            return
        events, ids = self._window(session, sender_id)
        restoring = ids.count(0)
        if events[restoring].timestamp < since:
            recent = (at for at in range(restoring, len(events)) if events[at].timestamp >= since)
            first = next(recent, len(events) - 1)
            _store_window(session, sender_id, ids[first], standing_for(events, first))

    def fault(self, within_s: float) -> str:
        """Return why the database cannot be written to; empty when it can. Waits for a lock for `within_s` at most."""
        if self.engine.dialect.name != "sqlite":
            try:
                with self.engine.connect() as connection:
                    connection.execute(sa.text("SELECT 1"))
            except sa.exc.SQLAlchemyError as error:
                return str(getattr(error, "orig", error))
            return ""
        try:
            file = str(self.engine.url.database)
            with closing(sqlite3.connect(file, timeout=within_s, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("SELECT data FROM events ORDER BY id DESC LIMIT 1").fetchone()
                # Needs new pages of the file, as an event may.
                row = (PROBE, " " * PROBE_BYTES)
                connection.execute(
                    "INSERT INTO conversation_windows (sender_id, first_event, before) VALUES (?, 0, ?)", row
                )
                connection.execute("DELETE FROM conversation_windows WHERE sender_id = ?", (PROBE,))
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            return str(error)
        return ""

    async def stream_events(self, tracker: DialogueStateTracker) -> None:
        """Publish the tracker's new events when a broker is configured."""
        if self.event_broker is None:
            return
        new = await self._in_thread(self._new_events, tracker)
        await self._stream_new_events(self.event_broker, new, tracker.sender_id)

    def _new_events(self, tracker: DialogueStateTracker) -> list[Event]:
        with self.session_scope() as session:
            return list(tracker.events)[len(self._ids(session, tracker)) :]

    def _ids(self, session: Session, tracker: DialogueStateTracker) -> list[int]:
        """Return the ids of the tracker's leading events that are stored."""
        if isinstance(tracker, WindowTracker):
            return list(tracker.ids)
        # A new conversation, or one from Rasa's API that continues the stored one.
        stored = [row.id for row in self._last_session(session, tracker.sender_id)]
        return stored[: len(tracker.events)]

    @staticmethod
    def _last_session(session: Session, sender_id: str) -> list[Any]:
        """Return the events of the last session by id. Rasa's own query goes by timestamp, which may differ."""
        begun = (
            session.query(sa.func.max(_Stored.id))
            .filter(_Stored.sender_id == sender_id, _Stored.type_name == SessionStarted.type_name)
            .scalar()
        )
        return _stored_from(session, sender_id, begun or 0)

    def _window(self, session: Session, sender_id: str) -> tuple[list[Event], list[int]]:
        """Return the events of the window and their ids."""
        kept = session.get(Window, sender_id)
        if kept is None:
            events, ids = _events(self._last_session(session, sender_id))
            first = first_kept(events)
            before = standing_for(events, first)
            return before + events[first:], [0] * len(before) + ids[first:]
        events, ids = _events(_stored_from(session, sender_id, kept.first_event))
        before = deserialise_events(json.loads(kept.before))
        return before + events, [0] * len(before) + ids

    def _has_expired(self, events: list[Event]) -> bool:
        last = last_message(events)
        return bool(self.session_hours and last and time.time() - last.timestamp > self.session_hours * 3600)


def _keep_first_line(context: Any) -> None:
    """Shorten a message of psycopg2, which quotes the statement with its values below the first line."""
    for error in (context.original_exception, context.sqlalchemy_exception):
        if error is not None:
            error.args = tuple(str(each).partition("\n")[0] for each in error.args)


def without_fallback(agent: Agent) -> TrackerStore:
    """Make an agent use its tracker store itself, and return the store.

    Rasa wraps the store: what it fails to store goes into the memory of the process, from where nothing reads it again,
    and a conversation that it fails to read begins anew. A turn must notice both.
    """
    store = agent.tracker_store
    while isinstance(store, (FailSafeTrackerStore, AwaitableTrackerStore)):
        store = store._tracker_store
    agent.tracker_store = store
    if agent.processor is not None:
        agent.processor.tracker_store = store
    return store


def _row(sender_id: str, event: Event) -> _Stored:
    data: dict[str, Any] = event.as_dict()
    return _Stored(
        sender_id=sender_id,
        type_name=event.type_name,
        timestamp=data.get("timestamp"),
        intent_name=data.get("parse_data", {}).get("intent", {}).get("name"),
        action_name=data.get("name"),
        data=json.dumps(data),
    )


def _stored_from(session: Session, sender_id: str, first: int) -> list[Any]:
    stored = session.query(_Stored.id, _Stored.data).filter(
        _Stored.sender_id == sender_id, _Stored.id >= first
    )
    return list(stored.order_by(_Stored.id))


def _events(rows: Sequence[Any]) -> tuple[list[Event], list[int]]:
    found = [(event, row.id) for row in rows for event in deserialise_events([trimmed(json.loads(row.data))])]
    return [event for event, _ in found], [number for _, number in found]


def _keep_window(session: Session, sender_id: str, events: list[Event], ids: list[int]) -> None:
    first = first_kept(events)
    if ids[first] == 0:
        # No event has left the window, so that the restoring events stay the same.
        first = ids.count(0)
        before = events[:first]
    else:
        before = standing_for(events, first)
    _store_window(session, sender_id, ids[first], before)


def _store_window(session: Session, sender_id: str, first_event: int, before: list[Event]) -> None:
    values = {"first_event": first_event, "before": json.dumps([event.as_dict() for event in before])}
    changed = session.execute(sa.update(Window).where(Window.sender_id == sender_id).values(**values))
    if not changed.rowcount:
        session.add(Window(sender_id=sender_id, **values))
