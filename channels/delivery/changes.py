"""Notify the listeners of a conversation of its changes, in this process and in the other front doors.

A notification only says that the store has changed. A listener that may have missed one gets `LOOK` and reads the store
again, so that a lost notification loses no message.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import (
    Any,
    Protocol,
)

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from rag.errors import SettingsError
from rag.settings import Settings

logger = logging.getLogger(__name__)

Change = Mapping[str, Any]
"""JSON with a `kind` ("message", "typing", "state", "erased" or "look") and its data."""

LOOK: Change = {"kind": "look"}
"""Read the store again; a change may have been missed."""

WAITING_CHANGES = 100
"""Queue length of one listener; beyond it one `LOOK` replaces the queue."""

WAITING_ANNOUNCEMENTS = 10_000
"""Queue length for Redis; beyond it one message makes all listeners look again once Redis is back."""

RECONNECT_FIRST_S, RECONNECT_MOST_S = 0.2, 10.0
CONNECT_TIMEOUT_S = 5.0

CANCEL_AGAIN_S = 0.2

SILENCE_S = 15.0
"""Seconds without a message before a ping, and without a reply to it before the connection is closed. A connection
that a firewall dropped looks open forever."""

_Key = tuple[str, str]


class Listening(Protocol):
    """The queue of one listener."""

    async def get(self) -> Change:
        """Wait for the next change and return it."""


Subscription = contextlib.AbstractAsyncContextManager[Listening]
"""A context manager: changes are queued while it is entered."""


class Changes(Protocol):
    """The changes of all conversations, by channel and sender."""

    async def start(self) -> None:
        """Start in the running event loop. Never fails: Redis may start later."""

    async def close(self) -> None:
        """Stop; queued changes are dropped."""

    async def publish(self, channel: str, sender: str, change: Change) -> None:
        """Notify every listener of a conversation in every process. Does not wait for the network, never fails."""

    def subscribe(self, channel: str, sender: str) -> Subscription:
        """Listen from now on. A caller subscribes before it reads the store, so that it misses no change."""


class _Pause:
    """The growing pause between two tries."""

    def __init__(self) -> None:
        self._next_s = RECONNECT_FIRST_S

    @property
    def waited(self) -> bool:
        """Return whether the previous try failed."""
        return self._next_s > RECONNECT_FIRST_S

    def over(self) -> None:
        """Start again with the shortest pause."""
        self._next_s = RECONNECT_FIRST_S

    async def wait(self) -> None:
        """Wait for the pause and double it."""
        await asyncio.sleep(self._next_s)
        self._next_s = min(2 * self._next_s, RECONNECT_MOST_S)


class _Queue:
    """The queued changes of a listener."""

    def __init__(self) -> None:
        self._waiting: deque[Change] = deque()
        self._some = asyncio.Event()

    async def get(self) -> Change:
        while not self._waiting:
            self._some.clear()
            await self._some.wait()
        return self._waiting.popleft()

    def put(self, change: Change) -> None:
        if len(self._waiting) >= WAITING_CHANGES:
            self._waiting.clear()
            change = LOOK
        self._waiting.append(change)
        self._some.set()


class InProcess:
    """The changes within a single process."""

    def __init__(self) -> None:
        self._listeners: defaultdict[_Key, set[_Queue]] = defaultdict(set)

    async def start(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""

    async def publish(self, channel: str, sender: str, change: Change) -> None:
        """See `Changes`."""
        self.tell(channel, sender, change)

    @contextlib.asynccontextmanager
    async def subscribe(self, channel: str, sender: str) -> AsyncIterator[Listening]:
        """See `Changes`."""
        key, listener = (channel, sender), _Queue()
        self._listeners[key].add(listener)
        try:
            yield listener
        finally:
            self._listeners[key].discard(listener)
            if not self._listeners[key]:
                del self._listeners[key]

    def tell(self, channel: str, sender: str, change: Change) -> None:
        """Notify the listeners of a conversation in this process."""
        for listener in self._listeners.get((channel, sender), ()):
            listener.put(change)

    def tell_all(self) -> None:
        """Send `LOOK` to every listener in this process."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.put(LOOK)


