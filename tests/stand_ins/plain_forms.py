"""The forms of the platforms that show plain text with buttons (`channels/*/form.py`), and messages for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import graph_api
import zalo_api

from channels.delivery.message import Message, Option, Thumbs
from channels.messenger import form as messenger_form
from channels.zalo import form as zalo_form

Json = dict[str, Any]

OFFICE: Json = {
    "kind": "contact",
    "name": "Phòng Đào tạo",
    "phone": "(0292) 3832 663 - máy lẻ 12",
    "email": "pdt@truong.edu.vn",
    "address": "Khu II, đường 3/2",
    "map_url": "https://maps.example/pdt",
    "hours": "Thứ 2-6, 7:30-17:00",
    "note": "hồ sơ, bảng điểm",
}
NOTHING_TO_TAP: Json = {
    "kind": "contact",
    "name": "Văn phòng Khoa",
    "phone": "1900 1234",
    "map_url": "geo:1,2",
}
LINK: Json = {"kind": "link", "title": "Cổng thông tin", "url": "https://x.vn"}
THUMBS = Thumbs(Option("👍", "good"), Option("👎", "bad"))


def options(*titles: str) -> tuple[Option, ...]:
    """Return options with the ids `id1`, `id2`…"""
    return tuple(Option(title, f"id{number}") for number, title in enumerate(titles, 1))


def buttons(message: Json) -> list[Json]:
    """Return the buttons of the template of a message."""
    payload = (message.get("attachment") or {}).get("payload") or {}
    return list(payload.get("buttons", ()))


@dataclass(frozen=True)
class PlainForm:
    """A platform. `most_options` is how many options it shows; `pressable` gives what sends an option's id, as its
    payload and its title; with `options_last`, all of these are on the last message."""

    calls: Callable[[Message], Sequence[Any]]
    check: Callable[[Json], None]
    pressable: Callable[[Json], Sequence[tuple[str, str]]]
    prefix: str
    most_options: int
    options_last: bool

    def rendered(self, text: str = "", **rest: Any) -> list[Json]:
        """Return the messages of the calls, each of which the platform would take."""
        return self.messages(Message(text, **rest))

    def messages(self, message: Message) -> list[Json]:
        """Return the messages that `message` becomes. Raises the stand-in's error for one that is not taken."""
        found = [dict(call["message"]) for call in self.calls(message)]
        for each in found:
            self.check(each)
        return found

    def titles(self, message: Json) -> list[str]:
        """Return the titles of the options and thumbs of one message."""
        return [title for _, title in self.pressable(message)]


def _of_messenger(message: Json) -> Sequence[tuple[str, str]]:
    return [(reply["payload"], reply["title"]) for reply in message.get("quick_replies", ())]


def _of_zalo(message: Json) -> Sequence[tuple[str, str]]:
    own = (button for button in buttons(message) if button["type"] == "oa.query.hide")
    return [(button["payload"], button["title"]) for button in own]


MESSENGER = PlainForm(
    messenger_form.calls,
    graph_api.check_message,
    _of_messenger,
    "o:",
    messenger_form.MAX_QUICK_REPLIES,
    options_last=True,
)
ZALO = PlainForm(zalo_form.calls, zalo_api.check_message, _of_zalo, "#o:", 10**6, options_last=False)
