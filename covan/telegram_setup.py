"""Telegram's side of setting up: registers the webhook and the menu, and looks whether all is as it must be.

https://core.telegram.org/bots/api. No message of ours has the token: it stands in every address.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx
import yaml
from rich.console import Console

from covan.diagnosis import Finding, Level
from covan.project import ROOT
from rag.errors import CovanError
from rag.settings import Settings

BOT = ROOT / "channels" / "telegram" / "bot.yml"
"""The menu, the description, and which updates are wanted."""

PATH = "/webhooks/telegram/webhook"
"""The path on which channels/telegram/channel.py listens."""

PORTS = (443, 80, 88, 8443)
"""https://core.telegram.org/bots/api#setwebhook"""

SECRET = re.compile(r"[A-Za-z0-9_-]{16,256}")
TOKEN = re.compile(r"\d{5,}:[A-Za-z0-9_-]{30,}")
LANGUAGES = ("vi", "en")
"""Telegram shows the first to users of any other language."""

TIMEOUT_S = 20.0
MANY_PENDING = 50
RECENT_S = 3600.0

NAME = "Telegram"
REGISTER = "Run: covan channel telegram"


class TelegramError(CovanError):
    """Telegram has refused a call, or cannot be reached; the message says why, without the token."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


def register(settings: Settings, console: Console) -> None:
    """Tells Telegram where to bring updates (unless the bot asks for them), the menu and the description.

    Raises:
        TelegramError: when Telegram refuses or cannot be reached.
        CovanError: when a setting cannot be used.
    """
    _refuse_wrong(settings)
    bot = yaml.safe_load(BOT.read_text(encoding="utf-8"))
    api = _Api(settings)
    me = api.call("getMe")
    if settings.telegram_updates == "polling":
        api.call("deleteWebhook", {"drop_pending_updates": False})
        console.print("Updates: the bot asks Telegram for them; no address is registered.")
    else:
        api.call(
            "setWebhook",
            {
                "url": _address(settings),
                "secret_token": settings.telegram_secret.get_secret_value(),
                "allowed_updates": bot["updates"],
                # Messages from before the registration are answered now.
                "drop_pending_updates": False,
            },
        )
        console.print(f"Updates: Telegram brings them to {_address(settings)}")
    for language in LANGUAGES:
        api.call("setMyCommands", {"commands": _menu(bot, language), **_in(language)})
        api.call("setMyDescription", {"description": bot["description"][language], **_in(language)})
        api.call(
            "setMyShortDescription",
            {"short_description": bot["short_description"][language], **_in(language)},
        )
    names = ", ".join(f"/{entry['name']}" for entry in bot["commands"])
    console.print(f"Menu: {names}, in Vietnamese and English; description set.")
    console.print(f"The bot is at https://t.me/{me['username']}")


def remove(settings: Settings, console: Console) -> None:
    """Takes the webhook back; updates wait with Telegram for a day at most. Raises as `register`."""
    if not settings.telegram_token.get_secret_value():
        raise CovanError("COVAN_TELEGRAM_TOKEN is empty: the bot's token, from @BotFather, goes there.")
    _Api(settings).call("deleteWebhook", {"drop_pending_updates": False})
    console.print("Telegram brings no more updates; it keeps them for a day, for who asks (polling).")


def check(settings: Settings) -> list[Finding]:
    """Return the findings about the channel that this machine can see."""
    return list(_findings(settings))


# --- checks -------------------------------------------------------------------------------------------------------


def _findings(settings: Settings) -> Iterator[Finding]:
    wrong = list(_wrong(settings))
    for message, mend in wrong:
        yield Finding(Level.FAIL, f"{NAME} settings", message, mend)
    token = settings.telegram_token.get_secret_value()
    if not TOKEN.fullmatch(token):
        return
    api = _Api(settings)
    try:
        me = api.call("getMe")
        info = api.call("getWebhookInfo")
        menu = api.call("getMyCommands")
    except TelegramError as error:
        mend = (
            "Take the token anew from @BotFather into COVAN_TELEGRAM_TOKEN, and restart."
            if error.status in (401, 404)
            else "Look whether this machine may reach the internet, and api.telegram.org."
        )
        yield Finding(Level.FAIL, f"{NAME} bot", str(error), mend)
        return
    yield Finding(Level.OK, f"{NAME} bot", f"@{me['username']}")
    if me.get("can_read_all_group_messages"):
        yield Finding(
            Level.WARN,
            f"{NAME} groups",
            "Telegram brings all that is written in the bot's groups, though it answers only what is for it",
            "In @BotFather: /setprivacy, choose the bot, Enable.",
        )
    yield from _of_menu(menu)
    yield from _of_updates(settings, info)
    if settings.telegram_updates == "webhook" and not wrong:
        yield _reached(_address(settings))


def _of_menu(menu: list[Mapping[str, str]]) -> Iterator[Finding]:
    wanted = _menu(yaml.safe_load(BOT.read_text(encoding="utf-8")), LANGUAGES[0])
    if menu == wanted:
        yield Finding(Level.OK, f"{NAME} menu", f"{len(menu)} commands")
    else:
        yield Finding(Level.WARN, f"{NAME} menu", "is not the one of this version", REGISTER)


def _of_updates(settings: Settings, info: Mapping[str, Any]) -> Iterator[Finding]:
    name, registered = f"{NAME} updates", info.get("url", "")
    if settings.telegram_updates == "polling":
        if registered:
            message = f"the bot asks for updates, but Telegram brings them to {registered} and refuses"
            yield Finding(Level.FAIL, name, message, "Run: covan channel telegram --remove")
        else:
            yield Finding(Level.OK, name, "the bot asks for them, and no address is registered")
    elif not registered:
        yield Finding(Level.FAIL, name, "no address is registered: Telegram brings nothing", REGISTER)
    elif registered != _address(settings):
        message = f"Telegram brings them to {registered}, not to {_address(settings)}"
        yield Finding(Level.FAIL, name, message, REGISTER)
    elif not set(_updates()) <= set(info.get("allowed_updates") or _updates()):
        yield Finding(
            Level.FAIL, name, "Telegram does not bring the kinds of updates that are needed", REGISTER
        )
    else:
        yield Finding(Level.OK, name, f"Telegram brings them to {registered}")
    yield from _of_delivery(info)


def _of_delivery(info: Mapping[str, Any]) -> Iterator[Finding]:
    name, pending = f"{NAME} delivery", int(info.get("pending_update_count", 0))
    error = str(info.get("last_error_message") or "")
    if error and time.time() - float(info.get("last_error_date") or 0) < RECENT_S:
        hint = (
            "The secret is not the one that was registered. " + REGISTER
            if "403" in error
            else "See whether the reverse proxy passes /webhooks/telegram on to the front door, and whether it runs."
        )
        message = f"Telegram could not bring an update within the last hour: {error}; {pending} are waiting"
        yield Finding(Level.WARN, name, message, hint)
    elif pending > MANY_PENDING:
        message = f"{pending} updates are waiting with Telegram"
        yield Finding(Level.WARN, name, message, "See whether the front door runs: .covan/logs/channels.log")
    else:
        yield Finding(Level.OK, name, f"{pending} updates are waiting with Telegram")


def _reached(address: str) -> Finding:
    """Return whether a post without the secret is turned away by our own channel, at the address Telegram knows."""
    name = f"{NAME} address"
    try:
        status = httpx.post(address, json={}, timeout=TIMEOUT_S).status_code
    except httpx.HTTPError as error:
        message = f"{address} cannot be reached from this machine: {type(error).__name__}"
        return Finding(Level.WARN, name, message, "Try it from outside of the school's network.")
    if status == httpx.codes.FORBIDDEN:
        return Finding(Level.OK, name, f"{address} is ours, and closed to who does not know the secret")
    if status == httpx.codes.NOT_FOUND:
        mend = (
            "Restart Covan after a change of .env; the reverse proxy must pass /webhooks/telegram on to the front "
            "door."
        )
        return Finding(Level.FAIL, name, f"{address} answers 404: the channel is not open there", mend)
    mend = (
        "The reverse proxy must pass /webhooks/telegram on to the front door as it comes, with its headers."
    )
    return Finding(Level.FAIL, name, f"{address} answers {status} where our channel answers 403", mend)


# --- settings -----------------------------------------------------------------------------------------------------


def _refuse_wrong(settings: Settings) -> None:
    if wrong := list(_wrong(settings)):
        raise CovanError("\n".join(f"{message}. {mend}" for message, mend in wrong))


def _wrong(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield a finding on each unusable setting."""
    token = settings.telegram_token.get_secret_value()
    if not token:
        yield (
            "COVAN_TELEGRAM_TOKEN is empty",
            "Put the bot's token, from @BotFather, into .env (docs/kenh-telegram.md).",
        )
    elif not TOKEN.fullmatch(token):
        yield (
            "COVAN_TELEGRAM_TOKEN is no token",
            "It looks like 123456789:AAE...; copy all of it from @BotFather.",
        )
    if settings.telegram_updates == "polling":
        return
    secret = settings.telegram_secret.get_secret_value()
    if not secret:
        line = f"COVAN_TELEGRAM_SECRET={secrets.token_hex(32)}"
        yield "COVAN_TELEGRAM_SECRET is empty", f"Put a line into .env, as this one made by chance: {line}"
    elif not SECRET.fullmatch(secret):
        yield (
            "COVAN_TELEGRAM_SECRET cannot be used",
            "It must be 16-256 letters, digits, _ or - (no accents, no blanks).",
        )
    url = settings.public_url.strip()
    try:
        parts = urlsplit(url)
        good = parts.scheme == "https" and "." in (parts.hostname or "") and (parts.port or 443) in PORTS
    except ValueError:
        good = False
    if not good:
        yield (
            f"COVAN_PUBLIC_URL is {url or 'empty'}",
            "It must be an https address that Telegram can reach, as https://chat.truong.edu.vn, on port 443, 80, 88 "
            "or 8443. Without one, set COVAN_TELEGRAM_UPDATES=polling.",
        )