class ThroughRedis:
    """The changes across processes, over Redis (https://redis.io/docs/latest/develop/pubsub/).

    A process holds two connections, however many students listen: one receives every change of the school, one
    publishes. Redis drops messages for a disconnected process, so every new subscription sends `LOOK` to all listeners.
    """

    def __init__(self, url: str) -> None:
        self._here = InProcess()
        self._me = secrets.token_urlsafe(9)
        self._redis: Redis = Redis.from_url(
            url,
            socket_connect_timeout=CONNECT_TIMEOUT_S,
            socket_timeout=CONNECT_TIMEOUT_S,
            socket_keepalive=True,
        )
        database = self._redis.connection_pool.connection_kwargs.get("db") or 0
        # Redis' databases share their channels; two schools on one Redis should not wake each other.
        self._name = f"covan:changes:{database}"
        self._unsent: deque[str] = deque()
        self._some = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """See `Changes`."""
        if not self._tasks:
            self._tasks = {
                asyncio.create_task(self._again_and_again(self._receive, "received")),
                asyncio.create_task(self._again_and_again(self._send, "sent")),
            }

    async def close(self) -> None:
        """Close both connections."""
        while running := {task for task in self._tasks if not task.done()}:
            for task in running:
                task.cancel()
            # Again, because redis-py may lose a cancellation that comes while it connects.
            await asyncio.wait(running, timeout=CANCEL_AGAIN_S)
        self._tasks = set()
        await self._redis.aclose()
        await self._redis.connection_pool.disconnect()

    async def publish(self, channel: str, sender: str, change: Change) -> None:
        """See `Changes`. Notifies the listeners of this process without Redis, too."""
        self._here.tell(channel, sender, change)
        if len(self._unsent) >= WAITING_ANNOUNCEMENTS:
            self._unsent.clear()
            self._unsent.append(json.dumps({"by": self._me, "all": True}))
        else:
            self._unsent.append(json.dumps({"by": self._me, "to": [channel, sender], "change": dict(change)}))
        self._some.set()

    def subscribe(self, channel: str, sender: str) -> Subscription:
        """See `Changes`."""
        return self._here.subscribe(channel, sender)

    async def _again_and_again(self, connected: Callable[[_Pause], Awaitable[None]], doing: str) -> None:
        """Run `connected` forever; after a failure, wait with growing pauses."""
        pause = _Pause()
        while True:
            try:
                await connected(pause)
            except (RedisError, OSError, TimeoutError) as error:
                if not pause.waited:
                    # The class alone: a message may hold the address, and the address a password.
                    logger.warning(
                        "Changes cannot be %s through Redis (COVAN_REDIS_URL): %s. Students who are connected to"
                        " another front door see them later.",
                        doing,
                        type(error).__name__,
                    )
            except Exception:  # the task must survive a fault of its own
                logger.exception("Changes cannot be %s through Redis.", doing)
            await pause.wait()

    async def _receive(self, pause: _Pause) -> None:
        subscription: PubSub = self._redis.pubsub()
        try:
            await subscription.subscribe(self._name)
            asked = False
            while True:
                received = await subscription.get_message(timeout=SILENCE_S)
                if received is None:
                    if asked:
                        raise TimeoutError
                    await subscription.ping()
                asked = received is None
                if received is not None:
                    pause.over()
                    self._received(received)
        finally:
            with contextlib.suppress(RedisError, OSError):
                await subscription.aclose()  # type: ignore[no-untyped-call]

    def _received(self, received: Mapping[str, Any]) -> None:
        # The library subscribes again when it reconnects by itself.
        if received["type"] == "subscribe":
            self._here.tell_all()
        if received["type"] != "message":
            return
        try:
            announced = json.loads(received["data"])
            if announced["by"] == self._me:
                return
            if "all" in announced:
                self._here.tell_all()
                return
            channel, sender = announced["to"]
            change = {"kind": LOOK["kind"], **announced["change"]}
        except (ValueError, TypeError, KeyError):
            logger.warning(
                "What Redis said of a change cannot be read: is the server shared with another program?"
            )
            return
        self._here.tell(channel, sender, change)

    async def _send(self, pause: _Pause) -> None:
        while True:
            while not self._unsent:
                self._some.clear()
                await self._some.wait()
            next_one = self._unsent[0]
            await self._redis.publish(self._name, next_one)
            pause.over()
            # `publish` may have cleared the queue in the meantime.
            if self._unsent and self._unsent[0] is next_one:
                self._unsent.popleft()


def changes_of(settings: Settings) -> Changes:
    """Return the implementation over Redis when `redis_url` is set (several processes need it), else the local one.

    Raises:
        SettingsError: when the address of Redis is invalid.
    """
    if not settings.redis_url:
        return InProcess()
    try:
        return ThroughRedis(settings.redis_url)
    except ValueError:
        raise SettingsError("COVAN_REDIS_URL must be an address as redis://127.0.0.1:6379/0") from None
