"""A PostgreSQL server that several tests share."""

from collections.abc import Iterator

import pytest

from tests.stand_ins.real_postgres import RealPostgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[RealPostgres]:
    with RealPostgres() as server:
        yield server
