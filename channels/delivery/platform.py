"""The interface of a channel: render a message as calls to its platform, and carry out a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from channels.delivery.message import Message

Call = Mapping[str, Any]
"""A request to a platform, as JSON. It is stored before it is sent, so that a restart can send it."""


@dataclass(frozen=True)
class Outgoing:
    """A stored call to be sent. `heard_at` is the time of the student's last message (s since 1970; 0 for never)."""

    call: Call
    sender: str
    address: Mapping[str, Any]
    author: str
    heard_at: float


@dataclass(frozen=True)
class ReplyWindow:
    """How long after a student's last message an advisor may write, and how long at no charge, in seconds.

    `free_s` is None where nothing is charged.
    """

    open_s: float
    free_s: float | None = None


class DeliveryError(Exception):
    """A call failed; the message gives the operator the reason and never holds a token.

    DeliveryError
    ├── TryAgainError        the platform is busy or broken: sent later, in the same order
    ├── OutsideWindowError   the platform allows it after the student's next message: kept until then
    └── RefusedError         the call can never succeed: kept, and shown to the advisors
    """


class TryAgainError(DeliveryError):
    """`after_s` is the pause the platform asks for; None for a growing pause."""

    def __init__(self, why: str, after_s: float | None = None) -> None:
        super().__init__(why)
        self.after_s = after_s


class OutsideWindowError(DeliveryError):
    """The platform's messaging window for this student is closed."""


class RefusedError(DeliveryError):
    """The student has blocked the bot, the account is gone, or the request is malformed."""


class Platform(Protocol):
    """One channel's side of a conversation."""

    @property
    def name(self) -> str:
        """Return the channel's name, in addresses and in Rasa's sender ids: "telegram"."""

    @property
    def options_last(self) -> bool:
        """Return whether the platform removes a message's buttons when another message follows."""

    @property
    def reply_window(self) -> ReplyWindow | None:
        """Return the platform's limits for advisors' messages; None without any."""

    def render(self, message: Message, address: Mapping[str, Any]) -> Sequence[Call]:
        """Return the calls that send `message`, in order; long text takes several. Pure."""

    def preview(self, message: Message) -> Sequence[str]:
        """Return what an advisor's `message` looks like: the plain text of each message the student gets. Pure."""

    async def send(self, outgoing: Outgoing) -> None:
        """Carry out one call. Raises a DeliveryError."""

    async def typing(self, sender: str, address: Mapping[str, Any]) -> None:
        """Show that a reply is being written. May raise anything; the error is logged."""
