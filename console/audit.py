"""The audit log: every change, and every request that was refused for want of a right."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from console.tables import audit

PAGE = 100


class AuditLog:
    """The log in the console's database; nothing is ever changed in it."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._now = clock

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

    def page(self, before: int | None = None) -> Sequence[Mapping[str, Any]]:
        """Return the latest entries with an id below `before`, the newest first."""
        wanted = sa.select(audit).order_by(audit.c.id.desc()).limit(PAGE)
        if before is not None:
            wanted = wanted.where(audit.c.id < before)
        with self._engine.begin() as db:
            return [{**row._mapping, "detail": json.loads(row.detail)} for row in db.execute(wanted)]

    def latest(self, actions: Sequence[str], most: int) -> Sequence[Mapping[str, Any]]:
        """Return the latest allowed entries of some actions, the newest first."""
        wanted = sa.select(audit).where(audit.c.action.in_(actions), audit.c.allowed)
        with self._engine.begin() as db:
            rows = db.execute(wanted.order_by(audit.c.id.desc()).limit(most))
            return [{**row._mapping, "detail": json.loads(row.detail)} for row in rows]
