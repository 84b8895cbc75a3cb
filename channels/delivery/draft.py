"""Messages before they are stored, made from Rasa's messages or by the channels themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from channels.delivery.message import BOT
from dialogue.acts import Act

HAND_OVER = "hand_over"
"""The `type` of the custom message of `action_hand_over`."""

ERASE = "erase"
"""The `type` of the custom message after the student's consent to erase everything (`actions/erasure.py`)."""


@dataclass(frozen=True)
class Draft:
    """A message without an id.

    `buttons` are pairs of title and payload: an intent for Rasa (`/…`), a command of the channels (`!…`) or a question.

    `act` is as in `channels.delivery.message.Message`.

    `answer_id` names the answer that a thumb rates; a draft without it has no thumbs.
    """

    text: str
    author: str = BOT
    by: str = ""
    act: Act | None = None
    buttons: tuple[tuple[str, str], ...] = ()
    answer_id: str = ""
    citations: tuple[Mapping[str, Any], ...] = ()
    cards: tuple[Mapping[str, Any], ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


def draft(message: Mapping[str, Any], language: str, author: str = BOT) -> Draft:
    """Make a draft of one of Rasa's messages; `facts` has its language, tier and confidence."""
    custom = message.get("custom") or {}
    answered = custom.get("type") == "answer"
    facts = {"language": language}
    if answered:
        facts.update(
            {key: custom[key] for key in ("tier", "confidence", "answer_id") if custom.get(key) is not None}
        )
    return Draft(
        text=str(message.get("text") or ""),
        author=author,
        act=message.get("act"),
        buttons=tuple((button["title"], button["payload"]) for button in message.get("buttons") or ()),
        answer_id=str(custom.get("answer_id") or "") if answered else "",
        citations=tuple(custom.get("citations") or ()),
        cards=tuple(custom.get("cards") or ()),
        facts=facts,
    )


def drafts(messages: Iterable[Mapping[str, Any]], language: str, author: str = BOT) -> tuple[Draft, ...]:
    """Make drafts of Rasa's messages, without the empty ones."""
    made = (draft(message, language, author) for message in messages)
    return tuple(each for each in made if each.text or each.cards)


def gathered(say: Sequence[Draft]) -> Sequence[Draft]:
    """Move all buttons to the last message, for a platform that shows only the buttons of the last one."""
    if len(say) < 2:
        return say
    buttons = {button[1]: button for each in reversed(say) for button in each.buttons}
    return [
        *(replace(each, buttons=()) for each in say[:-1]),
        replace(say[-1], buttons=tuple(buttons.values())),
    ]


def custom_of_type(messages: Iterable[Mapping[str, Any]], kind: str) -> Mapping[str, Any] | None:
    """Return the first custom message of this `type`; None when the turn has none."""
    customs = (message.get("custom") for message in messages)
    return next((each for each in customs if isinstance(each, dict) and each.get("type") == kind), None)
