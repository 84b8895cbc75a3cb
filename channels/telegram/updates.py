"""Parse Telegram's updates into students' inputs: https://core.telegram.org/bots/api#update.

In a private chat every message is an input; in a group only a message that names the bot, replies to it or is one of
its commands. Each member of a group is a student of their own.

Updates are read as JSON: python-telegram-bot makes objects with some two hundred fields of each, which took a third of
the time until a message was acknowledged, and does not look at their types.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from telegram.constants import ChatType, MessageEntityType

from channels.delivery.incoming import ButtonPress, Content, Incoming, MenuCommand, TextInput, UnreadableInput
from channels.untrusted_json import object_of, text_of

OPTION = "o:"
"""Prefix of the data of our buttons, before `Option.id`."""

BOT = Path(__file__).with_name("bot.yml")

ATTACHMENTS = (
    *(
        "animation",
        "audio",
        "checklist",
        "contact",
        "dice",
        "document",
        "game",
        "paid_media",
        "photo",
        "poll",
    ),
    *("sticker", "story", "venue", "location", "video", "video_note", "voice"),
)
"""Fields of a message without text. The first one present gives the name: a venue also has a location, an animation a
document."""

_COMMAND = re.compile(r"/(?P<name>[A-Za-z0-9_]{1,32})(?:@(?P<bot>\w+))?(?!\S)")
_OPTION_ID = re.compile(r"[A-Za-z0-9_-]{1,62}")
_NO_OPTION = "unknown"
"""An id without an option: a button of an earlier bot of this name gets the reply of an expired button."""


class NameUnknownError(Exception):
    """The bot's name is not known yet, so a group's message cannot be checked for it."""


@dataclass(frozen=True)
class Ourselves:
    """The bot's id, which its token contains, and its user name, None until Telegram has returned it."""

    id: int
    username: str | None = None

    @classmethod
    def of_token(cls, token: str) -> Ourselves:
        """Return the bot of a token. Raises ValueError for a malformed token."""
        return cls(int(token.partition(":")[0]))


@dataclass(frozen=True)
class UpdateContent:
    """The inputs of an update, the callback query to acknowledge (`query`) and its short `notice`."""

    incoming: tuple[Incoming, ...] = ()
    query: str = ""
    notice: str = ""


NOTHING = UpdateContent()


def is_update(value: Any) -> bool:
    """Return whether a JSON value is an update with a usable id."""
    number = value.get("update_id") if isinstance(value, dict) else None
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 2**63


Json = Mapping[str, Any]


def read_update(update: Json, ourselves: Ourselves) -> UpdateContent:
    """Parse an update.

    Raises:
        NameUnknownError: for a group's message while the bot's name is unknown.
    """
    if query := object_of(update, "callback_query"):
        return _pressed(update["update_id"], query)
    if message := object_of(update, "message"):
        return UpdateContent(_said(update["update_id"], message, ourselves))
    return NOTHING


# --- messages ---------------------------------------------------------------------------------------------------------


def _said(update_id: int, message: Json, ourselves: Ourselves) -> tuple[Incoming, ...]:
    user, chat = object_of(message, "from"), object_of(message, "chat")
    # Bots and anonymous administrators have no conversation.
    if not user or user.get("is_bot"):
        return ()
    sender = _sender(chat, user.get("id"))
    if sender is None:
        return ()
    typed = isinstance(message.get("text"), str)
    text = text_of(message, "text" if typed else "caption")
    entities = message.get("entities" if typed else "caption_entities") or ()
    in_group = chat["type"] != ChatType.PRIVATE
    if in_group:
        if ourselves.username is None:
            raise NameUnknownError("Telegram has not told the bot's name yet.")
        addressed, text = _addressed(message, text, entities, ourselves)
        if not addressed:
            return ()
    address = _address(message, in_group)
    found: list[Incoming] = []
    if what := next((name for name in ATTACHMENTS if message.get(name)), None):
        # An album is one input, although each picture is a message.
        album = message.get("media_group_id")
        event = (
            f"album:{chat['id']}:{album}"
            if isinstance(album, str) and album.isalnum()
            else f"update:{update_id}:file"
        )
        found.append(Incoming(event, sender, UnreadableInput(what), address))
    content = _content(text, ourselves)
    # A caption may hold a question: "học phí kỳ này bao nhiêu" under a picture.
    if content is not None:
        found.append(Incoming(f"update:{update_id}", sender, content, address))
    elif in_group and not found and typed:
        # The bot's name alone ("@covan_bot ?") asks for help.
        found.append(Incoming(f"update:{update_id}", sender, MenuCommand("help"), address))
    return tuple(found)


def _content(text: str, ourselves: Ourselves) -> Content | None:
    if not text.strip():
        return None
    command = _COMMAND.match(text)
    if command and _is_ours(command["bot"], ourselves) and (does := commands().get(command["name"].lower())):
        return MenuCommand(does)
    return TextInput(text)


