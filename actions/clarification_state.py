"""What the student was asked back last, so that the same is never asked twice in a row.

Kept in the slot `asked_back`; the profile form has a memory of its own for how often it asked in one go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rasa_sdk import Tracker

from rag.types import FaqEntry, Option, Passage, Reply

SLOT = "asked_back"
UNANSWERED = ("interrupted", "abandoned")
"""The stages in which the profile form has ended without what it asked for."""


@dataclass(frozen=True, slots=True)
class AskedBack:
    """`offered` are the options that were offered, `unnamed` what `question` had left open.

    `dimension` is what the form was started for, and `subject` what could then have been answered.
    """

    question: str = ""
    offered: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    dimension: str | None = None
    subject: str | None = None

    @classmethod
    def last(cls, tracker: Tracker) -> AskedBack:
        """From the tracker; empty when the last turn asked nothing back."""
        kept = tracker.get_slot(SLOT) or {}
        return cls(
            question=str(kept.get("question") or ""),
            offered=tuple(map(str, kept.get("offered") or ())),
            unnamed=tuple(map(str, kept.get("unnamed") or ())),
            dimension=kept.get("dimension"),
            subject=kept.get("subject"),
        )

    def as_slot(self) -> Mapping[str, Any] | None:
        """The slot's value: JSON, and None for nothing."""
        kept = {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items() if v}
        return kept or None

    def has_asked(self, reply: Reply) -> bool:
        """Whether this choice is no new one: what is unnamed is, or most options were offered and not chosen."""
        if set(reply.decision.unnamed) & set(self.unnamed):
            return True
        names = option_names(reply.options)
        return 2 * len(set(names) & set(self.offered)) > len(names)

    def has_asked_for(self, dimension: str, reply: Reply, tracker: Tracker) -> bool:
        """Whether the student has just been asked for `dimension` and has not said it.

        One who does not know it is asked for it by no other question either; one who asked something else in
        between is asked again unless it is for the same answer.
        """
        stage = tracker.get_slot("profile_stage")
        if stage not in UNANSWERED or dimension != self.dimension:
            return False
        return stage == "abandoned" or self.subject == subject(reply)


def option_names(options: Iterable[Option]) -> tuple[str, ...]:
    """Options as a slot keeps them."""
    return tuple(f"{key}:{value}" for option in options for key, value in option.payload.items())


def subject(reply: Reply) -> str | None:
    """What a reply that asks for the profile could answer, for whatever student, by whatever words it was asked."""
    best = next((c.item for c in reply.trace.candidates if c.source == reply.source), None)
    match best:
        case FaqEntry():
            return best.family
        case Passage():
            return best.parent or best.id
    return None
