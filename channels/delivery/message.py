"""A message of a conversation, independent of the platform that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dialogue.acts import Act

BOT, ADVISOR, NOTICE, STUDENT = "bot", "advisor", "notice", "student"
"""Authors: Covan's answers; a person; the channels' own notices ("an advisor has joined"); the student."""


@dataclass(frozen=True)
class Option:
    """A button: its title and an opaque id that only the student who received it can use."""

    title: str
    id: str


@dataclass(frozen=True)
class Thumbs:
    """The two buttons under an answer."""

    good: Option
    bad: Option


@dataclass(frozen=True)
class Message:
    """One message of a conversation, in the order of `id`.

    `text` is Markdown, but a student's is plain text.
    Of `facts`, `reply_to` is the id of the student's message that the bot replies to; `used_on` and
    `used` are a message and the title of its button whose words the student has typed.
    `act` is what the message does in the conversation; None for a student's.
    `citations` are as in `actions/messages.py`: `document_id`, `title`, `number`, `locator`, `quote`,
    `url`, `page`.
    `cards` are as in `rag/answer/cards.py`; `kind` is one of:

    - contact: `name`, `phone`, `email`, `address`, `map_url`, `hours`, `note` (its purpose); only `name` is required;
    - link: `title`, `url`;
    - deadline: `text`, `date` (ISO 8601).
    """

    text: str
    author: str = BOT
    options: tuple[Option, ...] = ()
    thumbs: Thumbs | None = None
    citations: tuple[Mapping[str, Any], ...] = ()
    cards: tuple[Mapping[str, Any], ...] = ()
    by: str = ""
    act: Act | None = None
    id: int = 0
    at: float = 0.0
    facts: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the message as the store and the website get it."""
        return {
            "id": self.id,
            "at": self.at,
            "author": self.author,
            "by": self.by,
            "act": self.act,
            "text": self.text,
            "options": [option.__dict__ for option in self.options],
            "thumbs": self.thumbs and {"good": self.thumbs.good.__dict__, "bad": self.thumbs.bad.__dict__},
            "citations": [dict(citation) for citation in self.citations],
            "cards": [dict(card) for card in self.cards],
            "facts": dict(self.facts),
        }

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> Message:
        """Read a stored message."""
        thumbs = stored.get("thumbs")
        return cls(
            text=stored["text"],
            author=stored["author"],
            options=tuple(Option(**option) for option in stored["options"]),
            thumbs=Thumbs(Option(**thumbs["good"]), Option(**thumbs["bad"])) if thumbs else None,
            citations=tuple(stored["citations"]),
            cards=tuple(stored["cards"]),
            by=stored["by"],
            act=stored.get("act"),
            id=stored["id"],
            at=stored["at"],
            facts=stored.get("facts") or {},
        )