def _addressed(message: Json, text: str, entities: Sequence[Json], ourselves: Ourselves) -> tuple[bool, str]:
    """Return whether a group's message addresses the bot, and its text without the bot's name."""
    command = _COMMAND.match(text)
    if command:
        if command["bot"]:
            return _is_ours(command["bot"], ourselves), text
        if command["name"].lower() in commands():
            return True, text
    # Telegram counts in UTF-16 code units.
    units = text.encode("utf-16-le")
    ours = [entity for entity in entities if _names_us(units, entity, ourselves)]
    for entity in sorted(ours, key=lambda entity: int(entity["offset"]), reverse=True):
        start, end = _bytes_of(entity)
        units = units[:start] + units[end:]
    replies = object_of(object_of(message, "reply_to_message"), "from").get("id") == ourselves.id
    return bool(ours) or replies, units.decode("utf-16-le").strip(" ,:\n") if ours else text


def _names_us(units: bytes, entity: Json, ourselves: Ourselves) -> bool:
    if entity["type"] == MessageEntityType.TEXT_MENTION:
        return object_of(entity, "user").get("id") == ourselves.id
    if entity["type"] != MessageEntityType.MENTION:
        return False
    start, end = _bytes_of(entity)
    return _is_ours(units[start:end].decode("utf-16-le").lstrip("@"), ourselves)


def _bytes_of(entity: Json) -> tuple[int, int]:
    """Return start and end of an entity in a text in UTF-16."""
    start = 2 * int(entity["offset"])
    return start, start + 2 * int(entity["length"])


def _is_ours(username: str | None, ourselves: Ourselves) -> bool:
    return username is None or (ourselves.username or "").lower() == username.lower()


# --- buttons ----------------------------------------------------------------------------------------------------------


def _pressed(update_id: int, query: Json) -> UpdateContent:
    query_id = text_of(query, "id")
    if not query_id.isascii():
        return NOTHING
    message = object_of(query, "message")
    chat = object_of(message, "chat")
    if (sender := _sender(chat, object_of(query, "from").get("id"))) is None:
        return UpdateContent(query=query_id)
    data = text_of(query, "data")
    option = data[len(OPTION) :] if data.startswith(OPTION) else ""
    content = ButtonPress(option if _OPTION_ID.fullmatch(option) else _NO_OPTION)
    # A message too old for Telegram lacks its thread.
    address = (
        _address(message, chat["type"] != ChatType.PRIVATE) if message.get("date") else {"chat": chat["id"]}
    )
    return UpdateContent(
        (Incoming(f"update:{update_id}", sender, content, address),),
        query_id,
        _title(message, data)[:MAX_NOTICE],
    )


MAX_NOTICE = 200
"""https://core.telegram.org/bots/api#answercallbackquery"""


def _title(message: Json, data: str) -> str:
    """Return the title of the button with this data; the notice shows it, since a press leaves no trace in the chat."""
    rows = object_of(message, "reply_markup").get("inline_keyboard") or ()
    titles = (text_of(each, "text") for row in rows for each in row if each.get("callback_data") == data)
    return next(titles, "") if data else ""


# --- sender and address -----------------------------------------------------------------------------------------------


def _sender(chat: Json, user: Any) -> str | None:
    if not _is_id(chat.get("id")) or not _is_id(user):
        return None
    if chat["type"] == ChatType.PRIVATE:
        return str(user)
    return f"{chat['id']}.{user}" if chat["type"] in (ChatType.GROUP, ChatType.SUPERGROUP) else None


def _is_id(value: Any) -> bool:
    """Return whether a value is an id: https://core.telegram.org/bots/api#chat, 52 significant bits at most."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**52


def _address(message: Json, in_group: bool) -> Mapping[str, Any]:
    address: dict[str, Any] = {"chat": message["chat"]["id"]}
    if in_group and _is_id(message.get("message_id")):
        address["reply_to"] = message["message_id"]
    if message.get("is_topic_message") and _is_id(message.get("message_thread_id")):
        address["thread"] = message["message_thread_id"]
    return address


def wanted() -> Sequence[str]:
    """Return the kinds of updates to request from Telegram."""
    kinds: Sequence[str] = _bot()["updates"]
    return kinds


@lru_cache(maxsize=1)
def commands() -> Mapping[str, str]:
    """Return the menu commands by name and alias."""
    return {
        name: entry["does"]
        for entry in _bot()["commands"]
        for name in (entry["name"], *entry.get("aliases", ()))
    }


@lru_cache(maxsize=1)
def _bot() -> Mapping[str, Any]:
    read: Mapping[str, Any] = yaml.safe_load(BOT.read_text(encoding="utf-8"))
    return read
