"""Deletion of a student's data on request, and of conversations older than the school keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from channels.delivery.database import Database, of_student
from channels.delivery.erased_messages import ErasedMessages
from channels.delivery.message_rate import turns_of_last_minute
from channels.delivery.retention import delete_some
from channels.delivery.sender_rows import store_senders
from channels.delivery.student_words import student_words
from channels.delivery.tables import OF_SENDER
from privacy.scrubber import Scrubber


class DeletionStore:
    """Deletes rows from all tables of the students, and the bytes that deleted rows leave behind."""

    def __init__(self, database: Database, erased: ErasedMessages) -> None:
        self._database = database
        self._erased = erased
        self._scrubber = Scrubber(database.engine, [table.name for table in OF_SENDER])

    def close(self) -> None:
        """End the scrubbing."""
        self._scrubber.close()

    def erase(self, channel: str, sender: str) -> None:
        """Erase the data of a student. The ids of seen deliveries are anonymous and stay.

        The rows are gone on return, their bytes within seconds.
        """
        now = self._database.now()
        with self._database.write() as db:
            self._erased.add(
                channel, sender, turns_of_last_minute(db, [(channel, sender)], now)[channel, sender]
            )
            words = set(student_words(db, channel, sender))
            for table in OF_SENDER:
                db.execute(of_student(sa.delete(table), table, channel, sender))
        self._scrubber.erased(words)

    def remember_address(self, channel: str, sender: str, address: Mapping[str, Any]) -> None:
        """Store the address of a student whose data was erased."""
        with self._database.write() as db:
            store_senders(db, {(channel, sender): address}, self._database.now())

    def tidy(self, retention_days: float) -> bool:
        """Delete some of what has expired (`channels.delivery.retention`); return False when nothing was left."""
        with self._database.write() as db:
            deleted = delete_some(db, self._database.now(), retention_days)
        if deleted:
            self._scrubber.expired()
        else:
            # Also for a process that was killed: it may have erased rows, but not their bytes.
            self._scrubber.erased(())
        return deleted
