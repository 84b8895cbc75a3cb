"""Publications of entries that are under way: the next start after a crash does what is left of them.

The files are those of `console.unfinished_change`. This module keeps what follows them: the turns that the entry
settles, the students who are to get its answer, and the line of the audit log.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from console.tables import unfinished_publications as table


@dataclass(frozen=True, slots=True)
class Publication:
    """An entry that is published: `entry_id` is empty for a new one, which its texts tell.

    `settles` and `tells` are the traces of turns, as in `console.api.models.NewEntry`.
    """

    entry_id: str
    question: str
    answer: str
    settles: Sequence[int]
    tells: Sequence[int]

    def is_of(self, entry_id: str, question: str, answer: str) -> bool:
        """Return whether an entry of the folder is the one that was published."""
        texts = (question.strip(), answer.strip())
        return self.entry_id in ("", entry_id) and texts == (self.question.strip(), self.answer.strip())


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A publication that nobody finished; `login` began it."""

    id: int
    login: str
    publication: Publication


class UnfinishedPublications:
    """The publications in the console's database."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._now = clock

    @contextmanager
    def noted(self, login: str, publication: Publication) -> Iterator[None]:
        """Have a publication noted while it is under way; one that is refused is forgotten, too."""
        number = self.note(login, publication)
        try:
            yield
        finally:
            self.forget(number)

    def note(self, login: str, publication: Publication) -> int:
        """Note a publication that begins, and return its number."""
        new = {"login": login, "at": self._now(), "publication": json.dumps(asdict(publication))}
        with self._engine.begin() as db:
            made = db.execute(table.insert().values(**new)).inserted_primary_key
        assert made is not None
        return int(made[0])

    def left(self) -> Sequence[Unfinished]:
        """Return those that are noted, in their order; at a start nothing is under way."""
        with self._engine.connect() as db:
            rows = db.execute(sa.select(table).order_by(table.c.id)).all()
        return [Unfinished(row.id, row.login, Publication(**json.loads(row.publication))) for row in rows]

    def forget(self, number: int) -> None:
        """Forget one."""
        with self._engine.begin() as db:
            db.execute(sa.delete(table).where(table.c.id == number))
