"""A platform's tokens that are used once and replaced, kept for all processes.

A refresh token that two processes use, or that is lost after it was used, ends the chain: a person must authorize the
app again. So the process that exchanges one holds it (`hold`), and the new pair replaces the old one in one statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from channels.delivery.database import Database
from channels.delivery.tables import tokens

LINK_S = 30 * 60.0
"""Seconds for which a person may authorize the app by a link."""

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
    """The tokens of a channel. `why` tells why the platform has given no more since `refused_at`; else it is empty."""

    pair: TokenPair
    obtained_at: float
    why: str
    refused_at: float


_NO_TOKENS: Mapping[str, Any] = {
    "access_token": "",
    "refresh_token": "",
    "expires_at": 0.0,
    "obtained_at": 0.0,
}
_NO_TROUBLE: Mapping[str, Any] = {"held_by": None, "held_until": 0.0, "why": "", "refused_at": 0.0}


class TokenStore:
    """The table `channel_tokens`; each method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, channel: str) -> StoredTokens | None:
        """Return the tokens of a channel; None when nobody has authorized the app."""
        row = self._row(channel)
        if row is None or not row.refresh_token:
            return None
        pair = TokenPair(row.access_token, row.refresh_token, row.expires_at)
        return StoredTokens(pair, row.obtained_at, row.why, row.refused_at)

    def link(self, channel: str) -> str:
        """Return the secret of the link that was made last, while it lasts; else an empty text."""
        row = self._row(channel)
        # A link that lasts longer than any can was made before the clock was set back.
        lasts = row is not None and 0.0 < row.link_until - self._database.now() <= LINK_S
        return str(row.link) if row is not None and lasts else ""

    def make_link(self, channel: str, secret: str) -> None:
        """Remember the secret of a link, in place of the one before."""
        values = {"link": secret, "link_until": self._database.now() + LINK_S}
        if not self._update(channel, values):
            self._insert(channel, {**_NO_TOKENS, **values})

    def _row(self, channel: str) -> Any:
        with self._database.read() as db:
            return db.execute(sa.select(tokens).where(tokens.c.channel == channel)).first()

    def begin(self, channel: str, refresh_token: str, seed: str) -> None:
        """Begin a chain with a refresh token from the settings, unless it was begun with this `seed` before.

        `seed` names the token without telling it: a chain that has gone on is not set back by a restart.
        """
        values = {**_NO_TOKENS, "refresh_token": refresh_token, "seed": seed}
        if not self._update(channel, {**_NO_TROUBLE, **values}, tokens.c.seed != seed):
            self._insert(channel, values)

    def save(self, channel: str, pair: TokenPair, seed: str) -> None:
        """Store the first pair of a chain: a person has authorized the app, and the settings' `seed` counts as used."""
        values = {**_of(pair, self._database.now()), "seed": seed, "link": "", "link_until": 0.0}
        if not self._update(channel, values):
            self._insert(channel, values)

    def renew(self, channel: str, used: str, pair: TokenPair) -> bool:
        """Replace the refresh token `used` and its access token; False when another chain has begun meanwhile."""
        return self._update(channel, _of(pair, self._database.now()), tokens.c.refresh_token == used)

    def _update(self, channel: str, values: Mapping[str, Any], *only: sa.ColumnElement[bool]) -> bool:
        changed = sa.update(tokens).where(tokens.c.channel == channel, *only)
        with self._database.write() as db:
            return bool(db.execute(changed.values(**values)).rowcount)

    def _insert(self, channel: str, values: Mapping[str, Any]) -> None:
        # The row is there and as it should be, or another process is quicker.
        with suppress(sa.exc.IntegrityError), self._database.write() as db:
            db.execute(tokens.insert().values(channel=channel, **values))

    def hold(self, channel: str, refresh_token: str, process: str) -> bool:
        """Hold a refresh token to use it; False when it is no longer the current one, or another process holds it."""
        now = self._database.now()
        free = sa.or_(
            tokens.c.held_by.is_(None),
            tokens.c.held_until < now,
            # Noted before the clock was set back.
            tokens.c.held_until > now + 2 * HOLD_S,
        )
        held = sa.update(tokens).where(
            tokens.c.channel == channel, tokens.c.refresh_token == refresh_token, free
        )
        with self._database.write() as db:
            return bool(db.execute(held.values(held_by=process, held_until=now + HOLD_S)).rowcount)

    def release(self, channel: str, process: str, why: str = "") -> bool:
        """Give a refresh token up that was not used, or that the platform has refused for the reason `why`.

        Returns False, and notes no reason, when the process no longer holds it: another chain has begun meanwhile.
        """
        values: dict[str, Any] = {"held_by": None, "held_until": 0.0}
        if why:
            values.update(why=why[:500], refused_at=self._database.now())
        return self._update(channel, values, tokens.c.held_by == process)

    def forget(self, channel: str) -> None:
        """Delete the tokens of a channel."""
        with self._database.write() as db:
            db.execute(sa.delete(tokens).where(tokens.c.channel == channel))


def _of(pair: TokenPair, now: float) -> Mapping[str, Any]:
    return {
        **_NO_TROUBLE,
        "access_token": pair.access,
        "refresh_token": pair.refresh,
        "expires_at": pair.expires_at,
        "obtained_at": now,
    }
