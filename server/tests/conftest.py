"""A PostgreSQL server that several tests share."""

from collections.abc import Iterator

import pytest

from tests.stand_ins.real_postgres import RealPostgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[RealPostgres]:
    server = RealPostgres()
    try:
        server.start()
        yield server
    finally:
        server.stop()
