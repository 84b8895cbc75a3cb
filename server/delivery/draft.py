"""What is to be said, before it has an id: from Rasa's messages, or from the channels' own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from server.delivery.message import BOT

HAND_OVER = "hand_over"
"""The `type` with which `action_hand_over` asks for a person."""


@dataclass(frozen=True)
class Draft:
    """A message: `buttons` are titles with what pressing them does (a payload of Rasa's, `!…` of ours, a question).

    `answer_id` is what a thumb is about; without it there are no thumbs.
    """

    text: str
    author: str = BOT
    by: str = ""
    buttons: tuple[tuple[str, str], ...] = ()
    answer_id: str = ""
    citations: tuple[Mapping[str, Any], ...] = ()
    cards: tuple[Mapping[str, Any], ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


def draft(message: Mapping[str, Any], language: str, author: str = BOT) -> Draft:
    """One of Rasa's messages. `facts` keeps what else is known of it: language, tier, confidence."""
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
        buttons=tuple((button["title"], button["payload"]) for button in message.get("buttons") or ()),
        answer_id=str(custom.get("answer_id") or "") if answered else "",
        citations=tuple(custom.get("citations") or ()),
        cards=tuple(custom.get("cards") or ()),
        facts=facts,
    )


def drafts(messages: Iterable[Mapping[str, Any]], language: str, author: str = BOT) -> tuple[Draft, ...]:
    """Rasa's messages, without those that say nothing."""
    made = (draft(message, language, author) for message in messages)
    return tuple(each for each in made if each.text or each.cards)


def gathered(say: Sequence[Draft]) -> Sequence[Draft]:
    """The same, with all that can be pressed under the last message: where only that one's buttons stay."""
    if len(say) < 2:
        return say
    buttons = {button[1]: button for each in reversed(say) for button in each.buttons}
    return [
        *(replace(each, buttons=()) for each in say[:-1]),
        replace(say[-1], buttons=tuple(buttons.values())),
    ]


def hand_over(messages: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """What `action_hand_over` has to tell, when it was among what a turn did."""
    return next(
        (
            message["custom"]
            for message in messages
            if isinstance(message.get("custom"), dict) and message["custom"].get("type") == HAND_OVER
        ),
        None,
    )
