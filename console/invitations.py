"""Invitations: links by which testers chat with the school's bot or with a draft, and what they asked there.

Testers ask the engine through the console, not through a channel: nothing of theirs is among students' turns, so that
figures, gaps and the inbox know nothing of them. What they asked goes with the invitation, and `KEPT_S` after it ended.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import sqlalchemy as sa

from console.tables import invitations, tester_turns
from rag.errors import CovanError

DAY_S = 24 * 3600.0
KEPT_S = 30 * DAY_S
MOST = 100
MOST_PER_MINUTE = 30
"""Questions of all testers of an invitation together."""

MOST_TURNS = 5_000
"""Of one invitation."""

MOST_SHOWN = 1_000
MOST_BEFORE = 3
"""The last turns of a tester with which a question may go on."""


class InvitationError(CovanError):
    """`code` is no_invitation (unknown or ended), too_many_invitations, too_fast or too_many_turns."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link. Times are seconds since 1970; `testers` and `turns` are counts.

    `draft` is the JSON of the draft that its testers chat with; empty: what is live.
    """

    id: int
    title: str
    login: str
    created_at: float
    expires_at: float
    testers: int = 0
    turns: int = 0
    draft: str = ""


@dataclass(frozen=True, slots=True)
class TesterTurn:
    """What a tester typed or pressed (`said`), the question that was asked of the engine for it, and the reply.

    `asks` is the dimension that the reply asks for, `profile` what is known of the tester, by dimension.
    """

    said: str
    asked: str
    decision: str
    text: str
    answer_id: str = ""
    asks: str = ""
    profile: Mapping[str, str] = field(default_factory=dict)


class Invitations:
    """The invitations in the console's database."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._now = clock

    def add(self, title: str, days: int, login: str, draft: str = "") -> tuple[Invitation, str]:
        """Make an invitation for some days, to a draft or to what is live.

        Return it, and its link's token, which cannot be read again.
        Raises InvitationError.
        """
        token, now = secrets.token_urlsafe(24), self._now()
        ends = now + days * DAY_S
        new = {"title": title, "login": login, "created_at": now, "expires_at": ends, "draft": draft}
        with self._engine.begin() as db:
            db.execute(sa.delete(invitations).where(invitations.c.expires_at < now - KEPT_S))
            if (db.scalar(sa.select(sa.func.count()).select_from(invitations)) or 0) >= MOST:
                raise InvitationError(
                    "too_many_invitations", f"there are {MOST} invitations; delete some first"
                )
            made = db.execute(invitations.insert().values(key=_key(token), **new)).inserted_primary_key
        assert made is not None
        return Invitation(int(made[0]), title, login, now, ends, draft=draft), token

    def all(self) -> Sequence[Invitation]:
        """Return all of them, the newest first."""
        of = tester_turns.c
        counted = (
            sa.select(
                invitations,
                sa.func.count(of.id).label("turns"),
                sa.func.count(of.tester.distinct()).label("testers"),
            )
            .outerjoin(tester_turns, of.invitation_id == invitations.c.id)
            .group_by(*invitations.c)
            .order_by(invitations.c.id.desc())
        )
        with self._engine.connect() as db:
            return [_invitation(row, row.testers, row.turns) for row in db.execute(counted)]

    def of_token(self, token: str) -> Invitation:
        """Return the invitation of a link. Raises InvitationError when it is unknown or has ended."""
        own = sa.select(invitations).where(
            invitations.c.key == _key(token), invitations.c.expires_at > self._now()
        )
        with self._engine.connect() as db:
            row = db.execute(own).first()
        if row is None:
            raise InvitationError("no_invitation", "this link is not known, or has ended")
        return _invitation(row)

    def remove(self, number: int) -> Invitation:
        """End an invitation and forget what was asked; return it. Raises InvitationError."""
        with self._engine.begin() as db:
            row = db.execute(sa.select(invitations).where(invitations.c.id == number)).first()
            if row is None:
                raise InvitationError("no_invitation", "there is no such invitation")
            db.execute(sa.delete(invitations).where(invitations.c.id == number))
        return _invitation(row)

    def turns(self, number: int) -> Sequence[tuple[str, float, TesterTurn]]:
        """Return who asked what and when, tester by tester, the last `MOST_SHOWN` turns.

        Raises InvitationError.
        """
        of = tester_turns.c
        latest = sa.select(tester_turns).where(of.invitation_id == number).order_by(of.id.desc())
        with self._engine.connect() as db:
            if db.scalar(sa.select(invitations.c.id).where(invitations.c.id == number)) is None:
                raise InvitationError("no_invitation", "there is no such invitation")
            rows = db.execute(latest.limit(MOST_SHOWN)).all()
        found = [(row.tester, float(row.at), _turn(row.turn)) for row in reversed(rows)]
        order = list(dict.fromkeys(tester for tester, _, _ in found))
        return sorted(found, key=lambda each: order.index(each[0]))

    def before(self, invitation: Invitation, tester: str) -> Sequence[TesterTurn]:
        """Return the last turns of a tester, the latest first.

        Raises InvitationError when the invitation's testers ask too fast or have asked too much.
        """
        of = tester_turns.c
        own = of.invitation_id == invitation.id
        lately = sa.func.count(sa.case((of.at > self._now() - 60, of.id)))
        with self._engine.connect() as db:
            counts = db.execute(sa.select(sa.func.count(), lately).where(own)).one()
            if counts[1] >= MOST_PER_MINUTE:
                raise InvitationError("too_fast", "too many questions in a minute; wait a little")
            if counts[0] >= MOST_TURNS:
                raise InvitationError("too_many_turns", "this link has been used for very many questions")
            mine = sa.select(of.turn).where(own, of.tester == tester).order_by(of.id.desc())
            return [_turn(turn) for turn in db.scalars(mine.limit(MOST_BEFORE))]

    def note(self, invitation: Invitation, tester: str, turn: TesterTurn) -> None:
        """Store a turn."""
        told = json.dumps(asdict(turn), ensure_ascii=False)
        row = {"invitation_id": invitation.id, "tester": tester, "at": self._now(), "turn": told}
        with self._engine.begin() as db:
            db.execute(tester_turns.insert().values(**row))


def _key(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def _invitation(row: sa.Row[tuple[Any, ...]], testers: int = 0, turns: int = 0) -> Invitation:
    times = float(row.created_at), float(row.expires_at)
    return Invitation(int(row.id), row.title, row.login, *times, testers, turns, row.draft)


def _turn(told: str) -> TesterTurn:
    return TesterTurn(**json.loads(told))
