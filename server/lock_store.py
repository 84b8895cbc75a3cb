"""The lock store that endpoints.yml names: Redis at an address, or this process.

Rasa's own Redis store takes host, port and password one by one.
"""

from __future__ import annotations

from rasa.core.lock import TicketLock
from rasa.core.lock_store import InMemoryLockStore, LockStore, RedisLockStore
from rasa.shared.exceptions import RasaException
from rasa.utils.endpoints import EndpointConfig
from redis.connection import SSLConnection, parse_url


class AddressedLockStore(LockStore):
    """Keeps the locks in Redis at `url` (redis://:password@host:6379/1), in this process when it is empty."""

    def __init__(self, endpoint_config: EndpointConfig) -> None:
        """Raises RasaException for an address that is none."""
        super().__init__()
        self._store = _store_at(endpoint_config.url or "")

    def get_lock(self, conversation_id: str) -> TicketLock | None:
        """See `LockStore`."""
        return self._store.get_lock(conversation_id)

    def save_lock(self, lock: TicketLock) -> None:
        """See `LockStore`."""
        self._store.save_lock(lock)

    def delete_lock(self, conversation_id: str) -> None:
        """See `LockStore`."""
        self._store.delete_lock(conversation_id)


def _store_at(url: str) -> LockStore:
    if not url:
        return InMemoryLockStore()
    try:
        parts = parse_url(url)
    except ValueError:
        # Without the address: it holds a password.
        raise RasaException("COVAN_LOCKS_URL must be an address as redis://127.0.0.1:6379/1") from None
    return RedisLockStore(
        host=parts.get("host", "localhost"),
        port=parts.get("port", 6379),
        db=parts.get("db", 1),
        username=parts.get("username"),
        password=parts.get("password"),
        use_ssl=parts.get("connection_class") is SSLConnection,
    )
