"""The audit log: every change, and every request that was refused for want of a right."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from console.tables import audit

PAGE = 100

SAVES = frozenset(
    {
        *("publish", "publish_many", "change_fact", "add_fact", "remove_fact", "review_fact"),
        *("rule", "rule_removed"),
        *("remove_entry", "merge_entries", "checked", "checked_removed"),
        *("add_calculator", "change_calculator", "remove_calculator", "change_document", "remove_document"),
        *("publish_document", "add_topic", "change_topic", "remove_topic"),
        *("add_to_catalogue", "change_catalogue", "remove_from_catalogue"),
    }
)
"""The actions that save what they are about."""

SAVES_MANY = ("finished", "restore", "undo", "replace_contacts", "import_catalogue", "publish_drafts")
"""The actions that save the `parts` of their detail; without these, any part may be among them."""

NOT_TOLD = ("parts", "examples")
"""Details for the console's own use: the parts that were saved together, and hashes of new examples by intent."""

MOST_LOOKED_AT = 200
"""Latest actions that are asked whether they saved a part."""


SELDOM_S = 60.0
"""Seconds between two entries of the same request of visitors: nobody can bury the log under them."""

FIRST_TRIAL = "first_trial"
"""The first question that anybody tried out; the others are not noted."""

NOBODY = "-"
"""The `login` of a filter that wants the entries of visitors without a session; no account's login is so short."""


@dataclass(frozen=True, slots=True)
class AuditFilters:
    """Conditions on entries; an empty value is none. Times are seconds since 1970, `until` is the first one after.

    `refused`: only requests that were refused.
    """

    login: str = ""
    action: str = ""
    since: float = 0.0
    until: float = 0.0
    refused: bool = False


_ALL = AuditFilters()


class AuditLog:
    """The log in the console's database; nothing is ever changed in it."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._now = clock
        self._noted_once = set[str]()
        self._refused: dict[tuple[str, str], float] = {}

    def note_once(self, login: str, action: str) -> None:
        """Add an entry of an action, unless it has one of anybody."""
        if action not in self._noted_once and not self.latest((action,), 1):
            self.note(login, action)
        self._noted_once.add(action)

    def note(self, login: str, action: str, target: str = "", *, allowed: bool = True, **detail: Any) -> None:
        """Add an entry; `login` is empty for a visitor without a session."""
        values = {
            "at": self._now(),
            "login": login[:80],
            "action": action[:80],
            "target": target[:200],
            "detail": json.dumps(detail, ensure_ascii=False),
            "allowed": allowed,
        }
        with self._engine.begin() as db:
            db.execute(audit.insert().values(**values))

    def note_refusal(self, login: str, action: str, why: str) -> None:
        """Add a request that was refused; of a visitor's without a session, the same one once in `SELDOM_S`."""
        now, key = self._now(), (action, why)
        if not login:
            self._refused = {each: at for each, at in self._refused.items() if now - at < SELDOM_S}
            if key in self._refused:
                return
            self._refused[key] = now
        self.note(login, action, allowed=False, why=why)

    def page(self, before: int | None = None, filters: AuditFilters = _ALL) -> Sequence[Mapping[str, Any]]:
        """Return the latest entries with an id below `before`, the newest first; without what is `NOT_TOLD`."""
        wanted = sa.select(audit).where(*_conditions(filters)).order_by(audit.c.id.desc()).limit(PAGE)
        if before is not None:
            wanted = wanted.where(audit.c.id < before)
        with self._engine.begin() as db:
            found = [{**row._mapping, "detail": json.loads(row.detail)} for row in db.execute(wanted)]
        for each in found:
            for name in NOT_TOLD:
                each["detail"].pop(name, None)
        return found

    def latest(
        self, actions: Sequence[str], most: int, target: str | None = None
    ) -> Sequence[Mapping[str, Any]]:
        """Return the latest allowed entries of some actions, about `target` or about anything, the newest first."""
        wanted = sa.select(audit).where(audit.c.action.in_(actions), audit.c.allowed)
        if target is not None:
            wanted = wanted.where(audit.c.target == target)
        with self._engine.begin() as db:
            rows = db.execute(wanted.order_by(audit.c.id.desc()).limit(most))
            return [{**row._mapping, "detail": json.loads(row.detail)} for row in rows]

    def since(self, action: str, at: float) -> Sequence[Mapping[str, Any]]:
        """Return the allowed entries of an action from a time on, the newest first."""
        wanted = sa.select(audit).where(audit.c.action == action, audit.c.allowed, audit.c.at >= at)
        with self._engine.begin() as db:
            rows = db.execute(wanted.order_by(audit.c.id.desc()))
            return [{**row._mapping, "detail": json.loads(row.detail)} for row in rows]

    def names_noted(self, targets: Iterable[str], kinds: Mapping[str, str]) -> Mapping[str, str]:
        """Return the names that things had when they went, by what `kinds` has for the action and the target.

        An action that takes an id away notes the name as `called`; the latest one counts.
        """
        wanted = sa.select(audit.c.action, audit.c.target, audit.c.detail).where(
            audit.c.allowed, audit.c.action.in_(kinds), audit.c.target.in_(set(targets))
        )
        with self._engine.begin() as db:
            rows = db.execute(wanted.order_by(audit.c.id))
            noted = [(kinds[row.action] + row.target, json.loads(row.detail).get("called")) for row in rows]
        return {key: called for key, called in noted if called}

    def last_save(self, part_id: str) -> Mapping[str, Any] | None:
        """Return the latest entry of an action that saved a part of the knowledge folder, or may have; None without.

        Items of the catalogue are known by the id alone.
        """
        of_part = sa.or_(
            audit.c.target == part_id[:200], audit.c.target.endswith(f"/{part_id[:200]}", autoescape=True)
        )
        saved = sa.or_(
            sa.and_(audit.c.action.in_(SAVES), of_part),
            audit.c.action.in_(SAVES_MANY),
        )
        wanted = sa.select(audit).where(audit.c.allowed, saved).order_by(audit.c.id.desc())
        with self._engine.begin() as db:
            for row in db.execute(wanted.limit(MOST_LOOKED_AT)):
                parts = json.loads(row.detail).get("parts")
                if row.action in SAVES or parts is None or part_id in parts:
                    return dict(row._mapping)
        return None


def _conditions(filters: AuditFilters) -> Iterator[sa.ColumnElement[bool]]:
    if filters.login:
        yield audit.c.login == ("" if filters.login == NOBODY else filters.login)
    if filters.action:
        yield audit.c.action == filters.action
    if filters.since:
        yield audit.c.at >= filters.since
    if filters.until:
        yield audit.c.at < filters.until
    if filters.refused:
        yield sa.not_(audit.c.allowed)
