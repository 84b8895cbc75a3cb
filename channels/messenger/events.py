"""Parse the posts of Facebook's webhook into students' inputs.

A post is a batch: entries of several pages, each with events of several people. Messages, quick replies and pressed
buttons become inputs. Echoes of our own messages, receipts, reactions, edits and events of another app's turn
(`standby`) are ignored.
https://developers.facebook.com/documentation/business-messaging/messenger-platform/webhooks
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import re
from collections.abc import Mapping
from typing import Any

from channels.delivery.incoming import (
    COMMANDS,
    ButtonPress,
    Content,
    Incoming,
    MenuCommand,
    TextInput,
    UnreadableInput,
)
from channels.raised_at import raised_at
from channels.untrusted_json import object_of, parse_json, text_of

logger = logging.getLogger(__name__)

OPTION, COMMAND = "o:", "c:"
"""Prefixes of our payloads: an option's opaque id; a name of `COMMANDS`."""

MAX_BODY_BYTES = 8_000_000
"""A post has at most 1,000 events; a message of 2,000 letters with escaped marks takes about 8 kB."""

OLDEST_S = 2 * 24 * 3600.0
"""Older events are ignored, since their ids may be forgotten; Facebook repeats an event for 36 hours.
https://developers.facebook.com/docs/graph-api/webhooks/getting-started"""

_LAST_TIMESTAMP_MS = 10**15
"""Milliseconds since 1970, in the year 33658; no float, no order and no arithmetic suffers below."""

_SENDER = re.compile(r"[A-Za-z0-9_.:-]{1,100}", re.ASCII)
_EVENT_ID = re.compile(r"[!-~]{1,200}")
_KIND = re.compile(r"[a-z_]{1,50}")
_OPTION_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


class MalformedPostError(Exception):
    """The body is signed but malformed."""


def signature(body: bytes, app_secret: str) -> str:
    """Return the value of `X-Hub-Signature-256` for a body: "sha256=" and a lower-case HMAC."""
    return "sha256=" + hmac.new(app_secret.encode(), body, hashlib.sha256).hexdigest()


def is_signed(body: bytes, shown: str | None, app_secret: str) -> bool:
    """Return whether `shown` is the signature of `body`; False without a secret."""
    if not shown or not app_secret:
        return False
    return hmac.compare_digest(shown.encode("utf-8", "replace"), signature(body, app_secret).encode())


def is_token(shown: str | None, token: str) -> bool:
    """Return whether `shown` is the verify token, compared in constant time."""
    if not shown or not token:
        return False
    return hmac.compare_digest(shown.encode("utf-8", "replace"), token.encode())


def events(body: bytes, now: float) -> list[Incoming]:
    """Return the inputs in a post, in the order of their timestamps. Useless events are left out, old ones logged.

    Args:
        body: a post with a valid signature.
        now: seconds since 1970.

    Raises:
        MalformedPostError: when the body is not JSON in the webhook's format.
    """
    try:
        post = parse_json(body)
    except ValueError as error:
        raise MalformedPostError("the body is not JSON") from error
    if not isinstance(post, dict) or not isinstance(post.get("entry"), list):
        raise MalformedPostError("the body has no list `entry`")
    if post.get("object") != "page":
        return []
    found: list[tuple[float, Incoming]] = []
    for entry in filter(_is_object, post["entry"]):
        batch = entry.get("messaging")
        for event in filter(_is_object, batch if isinstance(batch, list) else ()):
            try:
                incoming, at = _incoming(event, entry.get("id")), _seconds(event)
            except Exception as error:  # whatever it is, the other events of the batch are students' messages
                logger.warning(
                    "An event of Messenger cannot be understood, and is left out: %s.", raised_at(error)
                )
                continue
            if incoming is None:
                continue
            if now - at > OLDEST_S:
                logger.warning("A Messenger event of %.0f hours ago was passed over.", (now - at) / 3600)
                continue
            found.append((at, incoming))
    return [incoming for _, incoming in sorted(found, key=lambda pair: pair[0])]


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _incoming(event: Mapping[str, Any], page: Any) -> Incoming | None:
    sender = text_of(object_of(event, "sender"), "id")
    if sender == page or not _SENDER.fullmatch(sender):
        return None
    message, postback = object_of(event, "message"), object_of(event, "postback")
    content = _of_message(message) if message else _of_postback(postback)
    if content is None:
        return None
    return Incoming(_event_id(event, message or postback, sender), sender, content)


def _event_id(event: Mapping[str, Any], what: Mapping[str, Any], sender: str) -> str:
    """Return the message's id; for older postbacks without one, a hash of sender, time and payload."""
    event_id = text_of(what, "mid")
    if _EVENT_ID.fullmatch(event_id):
        return event_id
    identity = json.dumps([sender, event.get("timestamp"), event_id, what.get("payload"), what.get("text")])
    return "sha256:" + hashlib.sha256(identity.encode()).hexdigest()


def _of_message(message: Mapping[str, Any]) -> Content | None:
    if message.get("is_echo") or message.get("is_deleted"):
        return None
    quick_reply = object_of(message, "quick_reply")
    text = text_of(message, "text")
    if quick_reply:
        return _of_payload(text_of(quick_reply, "payload"), text)
    if text:
        return TextInput(text)
    attachments = message.get("attachments")
    first = attachments[0] if isinstance(attachments, list) and attachments else None
    if isinstance(first, dict):
        sticker = "sticker_id" in object_of(first, "payload")
        kind = text_of(first, "type")
        return UnreadableInput("sticker" if sticker else kind if _KIND.fullmatch(kind) else "attachment")
    # Empty text and unsupported messages get a reply, too.
    return UnreadableInput("unsupported") if message.get("is_unsupported") else TextInput("")


def _of_postback(postback: Mapping[str, Any]) -> Content | None:
    return _of_payload(text_of(postback, "payload"), text_of(postback, "title")) if postback else None


def _of_payload(payload: str, title: str) -> Content | None:
    """Return the input of a payload; the title of a payload from another tool's menu counts as typed text."""
    if payload.startswith(OPTION) and _OPTION_ID.fullmatch(payload[len(OPTION) :]):
        return ButtonPress(payload[len(OPTION) :])
    if payload.startswith(COMMAND) and payload[len(COMMAND) :] in COMMANDS:
        return MenuCommand(payload[len(COMMAND) :])
    return TextInput(title) if title else None


def _seconds(event: Mapping[str, Any]) -> float:
    """Return the time of an event in seconds since 1970; infinity, which sorts last, without a usable one."""
    at = event.get("timestamp")
    if isinstance(at, bool) or not isinstance(at, int | float) or not abs(at) < _LAST_TIMESTAMP_MS:
        return float("inf")
    return at / 1000
