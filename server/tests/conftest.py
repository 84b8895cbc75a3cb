"""Servers that several tests share."""

import pytest

from real_postgres import RealPostgres


@pytest.fixture(scope="session")
def postgres():
    server = RealPostgres()
    try:
        server.start()
        yield server
    finally:
        server.stop()
