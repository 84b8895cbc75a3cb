"""Records the traces of turns in the channels' database, from the action server and without making a reply wait.

A thread of its own writes what has come since it last did. While the database takes nothing, the latest
`MOST_WAITING` traces wait in memory. The database is that of the front door, so that a student's traces are erased,
and expire, with their messages; a trace whose turn is no longer there, since the student erased it, is dropped.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from channels.delivery.database import Database
from channels.delivery.tables import PASSED_ON, traces, turns

logger = logging.getLogger(__name__)

MOST_WAITING = 2_000
"""Traces in memory, some 10 kB each."""

GATHER_S = 0.3
"""Seconds in which further traces join the first one: SQLite has one writer at a time."""

AGAIN_S = 5.0
"""Seconds before another try when the database took nothing."""

_COLUMNS = ("at", "question", "decision", "source", "topic", "intent", "confidence", "answer_id")


class TraceRecorder:
    """Records traces until it is closed."""

    def __init__(self, url: str) -> None:
        """`url` is the SQLAlchemy address of the channels' database, which is opened with the first trace."""
        self._url = url
        self._database: Database | None = None
        self._waiting: deque[Mapping[str, Any]] = deque(maxlen=MOST_WAITING)
        self._come = threading.Event()
        self._closing = threading.Event()
        self._failing = False
        self._thread = threading.Thread(target=self._run, name="traces", daemon=True)
        self._thread.start()

    def record(self, sender: str, message_id: str, trace: Mapping[str, Any]) -> None:
        """Take the trace of a turn: `sender` and `message_id` are those that the front door gave Rasa.

        Returns at once. Turns that did not come through the front door are ignored.
        """
        channel, _, of_channel = sender.partition(":")
        turn, _, _ = message_id.partition("@")
        if of_channel and turn.isdecimal():
            self._waiting.append({"channel": channel, "sender": of_channel, "turn_id": int(turn), **trace})
            self._come.set()

    def close(self) -> None:
        """Write what waits, and end."""
        self._closing.set()
        self._come.set()
        self._thread.join()
        if self._database is not None:
            self._database.close()

    def _run(self) -> None:
        while True:
            self._come.wait()
            last = self._closing.wait(GATHER_S)
            self._come.clear()
            batch = list(self._waiting)
            written = not batch or self._write(batch)
            if written:
                for trace in batch:
                    # Traces that came meanwhile may have pushed the oldest out.
                    if self._waiting and self._waiting[0] is trace:
                        self._waiting.popleft()
            if last or (not written and self._closing.wait(AGAIN_S)):
                return
            if self._waiting:
                self._come.set()

    def _write(self, batch: Sequence[Mapping[str, Any]]) -> bool:
        try:
            if self._database is None:
                self._database = Database(self._url)
            with self._database.write() as db:
                of_batch = turns.c.id.in_({trace["turn_id"] for trace in batch})
                # Locked: `WorkQueue.pass_on` finds the trace, or this finds its mark.
                marks = sa.select(turns.c.id, turns.c.passed_on).where(of_batch).with_for_update()
                passed_on = {row.id: row.passed_on for row in db.execute(marks)}
                rows = [
                    _row({**trace, "decision": PASSED_ON} if passed_on[trace["turn_id"]] else trace)
                    for trace in batch
                    if trace["turn_id"] in passed_on
                ]
                if rows:
                    db.execute(traces.insert(), rows)
        except sa.exc.SQLAlchemyError as error:
            if not self._failing:
                # Neither the statement nor its values, which are the student's words.
                logger.error(
                    "Traces cannot be stored and wait: %s", type(getattr(error, "orig", error)).__name__
                )
            self._failing = True
            return False
        if self._failing:
            logger.info("Traces are stored again.")
        self._failing = False
        return True


def _row(trace: Mapping[str, Any]) -> dict[str, Any]:
    of_turn = {name: trace[name] for name in ("channel", "sender", "turn_id", *_COLUMNS)}
    rest = {name: value for name, value in trace.items() if name not in of_turn}
    return {**of_turn, "trace": json.dumps(rest, ensure_ascii=False)}
