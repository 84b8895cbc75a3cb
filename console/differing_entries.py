"""Pairs of FAQ entries that nearly ask the same, and that an editor has found to differ: they are shown no more."""

from __future__ import annotations

import time
from collections.abc import Callable, Set
from hashlib import sha256

import sqlalchemy as sa

from console.faq_files import EntryText
from console.tables import differing_entries


class DifferingEntries:
    """The marks in the console's database."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._now = clock

    def keys(self) -> Set[str]:
        """Return the keys (`key_of`) of all marked pairs."""
        with self._engine.connect() as db:
            return set(db.scalars(sa.select(differing_entries.c.key)))

    def add(self, key: str, login: str) -> None:
        """Mark a pair."""
        with self._engine.begin() as db:
            db.execute(_of(key))
            db.execute(differing_entries.insert().values(key=key, login=login, at=self._now()))

    def remove(self, key: str) -> None:
        """Take the mark of a pair away."""
        with self._engine.begin() as db:
            db.execute(_of(key))


def key_of(one: EntryText, other: EntryText) -> str:
    """Return the key of a pair: a hash of both questions, and of the ids when the questions are the same.

    A mark so holds for the siblings of both, which have their questions for other students, and ends when a question
    changes; an id alone may be given again to another entry.
    """
    questions = sorted(str(each.record.get("question") or "") for each in (one, other))
    ids = sorted((one.id, other.id)) if questions[0] == questions[1] else []
    return sha256("\n".join((*questions, *ids)).encode()).hexdigest()


def _of(key: str) -> sa.Delete:
    return sa.delete(differing_entries).where(differing_entries.c.key == key)
