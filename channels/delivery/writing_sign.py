"""The typing indicator, repeated until the reply is sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)

SHOW_EVERY_S = 4.0
"""Seconds; Telegram shows the indicator for five."""

END_S = 2.0
"""Seconds to wait at the end for a running request, so that the indicator does not follow the reply."""

_under_way: set[asyncio.Task[None]] = set()
"""References to running tasks: asyncio itself holds only weak ones."""


class WritingSign:
    """Repeats the indicator from `begin` until `end`.

    A request to the platform is never cancelled: the pool of an HTTP client may lose a connection with it for good
    (httpcore 1.0: one that was given to a request which is cancelled before it connects), and when all are lost, no
    message is sent any more.
    """

    def __init__(self, channel: str, show: Callable[[], Awaitable[None]]) -> None:
        """`show` asks the platform once; its errors are logged and ignored."""
        self._channel = channel
        self._show = show
        self._showing: asyncio.Task[None] | None = None
        self._asking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start the indicator."""
        if self._showing is None:
            self._showing = asyncio.create_task(self._keep_showing())

    async def end(self) -> None:
        """Stop the indicator."""
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
