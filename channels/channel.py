"""The interface of a channel: its routes, and its start and end with the front door."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from starlette.routing import BaseRoute


class Channel(Protocol):
    """One platform's way in. A channel that is not set up answers 404 and does nothing else."""

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes below /webhooks/NAME."""

    async def open(self) -> None:
        """Start, whether the platform can be reached or not."""

    def stop(self) -> None:
        """End streams that are open, before the server waits for its connections."""

    async def close(self) -> None:
        """End; what waits is served after the next start."""
