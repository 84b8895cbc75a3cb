"""Rasa with every channel open, before platforms that are ours."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from graph_api import GraphApi
from telegram_api import TelegramApi

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from real_servers import RealServers

TELEGRAM_TOKEN = "123456789:AAE-the-token-of-the-tests-0123456789ab"
TELEGRAM_SECRET = "telegram-secret-of-the-tests"
MESSENGER_TOKEN = "page-token-of-the-tests"
MESSENGER_APP_SECRET = "app-secret-of-the-tests"
MESSENGER_VERIFY_TOKEN = "verify-token-of-the-tests"
WEB_SECRET = "web-secret-of-the-tests-32-characters-long"
ADVISOR_TOKEN = "advisor-token-of-the-tests-32-characters"
WEB_ORIGIN = "https://www.example.edu.vn"


@dataclass
class Channels:
    """The servers, the platforms' stand-ins, and the secrets that they share."""

    servers: RealServers
    telegram: TelegramApi
    messenger: GraphApi
    telegram_secret: str = TELEGRAM_SECRET
    messenger_app_secret: str = MESSENGER_APP_SECRET
    messenger_verify_token: str = MESSENGER_VERIFY_TOKEN
    web_secret: str = WEB_SECRET
    web_origin: str = WEB_ORIGIN
    advisor_token: str = ADVISOR_TOKEN
    further: dict[str, str] = field(default_factory=dict)

    @property
    def rasa_url(self) -> str:
        return self.servers.url


@pytest.fixture(scope="session")
def channels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Channels]:
    telegram, messenger = TelegramApi(), GraphApi()
    servers = RealServers(
        tmp_path_factory.mktemp("channels"),
        telegram_token=TELEGRAM_TOKEN,
        telegram_secret=TELEGRAM_SECRET,
        telegram_api_url=telegram.start(),
        messenger_token=MESSENGER_TOKEN,
        messenger_app_secret=MESSENGER_APP_SECRET,
        messenger_verify_token=MESSENGER_VERIFY_TOKEN,
        messenger_api_url=messenger.start(),
        web_secret=WEB_SECRET,
        web_origins=WEB_ORIGIN,
        advisor_token=ADVISOR_TOKEN,
    )
    try:
        servers.up()
        yield Channels(servers, telegram, messenger)
    finally:
        servers.close()
        telegram.stop()
        messenger.stop()
