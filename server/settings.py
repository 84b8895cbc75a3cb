"""The settings of the channels, read from the `COVAN_...` variables that each `covan` command sets for Rasa.

The root's rag/settings.py describes each variable and holds its default; this process cannot import it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass


class SettingsError(Exception):
    """A variable has an invalid value; the message names the variable and the valid values."""


@dataclass(frozen=True)
class ChannelSettings:
    """The variables of the channels. A channel whose token is empty is closed."""

    database: str
    redis_url: str = ""
    web_secret: str = ""
    web_origins: frozenset[str] = frozenset()
    trusted_proxies: int = 0
    advisor_token: str = ""
    telegram_token: str = ""
    telegram_secret: str = ""
    telegram_updates: str = "webhook"
    telegram_api_url: str = "https://api.telegram.org"
    messenger_token: str = ""
    messenger_app_secret: str = ""
    messenger_verify_token: str = ""
    messenger_api_url: str = "https://graph.facebook.com"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> ChannelSettings:
        """Read the settings. Raises SettingsError."""

        def value(name: str, default: str = "") -> str:
            return environment.get(f"COVAN_{name}", "").strip() or default

        if not (database := value("CHANNELS_DB")):
            raise SettingsError(
                "COVAN_CHANNELS_DB must be a database's address, as sqlite:///.covan/channels.sqlite"
            )
        updates = value("TELEGRAM_UPDATES", cls.telegram_updates)
        if updates not in ("webhook", "polling"):
            raise SettingsError(f"COVAN_TELEGRAM_UPDATES must be webhook or polling, not {updates!r}")
        proxies = value("TRUSTED_PROXIES", "0")
        if not proxies.isdecimal():
            raise SettingsError(f"COVAN_TRUSTED_PROXIES must be a number of proxies, not {proxies!r}")
        return cls(
            database=database,
            redis_url=value("REDIS_URL"),
            web_secret=value("WEB_SECRET"),
            web_origins=frozenset(
                origin.strip().rstrip("/") for origin in value("WEB_ORIGINS").split(",") if origin.strip()
            ),
            trusted_proxies=int(proxies),
            advisor_token=value("ADVISOR_TOKEN"),
            telegram_token=value("TELEGRAM_TOKEN"),
            telegram_secret=value("TELEGRAM_SECRET"),
            telegram_updates=updates,
            telegram_api_url=value("TELEGRAM_API_URL", cls.telegram_api_url).rstrip("/"),
            messenger_token=value("MESSENGER_TOKEN"),
            messenger_app_secret=value("MESSENGER_APP_SECRET"),
            messenger_verify_token=value("MESSENGER_VERIFY_TOKEN"),
            messenger_api_url=value("MESSENGER_API_URL", cls.messenger_api_url).rstrip("/"),
        )
