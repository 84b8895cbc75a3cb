"""Locks are kept where the address says."""

import asyncio

import pytest
from rasa.core.lock_store import InMemoryLockStore, LockStore, RedisLockStore
from rasa.shared.exceptions import RasaException
from rasa.utils.endpoints import EndpointConfig
from real_redis import RealRedis

from server.lock_store import AddressedLockStore

PASSWORD = "p@ss:w/o%rd#?&'1"
ENCODED = "p%40ss%3Aw%2Fo%25rd%23%3F%26%271"


def opened(url):
    return LockStore.create(EndpointConfig(url=url, type="server.lock_store.AddressedLockStore"))


@pytest.mark.parametrize("url", ["", None])
def test_without_an_address_they_are_this_processs(url):
    store = opened(url)

    assert isinstance(store, AddressedLockStore)
    assert isinstance(store._store, InMemoryLockStore)


@pytest.mark.parametrize("url", ["http://:secret@x", "redis://:secret@x:notaport/1"])
def test_an_address_that_is_none_is_told_without_its_password(url):
    with pytest.raises(RasaException, match="COVAN_LOCKS_URL") as refused:
        opened(url)
    assert "secret" not in str(refused.value)


async def redis_locks(url):
    """Take and release a lock."""
    store = opened(url)
    assert isinstance(store._store, RedisLockStore)
    async with store.lock("an"):
        assert store.get_lock("an") is not None
        assert opened(url).get_lock("an") is not None
    assert opened(url).get_lock("an") is None


@pytest.mark.services
def test_fault_14_several_processes_share_the_locks_of_redis_with_any_password():
    with RealRedis(PASSWORD) as redis:
        asyncio.run(redis_locks(f"redis://:{ENCODED}@127.0.0.1:{redis.port}/1"))
