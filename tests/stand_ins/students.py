"""A student on each channel, with the same few things to do and to see."""

from __future__ import annotations

import itertools
import re
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import httpx
from graph_api import GraphApi
from telegram_api import SECRET, TelegramApi
from zalo_api import ZaloApi

from covan.domain import read_domain

ENOUGH_S = 90.0
LOOK_EVERY_S = 0.7

_ADVISOR = re.compile(r"\A[^\n]+ \(cố vấn\):\n")

Found = TypeVar("Found")
_numbers = itertools.count(700_000)


def eventually(look: Callable[[], Found], what: str = "something") -> Found:
    """What `look` finds, as soon as it finds something. Raises AssertionError when it does not in time."""
    until = time.monotonic() + ENOUGH_S
    while time.monotonic() < until:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come in time")


class Chat(Protocol):
    """One student's conversation."""

    channel: str
    sender: str

    def write(self, text: str) -> None:
        """Sends a message."""

    def press(self, title: str) -> None:
        """Presses the last button with this title."""

    def heard(self) -> Sequence[str]:
        """The texts that have reached the student, in order."""


class OnTelegram:
    """By the Bot API's stand-in."""

    channel = "telegram"

    def __init__(self, rasa: str, api: TelegramApi) -> None:
        self._url, self._api = f"{rasa}/webhooks/telegram/webhook", api
        self._id = next(_numbers)
        self.sender = str(self._id)

    def write(self, text: str) -> None:
        assert self._api.post(self._api.writes(self._id, text), self._url, SECRET).is_success

    def press(self, title: str) -> None:
        assert self._api.post(self._api.presses(self._id, title), self._url, SECRET).is_success

    def heard(self) -> Sequence[str]:
        return [call.text for call in self._api.messages(self._id)]


class OnMessenger:
    """By the Graph API's stand-in."""

    channel = "messenger"

    def __init__(self, rasa: str, api: GraphApi) -> None:
        self._url, self._api = f"{rasa}/webhooks/messenger/webhook", api
        self.sender = str(next(_numbers))

    def write(self, text: str) -> None:
        assert self._api.post(self._url, self._api.message(self.sender, text)).is_success

    def press(self, title: str) -> None:
        for message in reversed(self._api.seen_by(self.sender)):
            for reply in message.get("quick_replies", ()):
                if reply["title"] == title:
                    assert self._api.post(self._url, self._api.quick_reply(self.sender, reply)).is_success
                    return
            for button in _buttons(message):
                if button["title"] == title and button["type"] == "postback":
                    pressed = self._api.postback(self.sender, button["payload"], title)
                    assert self._api.post(self._url, pressed).is_success
                    return
        raise LookupError(f"no button {title!r} for {self.sender}")

    def heard(self) -> Sequence[str]:
        return [_text(message) for message in self._api.seen_by(self.sender)]


class OnZalo:
    """By the stand-in of Zalo's API."""

    channel = "zalo"

    def __init__(self, rasa: str, api: ZaloApi) -> None:
        self._url, self._api = f"{rasa}/webhooks/zalo/webhook", api
        self.sender = str(next(_numbers))

    def write(self, text: str) -> None:
        assert self._api.post(self._url, self._api.message(self.sender, text)).is_success

    def press(self, title: str) -> None:
        for message in reversed(self._api.seen_by(self.sender)):
            for button in _buttons(message):
                if button["title"] == title and button["type"] == "oa.query.hide":
                    assert self._api.post(self._url, self._api.presses(self.sender, button)).is_success
                    return
        raise LookupError(f"no button {title!r} for {self.sender}")

    def heard(self) -> Sequence[str]:
        return [str(message["text"]) for message in self._api.seen_by(self.sender)]


class OnWebsite:
    """By the website's own API. A student of whom nothing else is known sees the conversation as it is kept."""

    channel = "web"

    def __init__(self, rasa: str) -> None:
        self._client = httpx.Client(base_url=f"{rasa}/webhooks/web", trust_env=False, timeout=30)
        token = self._client.post("/session", json={}).raise_for_status().json()["token"]
        self._client.headers["Authorization"] = f"Bearer {token}"
        self.sender = ""
        self._seen: list[dict[str, Any]] = []
        self._seen_at = 0.0

    def write(self, text: str) -> None:
        self._post({"text": text})

    def press(self, title: str) -> None:
        options = [option for message in self._messages() for option in message["options"]]
        chosen = [option["id"] for option in options if option["title"] == title]
        if not chosen:
            raise LookupError(f"no button {title!r}")
        self._post({"option": chosen[-1]})

    def heard(self) -> Sequence[str]:
        return [str(each["text"]) for each in self._messages() if each["author"] != "student"]

    def _post(self, body: dict[str, str]) -> None:
        self._client.post("/messages", json={"id": str(uuid.uuid4()), **body}).raise_for_status()

    def _messages(self) -> list[dict[str, Any]]:
        # A page would be told; whoever looks again and again may only do so two times a second.
        if time.monotonic() - self._seen_at > LOOK_EVERY_S:
            self._seen = self._client.get("/messages").raise_for_status().json()["messages"]
            self._seen_at = time.monotonic()
        return self._seen


def hears(chat: Chat, name: str, after: int = 0) -> int:
    """Waits until a response of the domain has come, not before the message number `after`; the number after it."""

    def look() -> int:
        names = responses(chat.heard()[after:])
        return after + names.index(name) + 1 if name in names else 0

    try:
        return eventually(look)
    except AssertionError as error:
        raise AssertionError(f"{name} did not come on {chat.channel}: {chat.heard()[after:]}") from error


def responses(texts: Iterable[str]) -> list[str]:
    """The names of the domain's responses that these are, and the texts that are none.

    Of an advisor's, without the line that says who it is from, which some channels need.
    """
    return [
        next((name for name, form in _forms() if form.fullmatch(text)), _ADVISOR.sub("", text))
        for text in texts
    ]


@lru_cache(maxsize=1)
def _forms() -> Sequence[tuple[str, re.Pattern[str]]]:
    """Those of the channels' own, with anything for a value that stands in them."""
    return [
        (name, re.compile(re.sub(r"\\\{\w+\\\}", ".*", re.escape(variation["text"].strip())), re.DOTALL))
        for name, variations in read_domain()["responses"].items()
        for variation in variations
        if variation.get("text", "").strip("{}\n ").count(" ") > 2
    ]


def _text(message: dict[str, Any]) -> str:
    if "text" in message:
        return str(message["text"])
    payload = message["attachment"]["payload"]
    return str(payload.get("text") or payload["elements"][0]["title"])


def _buttons(message: dict[str, Any]) -> list[dict[str, Any]]:
    payload = (message.get("attachment") or {}).get("payload") or {}
    return [
        *payload.get("buttons", ()),
        *(button for element in payload.get("elements", ()) for button in element.get("buttons", ())),
    ]
