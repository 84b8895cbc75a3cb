"""The last clarifying question, so that the bot never asks the same one twice in a row.

The slot `asked_back` stores it; the profile form counts its own attempts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rasa_sdk import Tracker

from rag.types import Option, Reply

SLOT = "asked_back"
UNANSWERED = ("interrupted", "abandoned")
"""The stages in which the profile form has ended without the value."""


@dataclass(frozen=True, slots=True)
class ClarificationState:
    """The clarifying question of the last turn.

    `offered` holds the offered options, `unnamed` the referents that `question` left open, `asked_for` the dimension or
    the calculator's input that the form asked for, and `subject` the entry or passage that the form asked for it for.
    """

    question: str = ""
    offered: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    asked_for: str | None = None
    subject: str | None = None

    @classmethod
    def from_tracker(cls, tracker: Tracker) -> ClarificationState:
        """Return the state in the tracker's slot; empty when the last turn asked nothing."""
        kept = tracker.get_slot(SLOT) or {}
        lists = {name: tuple(kept.get(name) or ()) for name in ("offered", "unnamed")}
        return cls(**{**kept, **lists})

    def as_slot(self) -> Mapping[str, Any] | None:
        """Return the JSON value of the slot; None for an empty state."""
        kept = {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items() if v}
        return kept or None

    def has_asked(self, reply: Reply) -> bool:
        """Return whether `reply` repeats the last choice: a shared unnamed referent, or mostly the same options."""
        if set(reply.decision.unnamed) & set(self.unnamed):
            return True
        names = option_names(reply.options)
        return 2 * len(set(names) & set(self.offered)) > len(names)

    def has_asked_for(self, value: str, reply: Reply, tracker: Tracker) -> bool:
        """Return whether the student has just left a question for `value`, a dimension or an input, unanswered.

        After an abandoned form no question asks for it again; after an interrupted form only a question with another
        subject does.
        """
        stage = tracker.get_slot("profile_stage")
        if stage not in UNANSWERED or value != self.asked_for:
            return False
        return stage == "abandoned" or self.subject == reply.waits_for


def option_names(options: Iterable[Option]) -> tuple[str, ...]:
    """Return `options` as "key:value" strings for a slot."""
    return tuple(f"{key}:{value}" for option in options for key, value in option.payload.items())
