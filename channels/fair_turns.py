"""A limited number of turns at a time, shared fairly between channels and, within a channel, between origins.

The places that become free go round the channels, and within a channel round the origins (round robin: Nagle, RFC 970),
so that nobody waits for the whole queue of another. Turns of one origin keep their order.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_Waiting = deque[asyncio.Future[None]]


class FairTurns:
    """So many turns run at a time; the others wait."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._channels: OrderedDict[str, OrderedDict[str, _Waiting]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, channel: str, origin: str) -> AsyncIterator[None]:
        """Hold one of the places while entered; `origin` is who shares a channel's places with others."""
        if self._free:
            self._free -= 1
        else:
            place = asyncio.get_running_loop().create_future()
            self._channels.setdefault(channel, OrderedDict()).setdefault(origin, deque()).append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self._pass_on()
                raise
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        while self._channels:
            channel, origins = self._channels.popitem(last=False)
            origin, waiting = origins.popitem(last=False)
            place = waiting.popleft()
            # An origin and a channel that have just had a place go to the end of the round.
            if waiting:
                origins[origin] = waiting
            if origins:
                self._channels[channel] = origins
            if not place.done():
                place.set_result(None)
                return
        self._free += 1
