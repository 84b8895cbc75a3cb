"""A PostgreSQL server that several tests share; a conftest imports it for its folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from real_postgres import RealPostgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[RealPostgres]:
    with RealPostgres() as server:
        yield server
