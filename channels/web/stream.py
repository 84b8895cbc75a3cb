"""A conversation as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).

Events: `message` (data: the message, id: its id), `typing` (`{"on": true}`), `state`, and `erased` when the
conversation was erased. A page that reconnects sends the id of its last message and gets every later one from the
store, once and in order.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any, Protocol

from channels.delivery.changes import Subscription
from channels.delivery.message import STUDENT, Message
from channels.web.requests import client_id

COMMENT_EVERY_S = 15.0
"""Seconds; proxies close an idle connection (nginx after 60 s), and a write notices a page that has gone."""

COMMENT = b": \n\n"

_LINE_BREAKS = {ord(each): f"\\u{ord(each):04x}" for each in "\u0085\u2028\u2029"}
"""Line separators that JSON may contain unescaped; some line readers break at them, against the standard."""


class Conversations(Protocol):
    """The interface used of `channels.delivery.delivery_worker.DeliveryWorker`."""

    async def since(self, channel: str, sender: str, after_id: int) -> list[Message]:
        """Return the next messages after an id, oldest first."""

    async def state(self, channel: str, sender: str) -> dict[str, Any]:
        """Return whether the bot or an advisor replies."""

    def changes(self, channel: str, sender: str) -> Subscription:
        """Subscribe to the changes of a conversation."""


def as_seen(message: Message) -> dict[str, Any]:
    """Return a message as a page gets it; the page's own messages carry the ids it gave them."""
    seen = message.as_json()
    if message.author == STUDENT and "event_id" in seen["facts"]:
        seen["facts"]["event_id"] = client_id(seen["facts"]["event_id"])
    return seen


def frame(event: str, data: Mapping[str, Any], event_id: int | None = None) -> bytes:
    """Return one event. The JSON contains no line break, so that no text can end an event."""
    name = f"id: {event_id}\n" if event_id is not None else ""
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_LINE_BREAKS)
    return f"event: {event}\n{name}data: {body}\n\n".encode("utf-8", "replace")


async def events(
    conversations: Conversations,
    channel: str,
    sender: str,
    after: int,
    *,
    stopping: asyncio.Event,
    expires_at: float,
    clock: Callable[[], float] = time.time,
) -> AsyncGenerator[bytes, None]:
    """Yield the events of a conversation after the message with id `after`, as bytes to send.

    Ends when the server stops or the session expires. A caller that stops earlier closes it (`aclosing`).
    """
    last = after
    # Subscribe before reading the store, so that no change in between is missed.
    async with conversations.changes(channel, sender) as changes:
        stopped = asyncio.ensure_future(stopping.wait())
        coming: asyncio.Future[Mapping[str, Any]] | None = None
        try:
            kind = "look"
            while True:
                if kind in ("look", "message"):
                    while messages := await conversations.since(channel, sender, last):
                        for message in messages:
                            last = message.id
                            yield frame("message", as_seen(message), last)
                if kind in ("look", "state"):
                    yield frame("state", await conversations.state(channel, sender))
                coming = coming or asyncio.ensure_future(changes.get())
                waiting: set[asyncio.Future[Any]] = {coming, stopped}
                patience = min(COMMENT_EVERY_S, max(expires_at - clock(), 0.0))
                await asyncio.wait(waiting, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
                if stopped.done() or clock() >= expires_at:
                    return
                if not coming.done():
                    kind = "nothing"
                    yield COMMENT
                    continue
                change, coming = coming.result(), None
                kind = str(change["kind"])
                if kind == "typing":
                    yield frame("typing", {"on": bool(change.get("on", True))})
                elif kind == "erased":
                    yield frame("erased", {})
                    kind = "look"
        finally:
            for future in (stopped, coming):
                if future is not None:
                    future.cancel()