def _address(settings: Settings) -> str:
    return settings.public_url.strip().rstrip("/") + PATH


def _updates() -> list[str]:
    kinds: list[str] = yaml.safe_load(BOT.read_text(encoding="utf-8"))["updates"]
    return kinds


def _menu(bot: Mapping[str, Any], language: str) -> list[Mapping[str, str]]:
    return [{"command": entry["name"], "description": entry[language]} for entry in bot["commands"]]


def _in(language: str) -> Mapping[str, str]:
    return {} if language == LANGUAGES[0] else {"language_code": language}


# --- calls --------------------------------------------------------------------------------------------------------


class _Api:
    def __init__(self, settings: Settings) -> None:
        self._token = settings.telegram_token.get_secret_value()
        self._url = settings.telegram_api_url.rstrip("/")
        self._client = httpx.Client(timeout=TIMEOUT_S)

    def call(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        try:
            answer = httpx.post(
                f"{self._url}/bot{self._token}/{method}", json=params or {}, timeout=TIMEOUT_S
            )
            body = answer.json()
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            # Neither the error nor what it comes from may be shown: both may hold the address.
            message = f"{self._url} cannot be reached, or does not speak the Bot API: {type(error).__name__}"
            raise TelegramError(message) from None
        if not isinstance(body, dict) or not body.get("ok"):
            described = body.get("description") if isinstance(body, dict) else None
            why = str(described or f"HTTP {answer.status_code}").replace(self._token, "<token>")
            hint = " (the token is not known to Telegram)" if answer.status_code in (401, 404) else ""
            raise TelegramError(f"Telegram refuses {method}: {why}{hint}", answer.status_code)
        return body["result"]
