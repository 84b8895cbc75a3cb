"""The OA's access token: renewed in time, by one process at a time, and what becomes of it told to operators.

Both tokens are in the channels' database (`channels.delivery.token_store`). A new access token ends the one before at
once, so a process whose token Zalo refuses looks there first.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
import time
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.platform import TryAgainError
from channels.delivery.token_store import StoredTokens, TokenPair
from channels.zalo.oauth import OAuth, RefusedTokenError, challenge

logger = logging.getLogger(__name__)

CHANNEL = "zalo"

RENEW_BEFORE_S = 3 * 3600.0
"""Seconds before its end at which an access token is renewed: time for a server that is down."""

MARGIN_S = 60.0
"""Seconds before its end from which an access token is not used."""

YOUNG_S = 60.0
"""An access token that Zalo refuses within these seconds is not renewed again: that is not what it lacks."""

LOOK_EVERY_S = 60.0

ASK_AGAIN_S = 3600.0
"""Seconds after which a refused refresh token is tried again: the secret of the app may have been mended."""

LOST_PAUSE_S = 1_800.0
"""Seconds for which messages wait when there is no access token; as many tries as a message has take six hours."""

OTHER_PROCESS_S = 20.0
POLL_S = 0.3
SAVE_AGAIN_S = 1.0

AUTHORIZE = "Run `covan channel zalo` and authorize the app again."


class Access:
    """The access token of one OA, in this process; made inside the event loop."""

    def __init__(
        self, delivery: DeliveryWorker, oauth: OAuth, seed: str, clock: Callable[[], float] = time.time
    ) -> None:
        """`seed` is the refresh token of the settings, or empty."""
        self._delivery = delivery
        self._tokens = delivery.store.tokens
        self._oauth = oauth
        self._seed = seed
        self._clock = clock
        self._process = secrets.token_hex(8)
        self._pair: TokenPair | None = None
        self._lock = asyncio.Lock()
        self._renewal: asyncio.Task[str | None] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._lost: str | None = None
        self._closing = False

    # --- life -------------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Begin with the token of the settings if it is a new one, and keep the access token fresh."""
        if self._seed:
            await self._delivery.run(self._tokens.begin, CHANNEL, self._seed, _name(self._seed))
        self._keeping = asyncio.create_task(self._keep())

    async def close(self) -> None:
        """End; a renewal that has begun is finished and stored first, and no other begins."""
        self._closing = True
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
        if self._renewal is not None:
            await asyncio.gather(self._renewal, return_exceptions=True)

    # --- the access token -------------------------------------------------------------------------------------------

    async def token(self) -> str:
        """Return a usable access token. Raises TryAgainError."""
        if self._pair is not None and self._usable(self._pair):
            return self._pair.access
        return await self._other_than(self._pair.access if self._pair else "")

    async def after_refusal(self, refused: str) -> str:
        """Return an access token other than one that Zalo has refused. Raises TryAgainError."""
        return await self._other_than(refused)

    async def known(self) -> StoredTokens | None:
        """Return what is stored; None when nobody has authorized the app."""
        return await self._delivery.read(self._tokens.read, CHANNEL)

    # --- authorizing the app ----------------------------------------------------------------------------------------

    async def link(self, callback: str) -> str:
        """Return an address at which an administrator authorizes the app."""
        secret = secrets.token_urlsafe(32)
        await self._delivery.run(self._tokens.make_link, CHANNEL, secret)
        return self._oauth.permission_url(callback, secret)

    async def redeem(self, code: str, state: str) -> None:
        """Take the code of an administrator who has used the link; `state` is what came back of it, if anything.

        Raises:
            RefusedTokenError: when there is no such link, or Zalo refuses the code.
            TryAgainError: when Zalo cannot be reached.
        """
        async with self._lock:  # a renewal meanwhile would use a refresh token that no longer counts
            secret = await self._delivery.read(self._tokens.link, CHANNEL)
            if not secret or (state and state != challenge(secret)):
                raise RefusedTokenError(
                    "The link was not made here, or no longer counts. Run: covan channel zalo"
                )
            pair = await self._oauth.redeem(code, secret)
            await self._saved(lambda: self._tokens.save(CHANNEL, pair, _name(self._seed)))
            self._pair = pair
        await self._found()

    async def forget(self) -> None:
        """Delete the tokens."""
        await self._delivery.run(self._tokens.forget, CHANNEL)
        self._pair = None

    # --- renewing ---------------------------------------------------------------------------------------------------

    async def _other_than(self, stale: str) -> str:
        """Return a usable access token other than `stale`, renewed by this process or another."""
        async with self._lock:
            if self._pair is not None and self._pair.access != stale and self._usable(self._pair):
                return self._pair.access
            deadline = time.monotonic() + OTHER_PROCESS_S
            while True:
                found = await self.known()
                if found is None:
                    raise self._lose(f"No administrator of the OA has authorized the app. {AUTHORIZE}")
                if found.pair.access != stale and self._usable(found.pair):
                    self._pair = found.pair
                    await self._found()
                    return found.pair.access
                if self._closing:
                    raise TryAgainError("Covan is being stopped.")
                self._may_renew(found, stale)
                # A task of its own: a caller who goes away must not break it off.
                self._renewal = asyncio.create_task(self._renew(found.pair.refresh))
                if (renewed := await asyncio.shield(self._renewal)) is not None:
                    return renewed
                if time.monotonic() > deadline:
                    raise TryAgainError("Another process is renewing Zalo's access token.", OTHER_PROCESS_S)
                await asyncio.sleep(POLL_S)

    def _may_renew(self, found: StoredTokens, stale: str) -> None:
        """Raises TryAgainError when a renewal would be in vain."""
        now = self._clock()
        if found.why and 0.0 <= now - found.refused_at < ASK_AGAIN_S:
            raise self._lose(found.why)
        if found.pair.access == stale and 0.0 <= now - found.obtained_at < YOUNG_S:
            raise TryAgainError("Zalo refuses an access token that it has just given.", YOUNG_S)

    async def _renew(self, refresh_token: str) -> str | None:
        """Return a new access token; None while another process renews it, or when there is another pair by now."""
        if not await self._delivery.run(self._tokens.hold, CHANNEL, refresh_token, self._process):
            return None
        try:
            pair = await self._oauth.renew(refresh_token)
        except RefusedTokenError as error:
            why = f"Zalo no longer renews its access token: {error}. {AUTHORIZE}"
            if not await self._delivery.run(self._tokens.release, CHANNEL, self._process, why):
                return None  # the app was authorized meanwhile, which ends the chain of this token
            raise self._lose(why) from None
        except BaseException:
            with contextlib.suppress(SQLAlchemyError):  # the hold ends by itself
                await self._delivery.run(self._tokens.release, CHANNEL, self._process)
            raise
        if not await self._saved(lambda: self._tokens.renew(CHANNEL, refresh_token, pair)):
            raise TryAgainError("Zalo's tokens were replaced while they were renewed.", POLL_S)
        self._pair = pair
        await self._found()
        logger.info("Zalo's access token is renewed.")
        return pair.access

    async def _saved(self, save: Callable[[], bool | None]) -> bool:
        """Store a pair, however long it takes: the one before is used up. Return what `save` does, None as True."""
        while True:
            try:
                return await self._delivery.run(save) is not False
            except SQLAlchemyError as error:
                logger.error(
                    "Zalo's new tokens could not be stored (%s); this is tried until it succeeds. Do not stop Covan.",
                    type(error).__name__,
                )
                await asyncio.sleep(SAVE_AGAIN_S)

    async def _keep(self) -> None:
        while True:
            try:
                found = await self.known()
                if found is None or self._ends_soon(found):
                    await self._other_than(found.pair.access if found else "")
                else:
                    self._pair = found.pair
                    await self._found()
            except TryAgainError as error:
                logger.warning("Zalo's access token is not renewed: %s", error)
            except Exception:
                logger.exception("Zalo's access token could not be looked after.")
            await asyncio.sleep(LOOK_EVERY_S)

    def _ends_soon(self, found: StoredTokens) -> bool:
        lifetime = max(0.0, found.pair.expires_at - found.obtained_at)
        return found.pair.expires_at - self._clock() < min(RENEW_BEFORE_S, lifetime / 2)

    def _usable(self, pair: TokenPair) -> bool:
        return bool(pair.access) and self._clock() < pair.expires_at - MARGIN_S

    # --- what is told -----------------------------------------------------------------------------------------------

    def _lose(self, why: str) -> TryAgainError:
        """Note that there is no access token, and log it when the reason is new."""
        if why != self._lost:
            logger.error("Nothing can be sent on Zalo: %s", why)
        self._lost = why
        return TryAgainError(why, LOST_PAUSE_S)

    async def _found(self) -> None:
        """Note that there is an access token; what waited for one is sent now."""
        if self._lost == "":
            return
        if self._lost:
            logger.warning("Zalo's access token is back; what waited is sent.")
        self._lost = ""
        await self._delivery.run(self._delivery.store.replies.try_now, CHANNEL)


def _name(seed: str) -> str:
    """Return a name of a refresh token that does not tell it; empty for none."""
    return hashlib.sha256(seed.encode()).hexdigest() if seed else ""
