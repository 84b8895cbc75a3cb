"""What is said to a student, before it takes a platform's form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Text, Tuple

BOT, ADVISOR, NOTICE, STUDENT = "bot", "advisor", "notice", "student"
"""Who speaks: Covan; a person; the house itself ("an advisor has joined"); the student."""


@dataclass(frozen=True)
class Option:
    """A button: its title, and an opaque id that is worth something only to the student who got it."""

    title: Text
    id: Text


@dataclass(frozen=True)
class Thumbs:
    """The two buttons under an answer."""

    good: Option
    bad: Option


@dataclass(frozen=True)
class Said:
    """One message of a conversation, in the order of `id`.

    `text` is Markdown for the bot (of our own responses, curated answers and quotations), plain text for an advisor and
    a student. `citations` are as in `actions/messages.py`: `document_id`, `title`, `number`, `locator`, `quote`, `url`.
    `cards` are as in `rag/answer/cards.py`, told apart by `kind`:

    - contact: `name`, `phone`, `email`, `address`, `map_url`, `hours`, `note` (what it is for); each but the name may be empty;
    - link: `title`, `url`;
    - deadline: `text`, `date` (ISO 8601).
    """

    text: Text
    author: Text = BOT
    options: Tuple[Option, ...] = ()
    thumbs: Optional[Thumbs] = None
    citations: Tuple[Mapping[Text, Any], ...] = ()
    cards: Tuple[Mapping[Text, Any], ...] = ()
    by: Text = ""
    id: int = 0
    at: float = 0.0
    facts: Mapping[Text, Any] = field(default_factory=dict)

    def as_json(self) -> Dict[Text, Any]:
        """As it is stored, and as the website gets it."""
        return {
            "id": self.id,
            "at": self.at,
            "author": self.author,
            "by": self.by,
            "text": self.text,
            "options": [option.__dict__ for option in self.options],
            "thumbs": self.thumbs and {"good": self.thumbs.good.__dict__, "bad": self.thumbs.bad.__dict__},
            "citations": [dict(citation) for citation in self.citations],
            "cards": [dict(card) for card in self.cards],
            "facts": dict(self.facts),
        }

    @classmethod
    def of_json(cls, stored: Mapping[Text, Any]) -> Said:
        """The message that was stored."""
        thumbs = stored.get("thumbs")
        return cls(
            text=stored["text"],
            author=stored["author"],
            options=tuple(Option(**option) for option in stored["options"]),
            thumbs=Thumbs(Option(**thumbs["good"]), Option(**thumbs["bad"])) if thumbs else None,
            citations=tuple(stored["citations"]),
            cards=tuple(stored["cards"]),
            by=stored["by"],
            id=stored["id"],
            at=stored["at"],
            facts=stored.get("facts") or {},
        )
