"""What reaches a channel, whichever it is: who did what, under the platform's own id of the delivery."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Union


@dataclass(frozen=True)
class Typed:
    """What a student typed, as the platform gave it. Never a command, whatever it begins with."""

    kind: ClassVar[str] = "typed"
    text: str


@dataclass(frozen=True)
class Pressed:
    """A button that this student was sent, by its opaque id (`Option.id`)."""

    kind: ClassVar[str] = "pressed"
    option: str


@dataclass(frozen=True)
class Asked:
    """Something of the channel's own menu: a name of `COMMANDS`."""

    kind: ClassVar[str] = "asked"
    command: str


@dataclass(frozen=True)
class Rated:
    """A thumb under the message with this id (`Said.id`), with or without a reason in the student's words."""

    kind: ClassVar[str] = "rated"
    message: int
    good: bool
    reason: str = ""


@dataclass(frozen=True)
class Unreadable:
    """A file, a sticker, a voice message: anything that is no text. `what` is the platform's word for it."""

    kind: ClassVar[str] = "unreadable"
    what: str


Content = Union[Typed, Pressed, Asked, Rated, Unreadable]

COMMANDS = frozenset({"start", "help", "profile", "forget", "advisor", "back_to_bot"})
"""start: the greeting; help; profile: what is known of the student; forget: erase it all, after asking whether to;
advisor: a person; back_to_bot: end the talk with a person."""

_KINDS: Mapping[str, type[Any]] = {kind.kind: kind for kind in (Typed, Pressed, Asked, Rated, Unreadable)}


@dataclass(frozen=True)
class Incoming:
    """One thing that one student did.

    `event_id` is the platform's id of the delivery, unique within the channel: a second delivery of it is ignored.
    `sender` is the student within the channel, at most 100 of `A-Za-z0-9_.:-`. `address` is what the channel needs to
    reply (JSON): of one sender, that of the last message is used.
    """

    event_id: str
    sender: str
    content: Content
    address: Mapping[str, Any] = field(default_factory=dict)


def content_as_json(content: Content) -> dict[str, Any]:
    """A content as it is stored."""
    return {"kind": content.kind, **content.__dict__}


def content_of_json(stored: Mapping[str, Any]) -> Content:
    """The content that was stored. Raises KeyError when it is of no kind known here."""
    values = dict(stored)
    found: Content = _KINDS[values.pop("kind")](**values)
    return found
