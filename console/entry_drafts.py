"""Kept drafts of FAQ entries: an editor's form, new or changed, that is saved and not published.

A draft is `draft` until an editor marks it `reviewed`; saving it again makes it `draft`. It stands in the console's
database alone: the engine never reads it, so that it never answers a student.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from console.tables import entry_drafts
from rag.errors import CovanError

MOST = 200


class EntryDraftError(CovanError):
    """`code` is no_entry_draft, too_many_entry_drafts, or draft_conflict with `now`, the draft as it is by now."""

    def __init__(self, code: str, message: str, now: KeptDraft | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.now = now


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """A draft; `login` saved it last, at `at` (seconds since 1970). A change names the `version` that it was made of.

    `draft` is the JSON of `console.api.models.KeptEntry`; `reviewed_by` is the login of who reviewed it, or empty.
    """

    id: int
    draft: str
    version: int
    login: str
    at: float
    reviewed_by: str

    @property
    def state(self) -> str:
        return "reviewed" if self.reviewed_by else "draft"


class EntryDrafts:
    """The kept drafts in the console's database."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._now = clock

    def all(self) -> Sequence[KeptDraft]:
        """Return all of them, the one that was saved last first."""
        of = entry_drafts.c
        with self._engine.connect() as db:
            found = db.execute(sa.select(entry_drafts).order_by(of.at.desc(), of.id.desc()))
            return [_draft(row) for row in found]

    def get(self, number: int) -> KeptDraft:
        """Return one. Raises EntryDraftError."""
        with self._engine.connect() as db:
            return _found(db, number)

    def add(self, draft: str, login: str) -> KeptDraft:
        """Keep a new one. Raises EntryDraftError."""
        new = {"draft": draft, "version": 1, "login": login, "at": self._now(), "reviewed_by": ""}
        with self._engine.begin() as db:
            if (db.scalar(sa.select(sa.func.count()).select_from(entry_drafts)) or 0) >= MOST:
                raise EntryDraftError(
                    "too_many_entry_drafts", f"there are {MOST} drafts; publish or discard some first"
                )
            made = db.execute(entry_drafts.insert().values(**new)).inserted_primary_key
            assert made is not None
            return _found(db, int(made[0]))

    def save(self, number: int, version: int, draft: str, login: str) -> KeptDraft:
        """Change the one that was seen at `version`; it needs a review again. Raises EntryDraftError."""
        return self._change(number, version, draft=draft, login=login, at=self._now(), reviewed_by="")

    def review(self, number: int, version: int, login: str) -> KeptDraft:
        """Mark the one that was seen at `version` as reviewed. Raises EntryDraftError."""
        return self._change(number, version, reviewed_by=login)

    def check(self, number: int, version: int) -> None:
        """Raises EntryDraftError when a draft is not as it was seen."""
        with self._engine.connect() as db:
            found = _found(db, number)
        if found.version != version:
            raise _changed(found)

    def remove(self, number: int, version: int) -> KeptDraft:
        """Delete the one that was seen at `version`; return it. Raises EntryDraftError."""
        with self._engine.begin() as db:
            found = _found(db, number)
            if not db.execute(sa.delete(entry_drafts).where(*_seen(number, version))).rowcount:
                raise _changed(found)
        return found

    def _change(self, number: int, version: int, **values: Any) -> KeptDraft:
        changed = sa.update(entry_drafts).where(*_seen(number, version)).values(**values, version=version + 1)
        with self._engine.begin() as db:
            if not db.execute(changed).rowcount:
                raise _changed(_found(db, number))
            return _found(db, number)


def _seen(number: int, version: int) -> tuple[sa.ColumnElement[bool], ...]:
    return entry_drafts.c.id == number, entry_drafts.c.version == version


def _found(db: sa.Connection, number: int) -> KeptDraft:
    row = db.execute(sa.select(entry_drafts).where(entry_drafts.c.id == number)).first()
    if row is None:
        raise EntryDraftError("no_entry_draft", "this draft is not there: it was published or discarded")
    return _draft(row)


def _changed(now: KeptDraft) -> EntryDraftError:
    return EntryDraftError("draft_conflict", "somebody else has saved or reviewed this draft meanwhile", now)


def _draft(row: sa.Row[Any]) -> KeptDraft:
    return KeptDraft(row.id, row.draft, row.version, row.login, float(row.at), row.reviewed_by)
