"""Covan on all its channels, with Telegram, Facebook and Zalo as stand-ins: for tests and benchmarks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graph_api import GraphApi
from real_servers import WITH_CHANNELS, RealServers
from telegram_api import SECRET, TOKEN, TelegramApi
from zalo_api import ZaloApi


@contextmanager
def serving(
    directory: Path, model: Path | None = None, **further: Any
) -> Iterator[tuple[RealServers, TelegramApi, GraphApi, ZaloApi]]:
    """All of it, until the end of the block; `further` are settings by name, the website's for one."""
    telegram, messenger, zalo = TelegramApi(), GraphApi(), ZaloApi()
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
        zalo_app_id=zalo.app_id,
        zalo_app_secret=zalo.app_secret,
        zalo_oa_secret=zalo.oa_secret,
        zalo_refresh_token=zalo.refresh_token,
        zalo_api_url=zalo.start(),
        zalo_oauth_url=zalo.url,
        **further,
    )
    try:
        servers.up()
        yield servers, telegram, messenger, zalo
    finally:
        servers.close()
        telegram.stop()
        messenger.stop()
        zalo.stop()
