"""A conversation as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).

`message` (data: the message, id: its id), `typing` (`{"on": true}`), `state`, and `erased` when all before is gone. A page
that was away says which message it had last, and gets every later one, each once and in order: whatever told of one, it
comes from the store.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Protocol

from server.channels.web_requests import client_id
from server.delivery.changes import Subscription
from server.delivery.message import STUDENT, Said

COMMENT_EVERY_S = 15.0
"""Proxies close a connection on which nothing is said, nginx after 60 s; and a page that has gone is noticed."""

COMMENT = b": \n\n"

_LINE_BREAKS = {ord(each): f"\\u{ord(each):04x}" for each in "\u0085\u2028\u2029"}
"""Those that JSON may hold as they are. To the standard they break no line; to some who read lines they do."""


class Conversations(Protocol):
    """What is asked of `server.delivery.delivery_worker.Delivery`."""

    async def since(self, channel: str, sender: str, after_id: int) -> list[Said]:
        """The next messages after one, oldest first; none when there are no more."""

    async def state(self, channel: str, sender: str) -> dict[str, Any]:
        """Who speaks."""

    def changes(self, channel: str, sender: str) -> Subscription:
        """What happens from now on."""


def as_seen(message: Said) -> dict[str, Any]:
    """A message as a page gets it: its own messages under its own ids."""
    seen = message.as_json()
    if message.author == STUDENT and "event_id" in seen["facts"]:
        seen["facts"]["event_id"] = client_id(seen["facts"]["event_id"])
    return seen


def frame(event: str, data: Mapping[str, Any], event_id: int | None = None) -> bytes:
    """One event. JSON holds no line break, so that no text can end an event or begin another."""
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
) -> AsyncIterator[bytes]:
    """The events of a conversation, from the message after the one with id `after`, as bytes to send.

    Ends when the server stops and when the session expires. Whoever stops earlier must close it (`aclosing`).
    """
    last = after
    # Listening begins before the store is read: what comes in between is heard, and what is heard twice is read once.
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
