"""A platform's tokens that are used once and replaced, kept for all processes.

A refresh token that two processes use, or that is lost after it was used, ends the chain: a person must let the app in
again. So the process that exchanges one holds it (`hold`), and the new pair replaces the old one in one statement.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from channels.delivery.tables import tokens

HOLD_S = 120.0
"""Seconds after which another process may use a refresh token whose holder has not said what became of it."""


@dataclass(frozen=True)
class TokenPair:
    """An access token with the end of its life (s since 1970), and the refresh token that gets the next pair."""

    access: str
    refresh: str
    expires_at: float


@dataclass(frozen=True)
class StoredTokens:
    """What is known of a channel's tokens. `why` says why the platform gives no more since `refused_at`; else empty."""

    pair: TokenPair
    obtained_at: float
    why: str
    refused_at: float


class TokenStore:
    """The table `channel_tokens`; each method is one transaction."""

    def __init__(self, engine: sa.Engine, reading: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        """`reading` is the engine of transactions that only read."""
        self._engine = engine
        self._reading = reading
        self._clock = clock

    def read(self, channel: str) -> StoredTokens | None:
        """Return the tokens of a channel; None when there are none."""
        with self._reading.begin() as db:
            row = db.execute(sa.select(tokens).where(tokens.c.channel == channel)).first()
        if row is None:
            return None
        pair = TokenPair(row.access_token, row.refresh_token, row.expires_at)
        return StoredTokens(pair, row.obtained_at, row.why, row.refused_at)

    def begin(self, channel: str, refresh_token: str, seed: str) -> None:
        """Begin a chain with a refresh token from the settings, unless it was begun with this `seed` before.

        `seed` names the token without telling it: a chain that has gone on is not set back by a restart.
        """
        values = {"access_token": "", "refresh_token": refresh_token, "expires_at": 0.0, "obtained_at": 0.0}
        self._write(channel, {**values, "seed": seed}, tokens.c.seed != seed)

    def save(self, channel: str, pair: TokenPair, seed: str | None = None) -> None:
        """Replace the pair, which ends every hold and trouble. With `seed`, that of the settings counts as used."""
        values: dict[str, Any] = {
            "access_token": pair.access,
            "refresh_token": pair.refresh,
            "expires_at": pair.expires_at,
            "obtained_at": self._clock(),
        }
        self._write(channel, values if seed is None else {**values, "seed": seed})

    def _write(self, channel: str, values: dict[str, Any], *only: sa.ColumnElement[bool]) -> None:
        values = {**values, "held_by": None, "held_until": 0.0, "why": "", "refused_at": 0.0}
        of = sa.update(tokens).where(tokens.c.channel == channel, *only)
        with self._engine.begin() as db:
            if db.execute(of.values(**values)).rowcount:
                return
            # It is there and as it should be, or another process is quicker.
            with suppress(sa.exc.IntegrityError), db.begin_nested():
                db.execute(tokens.insert().values(channel=channel, **values))

    def hold(self, channel: str, refresh_token: str, process: str) -> bool:
        """Hold a refresh token to use it; False when it is no longer the current one, or another process holds it."""
        now = self._clock()
        free = sa.or_(
            tokens.c.held_by.is_(None),
            tokens.c.held_until < now,
            # Noted before the clock was set back.
            tokens.c.held_until > now + 2 * HOLD_S,
        )
        held = sa.update(tokens).where(
            tokens.c.channel == channel, tokens.c.refresh_token == refresh_token, free
        )
        with self._engine.begin() as db:
            return bool(db.execute(held.values(held_by=process, held_until=now + HOLD_S)).rowcount)

    def release(self, channel: str, process: str, why: str = "") -> None:
        """Give a refresh token up that was not used, or that the platform has refused for the reason `why`."""
        values: dict[str, Any] = {"held_by": None, "held_until": 0.0}
        if why:
            values.update(why=why[:500], refused_at=self._clock())
        with self._engine.begin() as db:
            db.execute(
                sa.update(tokens)
                .where(tokens.c.channel == channel, tokens.c.held_by == process)
                .values(**values)
            )

    def forget(self, channel: str) -> None:
        """Delete the tokens of a channel."""
        with self._engine.begin() as db:
            db.execute(sa.delete(tokens).where(tokens.c.channel == channel))
