"""The advisors' canned replies: short texts of the school, put into a reply and changed there before it is sent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from console.name_order import name_order
from console.tables import canned_replies
from rag.errors import CovanError

MOST = 500


class CannedReplyError(CovanError):
    """A canned reply cannot be stored so; `code` is for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class CannedReply:
    """A short text with its title; a change must name the `version` that it was made of."""

    id: int
    title: str
    text: str
    version: int


class CannedReplyConflictError(CannedReplyError):
    """A canned reply is not as the editor saw it; `now` is as it is, which `login` saved `at` a time."""

    def __init__(self, now: CannedReply, login: str, at: float) -> None:
        super().__init__("conflict", f"the canned reply {now.title!r} was changed meanwhile")
        self.now = now
        self.login = login
        self.at = at


class CannedReplyDeletedError(CannedReplyError):
    """There is no canned reply of this id any longer."""

    def __init__(self, reply_id: int) -> None:
        super().__init__("no_canned_reply", f"the canned reply {reply_id} was deleted")
        self.reply_id = reply_id


class CannedReplies:
    """The canned replies in the console's database."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._now = clock

    def all(self) -> Sequence[CannedReply]:
        """Return all of them, by title."""
        with self._engine.connect() as db:
            found = [_reply(row) for row in db.execute(sa.select(canned_replies))]
        return sorted(found, key=lambda each: name_order(each.title))

    def add(self, title: str, text: str, login: str) -> int:
        """Store a new one and return its id. Raises CannedReplyError."""
        new = {"title": title, "text": text, "version": 1, "login": login, "at": self._now()}
        with self._writing(title) as db:
            if (db.scalar(sa.select(sa.func.count()).select_from(canned_replies)) or 0) >= MOST:
                raise CannedReplyError(
                    "too_many_replies", f"there are {MOST} canned replies already; delete some first"
                )
            made = db.execute(canned_replies.insert().values(**new)).inserted_primary_key
        assert made is not None
        return int(made[0])

    def change(self, reply_id: int, version: int, title: str, text: str, login: str) -> None:
        """Change the one that was seen at `version`. Raises CannedReplyError."""
        new = {"title": title, "text": text, "version": version + 1, "login": login, "at": self._now()}
        changed = sa.update(canned_replies).where(*_seen(reply_id, version)).values(**new)
        with self._writing(title) as db:
            if not db.execute(changed).rowcount:
                raise _not_as_seen(db, reply_id)

    def delete(self, reply_id: int, version: int) -> str:
        """Delete the one that was seen at `version`, and return its title. Raises CannedReplyError."""
        deleted = sa.delete(canned_replies).where(*_seen(reply_id, version)).returning(canned_replies.c.title)
        with self._engine.begin() as db:
            title = db.scalar(deleted)
            if title is None:
                raise _not_as_seen(db, reply_id)
        return str(title)

    @contextmanager
    def _writing(self, title: str) -> Iterator[sa.Connection]:
        try:
            with self._engine.begin() as db:
                yield db
        except sa.exc.IntegrityError:
            raise CannedReplyError(
                "title_taken", f"there is a canned reply named {title!r} already"
            ) from None


def _seen(reply_id: int, version: int) -> tuple[sa.ColumnElement[bool], ...]:
    return canned_replies.c.id == reply_id, canned_replies.c.version == version


def _not_as_seen(db: sa.Connection, reply_id: int) -> CannedReplyError:
    """Return the error of a change that found no row."""
    row = db.execute(sa.select(canned_replies).where(canned_replies.c.id == reply_id)).first()
    if row is None:
        return CannedReplyDeletedError(reply_id)
    return CannedReplyConflictError(_reply(row), row.login, row.at)


def _reply(row: sa.Row[Any]) -> CannedReply:
    return CannedReply(row.id, row.title, row.text, row.version)
