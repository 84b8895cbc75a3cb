"""Servers that several tests share."""

from collections.abc import Iterator

import pytest
from real_postgres import RealPostgres
from real_redis import RealRedis


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the mark `services` to each test that starts Redis."""
    for item in items:
        if isinstance(item, pytest.Function) and "redis" in item.fixturenames:
            item.add_marker(pytest.mark.services)


@pytest.fixture(scope="session")
def postgres() -> Iterator[RealPostgres]:
    server = RealPostgres()
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture
def redis() -> Iterator[RealRedis]:
    server = RealRedis()
    server.start()
    yield server
    server.stop()
