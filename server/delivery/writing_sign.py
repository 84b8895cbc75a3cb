"""The sign that a reply is being written ("typing…"), shown again and again until the reply is there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)

SHOW_EVERY_S = 4.0
"""Telegram shows it for five seconds."""

END_S = 2.0
"""So long a request that is under way is waited for, so that the sign does not come after the reply."""

_under_way: set[asyncio.Task[None]] = set()
"""Nobody else holds on to a task that is not waited for."""


class WritingSign:
    """Shown from `begin` until `end`.

    A request to the platform is never cancelled: the pool of an HTTP client may lose a connection with it for good
    (httpcore 1.0: one that was given to a request which is cancelled before it connects), and when all are lost, no
    message is sent any more.
    """

    def __init__(self, channel: str, show: Callable[[], Awaitable[None]]) -> None:
        """`show` asks the platform once; whatever it raises is of no consequence."""
        self._channel = channel
        self._show = show
        self._showing: asyncio.Task[None] | None = None
        self._asking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Shows it from now on."""
        if self._showing is None:
            self._showing = asyncio.create_task(self._keep_showing())

    async def end(self) -> None:
        """Shows it no more."""
        if self._showing is None:
            return
        self._showing.cancel()
        await asyncio.wait({self._showing})
        if self._asking is not None and not self._asking.done():
            await asyncio.wait({self._asking}, timeout=END_S)

    async def _keep_showing(self) -> None:
        while True:
            self._asking = asyncio.create_task(self._ask())
            _under_way.add(self._asking)
            self._asking.add_done_callback(_under_way.discard)
            await asyncio.shield(self._asking)
            await asyncio.sleep(SHOW_EVERY_S)

    async def _ask(self) -> None:
        try:
            await self._show()
        except Exception as error:
            # The class alone: an address may hold a token.
            logger.debug("The sign of writing is not shown on %s: %s", self._channel, type(error).__name__)
