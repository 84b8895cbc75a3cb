"""Parse the posts of Zalo's webhook into students' inputs.

A post is one event. Texts, pressed buttons, files and the first contact (`follow`) become inputs. Echoes of our own
messages (`oa_send_…`), receipts, reactions, group messages and `unfollow` are ignored.
https://developers.zalo.me/docs/official-account/webhook/tong-quan
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import re
from collections.abc import Mapping
from typing import Any

from channels.delivery.incoming import ButtonPress, Content, Incoming, MenuCommand, TextInput, UnreadableInput
from channels.untrusted_json import object_of, parse_json, text_of
from channels.zalo.menu import commands

logger = logging.getLogger(__name__)

OPTION = "#o:"
"""Prefix of an option's opaque id in a button's payload, which Zalo sends as a text message; "#" marks a command:
https://developers.zalo.me/docs/official-account/webhook/tong-quan"""

MAX_BODY_BYTES = 262_144
"""An event is one message of at most 2,000 letters with the addresses of its attachments."""

OLDEST_S = 2 * 24 * 3600.0
"""Older events are ignored, since their ids may be forgotten; Zalo repeats an event for two hours."""

_SIGNED = "mac="
_FOLLOW = "follow"
_TEXTS = frozenset({"user_send_text", "user_click_button"})
_USER_SENDS = "user_send_"

_WITHOUT_WORDS = frozenset({"location", "business_card", "sticker", "audio", "voice"})
"""Kinds of messages whose `text` is not the student's: the name of a place, of a person."""

_SENDER = re.compile(r"[A-Za-z0-9_.:-]{1,100}", re.ASCII)
_EVENT_ID = re.compile(r"[!-~]{1,200}")
_KIND = re.compile(r"[a-z_]{1,40}")
_OPTION_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_MILLISECONDS = re.compile(r"[0-9]{1,15}", re.ASCII)


class MalformedPostError(Exception):
    """The body is not an event of the webhook."""


def parsed(body: bytes) -> Mapping[str, Any]:
    """Return the event of a post. Numbers stay strings: an id may exceed 2^53, and the signature has them as written.

    Raises:
        MalformedPostError: when the body is not a JSON object.
    """
    try:
        event = parse_json(body, numbers_as_text=True)
    except ValueError as error:
        raise MalformedPostError("the body is not JSON") from error
    if not isinstance(event, dict):
        raise MalformedPostError("the body is not a JSON object")
    return event


def signature(body: bytes, timestamp: str, app_id: str, oa_secret: str) -> str:
    """Return the value of `X-ZEvent-Signature` for a body: "mac=" and a lower-case SHA-256.
    https://developers.zalo.me/docs/official-account/webhook/tong-quan"""
    signed = b"".join((app_id.encode(), body, timestamp.encode("utf-8", "replace"), oa_secret.encode()))
    return _SIGNED + hashlib.sha256(signed).hexdigest()


def is_signed(body: bytes, timestamp: str, shown: str | None, app_id: str, oa_secret: str) -> bool:
    """Return whether `shown` is the signature of `body`, with or without "mac="; False without a secret."""
    if not shown or not app_id or not oa_secret:
        return False
    expected = signature(body, timestamp, app_id, oa_secret).removeprefix(_SIGNED)
    given = shown.strip().removeprefix(_SIGNED).lower()
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def timestamp_of(event: Mapping[str, Any]) -> str:
    """Return the time of an event as it was written: milliseconds since 1970, in digits."""
    return text_of(event, "timestamp")


def incoming(event: Mapping[str, Any], now: float) -> Incoming | None:
    """Return the input that an event holds; None for a useless or old one.

    Args:
        event: of a post with a valid signature.
        now: seconds since 1970.
    """
    sender, recipient = (
        text_of(object_of(event, "sender"), "id"),
        text_of(object_of(event, "recipient"), "id"),
    )
    name = text_of(event, "event_name")
    if name == _FOLLOW:
        sender = text_of(object_of(event, "follower"), "id") or sender
    content = _content(name, object_of(event, "message"))
    if content is None or sender == recipient or not _SENDER.fullmatch(sender):
        return None
    written = timestamp_of(event)
    if _MILLISECONDS.fullmatch(written) and now - int(written) / 1000 > OLDEST_S:
        logger.warning("A Zalo event of %.0f hours ago was passed over.", (now - int(written) / 1000) / 3600)
        return None
    return Incoming(_event_id(event, name, sender), sender, content)


def _event_id(event: Mapping[str, Any], name: str, sender: str) -> str:
    """Return the message's id; for events without one, a hash of what makes them one."""
    message = object_of(event, "message")
    event_id = text_of(message, "msg_id")
    if _EVENT_ID.fullmatch(event_id):
        return event_id
    identity = json.dumps([name, sender, timestamp_of(event), event_id, text_of(message, "text")])
    return "sha256:" + hashlib.sha256(identity.encode()).hexdigest()


def _content(name: str, message: Mapping[str, Any]) -> Content | None:
    if name == _FOLLOW:
        return MenuCommand("start")
    text = text_of(message, "text")
    if name in _TEXTS:
        return _of_text(text or text_of(message, "payload"))
    if not name.startswith(_USER_SENDS):
        return None
    kind = name[len(_USER_SENDS) :]
    if kind.startswith("group_"):
        return None
    if text.strip() and kind not in _WITHOUT_WORDS:
        return TextInput(text)
    return UnreadableInput(kind if _KIND.fullmatch(kind) else "attachment")


def _of_text(text: str) -> Content:
    said = text.strip()
    if said.startswith(OPTION) and _OPTION_ID.fullmatch(said[len(OPTION) :]):
        return ButtonPress(said[len(OPTION) :])
    if (command := commands().get(said.lower())) is not None:
        return MenuCommand(command)
    # Empty text gets a reply, too.
    return TextInput(text)
