"""Stand-ins for the component that answers turns (`channels.delivery.delivery_worker.TurnAnswerer`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from channels.delivery.draft import Draft
from channels.delivery.work_queue import QueuedTurn


class Answerer:
    """Ready at once, without replies to turns; tests override `answer`."""

    ready = True

    async def answer(
        self, channel: str, sender: str, turn: QueuedTurn, typing: Callable[[], None]
    ) -> Sequence[Draft]:
        return []

    async def apology(self, channel: str, sender: str) -> Sequence[Draft]:
        return [Draft("sorry")]

    async def too_fast(self, channel: str, sender: str) -> Sequence[Draft]:
        return [Draft("slow down")]

    async def tick(self, channel: str) -> None:
        """Do nothing."""
