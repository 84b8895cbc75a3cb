"""What a channel has to bring: its form of a message, and the way to send it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from server.delivery.message import Said

Call = Mapping[str, Any]
"""A request to a platform, as JSON: stored before it is made, and made again after a restart."""


@dataclass(frozen=True)
class Outgoing:
    """A stored call on its way. `heard_at` is when the student last wrote (s since 1970; 0 for never)."""

    call: Call
    sender: str
    address: Mapping[str, Any]
    author: str
    heard_at: float


class DeliveryError(Exception):
    """A call was not carried out; the message says why, for who runs the server. Never holds a token.

    DeliveryError
    ├── TryAgain   the platform is busy or broken: later, in the same order
    ├── NotNow     the platform's rules do not allow it until the student writes again: kept, and sent then
    └── Refused    it never will be carried out: kept, and shown to the advisors
    """


class TryAgain(DeliveryError):
    """`after_s` is the platform's own wish; None when it has none, for a pause that grows."""

    def __init__(self, why: str, after_s: float | None = None) -> None:
        super().__init__(why)
        self.after_s = after_s


class NotNow(DeliveryError):
    """Outside of the time in which the platform lets one write to this student."""


class Refused(DeliveryError):
    """The student has blocked the bot, the account is gone, the request is malformed."""


class Platform(Protocol):
    """One channel's side of a conversation."""

    @property
    def name(self) -> str:
        """The channel's name, in addresses and in Rasa's sender ids: "telegram"."""

    @property
    def options_last(self) -> bool:
        """Whether a message's options are gone once another message follows."""

    def render(self, message: Said, address: Mapping[str, Any]) -> Sequence[Call]:
        """The calls that say `message`, in order; long text is several. Pure: it may be asked again after a restart."""

    async def send(self, outgoing: Outgoing) -> None:
        """Carry out one call. Raises a DeliveryError."""

    async def typing(self, sender: str, address: Mapping[str, Any]) -> None:
        """Show that a reply is being written. May raise anything; nobody waits for it."""
