"""Kept drafts of the parts of a school: an editor's form, new or changed, that is saved and not published.

A draft is `draft` until an editor marks it `reviewed`; saving it again makes it `draft`. It stands in the console's
database alone: the engine never reads it, so that it never answers a student.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

import sqlalchemy as sa

from console.tables import kept_drafts
from rag.errors import CovanError

MOST = 200


class KeptDraftError(CovanError):
    """`code` is no_kept_draft, too_many_kept_drafts, or draft_conflict with `now`, the draft as it is by now."""

    def __init__(self, code: str, message: str, now: KeptDraft | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.now = now


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """A draft `id` that was begun from another text of a part than that of now.

    `part_id` is that of the part, `mine` what the draft would write, `theirs` what stands there by now; "" when it is
    gone.
    """

    id: int
    name: str
    part_id: str
    mine: str
    theirs: str


class ChangedPartsError(CovanError):
    """Drafts cannot be published together: the parts that some of them change are no longer as these were begun."""

    def __init__(self, changed: Sequence[ChangedPart]) -> None:
        super().__init__(f"changed meanwhile: {'; '.join(each.name for each in changed)}")
        self.changed = changed


class SeenAs(Protocol):
    """A draft, and its version that somebody saw."""

    @property
    def id(self) -> int: ...

    @property
    def version(self) -> int: ...


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """A draft; `login` saved it last, at `at` (seconds since 1970). A change names the `version` that it was made of.

    `draft` is the JSON of `console.api.models.AnyKept`; `reviewed_by` is the login of who reviewed it, or empty.
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


class KeptDrafts:
    """The kept drafts in the console's database."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._now = clock

    def all(self) -> Sequence[KeptDraft]:
        """Return all of them, the one that was saved last first."""
        of = kept_drafts.c
        with self._engine.connect() as db:
            found = db.execute(sa.select(kept_drafts).order_by(of.at.desc(), of.id.desc()))
            return [_draft(row) for row in found]

    def get(self, number: int) -> KeptDraft:
        """Return one. Raises KeptDraftError."""
        with self._engine.connect() as db:
            return _found(db, number)

    def add(self, draft: str, login: str) -> KeptDraft:
        """Keep a new one. Raises KeptDraftError."""
        new = {"draft": draft, "version": 1, "login": login, "at": self._now(), "reviewed_by": ""}
        with self._engine.begin() as db:
            if (db.scalar(sa.select(sa.func.count()).select_from(kept_drafts)) or 0) >= MOST:
                raise KeptDraftError(
                    "too_many_kept_drafts", f"there are {MOST} drafts; publish or discard some first"
                )
            made = db.execute(kept_drafts.insert().values(**new)).inserted_primary_key
            assert made is not None
            return _found(db, int(made[0]))

    def save(self, number: int, version: int, draft: str, login: str) -> KeptDraft:
        """Change the one that was seen at `version`; it needs a review again. Raises KeptDraftError."""
        return self._change(number, version, draft=draft, login=login, at=self._now(), reviewed_by="")

    def review(self, number: int, version: int, login: str) -> KeptDraft:
        """Mark the one that was seen at `version` as reviewed. Raises KeptDraftError."""
        return self._change(number, version, reviewed_by=login)

    @contextmanager
    def published(self, *seen: SeenAs | None) -> Iterator[None]:
        """Publish drafts as they were seen, None for no draft; they go when that has ended well.

        One that is saved meanwhile stays, for its author to see. Raises KeptDraftError.
        """
        drafts = [each for each in seen if each is not None]
        for each in drafts:
            self.seen(each)
        yield
        for each in drafts:
            with suppress(KeptDraftError):
                self.remove(each.id, each.version)

    def seen(self, seen: SeenAs) -> KeptDraft:
        """Return a draft that is still as it was seen. Raises KeptDraftError."""
        found = self.get(seen.id)
        if found.version != seen.version:
            raise _changed(found)
        return found

    def remove(self, number: int, version: int) -> KeptDraft:
        """Delete the one that was seen at `version`; return it. Raises KeptDraftError."""
        with self._engine.begin() as db:
            found = _found(db, number)
            if not db.execute(sa.delete(kept_drafts).where(*_seen(number, version))).rowcount:
                raise _changed(found)
        return found

    def _change(self, number: int, version: int, **values: Any) -> KeptDraft:
        changed = sa.update(kept_drafts).where(*_seen(number, version)).values(**values, version=version + 1)
        with self._engine.begin() as db:
            if not db.execute(changed).rowcount:
                raise _changed(_found(db, number))
            return _found(db, number)


def _seen(number: int, version: int) -> tuple[sa.ColumnElement[bool], ...]:
    return kept_drafts.c.id == number, kept_drafts.c.version == version


def _found(db: sa.Connection, number: int) -> KeptDraft:
    row = db.execute(sa.select(kept_drafts).where(kept_drafts.c.id == number)).first()
    if row is None:
        raise KeptDraftError("no_kept_draft", "this draft is not there: it was published or discarded")
    return _draft(row)


def _changed(now: KeptDraft) -> KeptDraftError:
    return KeptDraftError("draft_conflict", "somebody else has saved or reviewed this draft meanwhile", now)


def _draft(row: sa.Row[Any]) -> KeptDraft:
    return KeptDraft(row.id, row.draft, row.version, row.login, float(row.at), row.reviewed_by)
