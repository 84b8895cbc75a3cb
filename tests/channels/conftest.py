"""Covan with every channel open, before platforms that are ours."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from graph_api import GraphApi
from telegram_api import TelegramApi
from zalo_api import ZaloApi

# Last: benchmarks/channels.py is not the package `channels`.
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from platforms import serving
from postgres_fixture import postgres
from real_redis import RealRedis
from real_servers import RealServers

from channels.delivery import intake

__all__ = ["channels", "postgres", "redis"]

WEB_SECRET = "web-secret-of-the-tests-32-characters-long"
ADVISOR_TOKEN = "advisor-token-of-the-tests-32-characters"
WEB_ORIGIN = "https://www.example.edu.vn"
PATIENCE_S = 15.0


@dataclass
class Channels:
    """The servers, the platforms' stand-ins, and what the website and the advisors show."""

    servers: RealServers
    telegram: TelegramApi
    messenger: GraphApi
    zalo: ZaloApi
    web_secret: str = WEB_SECRET
    web_origin: str = WEB_ORIGIN
    advisor_token: str = ADVISOR_TOKEN

    @property
    def url(self) -> str:
        return self.servers.url


@pytest.fixture(scope="session")
def channels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Channels]:
    directory = tmp_path_factory.mktemp("channels")
    own = {"web_secret": WEB_SECRET, "web_origins": WEB_ORIGIN, "advisor_token": ADVISOR_TOKEN}
    with serving(directory, **own) as (servers, telegram, messenger, zalo):
        yield Channels(servers, telegram, messenger, zalo)


@pytest.fixture(autouse=True)
def patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer for the database than a platform would: a busy machine's disk is no fault of what is tested.

    The tests of the limit itself (the mark `store_limit`) keep the product's.
    """
    if request.node.get_closest_marker("store_limit") is None:
        monkeypatch.setattr(intake, "STORED_WITHIN_S", PATIENCE_S)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the mark `services` to each test that starts Redis."""
    for item in items:
        if isinstance(item, pytest.Function) and "redis" in item.fixturenames:
            item.add_marker(pytest.mark.services)


@pytest.fixture
def redis() -> Iterator[RealRedis]:
    with RealRedis() as server:
        yield server
