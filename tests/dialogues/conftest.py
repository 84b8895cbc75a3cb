"""The real servers, started once for all that is said to them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Last: benchmarks/channels.py is not the package `channels`.
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from real_servers import RealServers


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServers]:
    running = RealServers(tmp_path_factory.mktemp("state"))
    try:
        running.up()
        yield running
    finally:
        running.close()
