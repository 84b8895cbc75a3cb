"""Covan on all its channels, with Telegram and Facebook as stand-ins: for tests and benchmarks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graph_api import GraphApi
from real_servers import WITH_CHANNELS, RealServers
from telegram_api import SECRET, TOKEN, TelegramApi


@contextmanager
def serving(
    directory: Path, model: Path | None = None, **further: Any
) -> Iterator[tuple[RealServers, TelegramApi, GraphApi]]:
    """All of it, until the end of the block; `further` are settings by name, the website's for one."""
    telegram, messenger = TelegramApi(), GraphApi()
    servers = RealServers(
        directory,
        model,
        names=WITH_CHANNELS,
        telegram_token=TOKEN,
        telegram_secret=SECRET,
        telegram_api_url=telegram.start(),
        messenger_token=messenger.token,
        messenger_app_secret=messenger.app_secret,
        messenger_verify_token=messenger.verify_token,
        messenger_api_url=messenger.start(),
        **further,
    )
    try:
        servers.up()
        yield servers, telegram, messenger
    finally:
        servers.close()
        telegram.stop()
        messenger.stop()
