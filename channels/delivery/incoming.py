"""A student's input as every channel hands it on, with the platform's id of the delivery."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class TextInput:
    """Text that a student typed, as the platform gave it. A leading slash does not make it a command."""

    kind: ClassVar[str] = "typed"
    text: str


@dataclass(frozen=True)
class ButtonPress:
    """A press on a button, by the button's opaque id (`Option.id`)."""

    kind: ClassVar[str] = "pressed"
    option: str


@dataclass(frozen=True)
class MenuCommand:
    """A choice from the channel's own menu: a name in `COMMANDS`; `unasked` is one that the page made by itself."""

    kind: ClassVar[str] = "asked"
    command: str
    unasked: bool = False


@dataclass(frozen=True)
class Rating:
    """A thumb under the message with this id (`Message.id`), with or without a reason in the student's words."""

    kind: ClassVar[str] = "rated"
    message: int
    good: bool
    reason: str = ""


@dataclass(frozen=True)
class UnreadableInput:
    """Input without text: a file, a sticker, a voice message. `what` is the platform's name of its kind."""

    kind: ClassVar[str] = "unreadable"
    what: str


Content = TextInput | ButtonPress | MenuCommand | Rating | UnreadableInput

COMMANDS = frozenset({"start", "help", "profile", "forget", "advisor", "back_to_bot"})
"""start: the greeting; help; profile: show the stored profile; forget: erase the student's data after a confirmation;
advisor: ask for a person; back_to_bot: end the conversation with a person."""

_KINDS: Mapping[str, type[Any]] = {
    kind.kind: kind for kind in (TextInput, ButtonPress, MenuCommand, Rating, UnreadableInput)
}


_SENDER = re.compile(r"[A-Za-z0-9_.:-]{1,100}", re.ASCII)


@dataclass(frozen=True)
class Incoming:
    """One input of one student.

    `event_id` is the platform's id of the delivery, unique within the channel; a repeated delivery is ignored.
    `sender` is the student within the channel, at most 100 of `A-Za-z0-9_.:-`. `address` is what the channel needs to
    reply (JSON): of one sender, that of the last message is used.
    """

    event_id: str
    sender: str
    content: Content
    address: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises ValueError for ids that no database can hold: an adapter drops such an event, and no other."""
        if not _SENDER.fullmatch(self.sender):
            raise ValueError("`sender` must be 1 to 100 of A-Z a-z 0-9 _ . : -")
        if not self.event_id or not (self.event_id.isascii() and self.event_id.isprintable()):
            raise ValueError("`event_id` must be printable ASCII")


def content_as_json(content: Content) -> dict[str, Any]:
    """Return the stored form of a content."""
    return {"kind": content.kind, **content.__dict__}


def content_of_json(stored: Mapping[str, Any]) -> Content:
    """Read a stored content. Raises KeyError for an unknown kind."""
    values = dict(stored)
    found: Content = _KINDS[values.pop("kind")](**values)
    return found
