"""The question whether all that is stored of a student shall be erased.

`channels/delivery/turn_handler.py` erases: the tracker store cannot erase a conversation in the middle of its turn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from rasa_sdk import Tracker

from actions.base import Message
from school.catalog import Catalog
from vietnamese.text import fold, words

ERASE_BUTTON = "!forget_all"
"""The payload of the button that consents; `utter_forget_all_confirm` in domain.yml has it."""

MESSAGE: Message = {"json_message": {"type": "erase"}}
"""Tells the channels that the student has consented."""


def is_asked(tracker: Tracker) -> bool:
    """Return whether the question stands right before the latest message.

    A turn that broke off after the consent is run again, so that the consent counts as the question, too.
    """
    before = list(tracker.events)
    while before and before.pop().get("event") != "user":
        pass
    for event in reversed(before):
        if event.get("event") == "user":
            return False
        if event.get("event") == "bot" and _asks(event.get("data") or {}):
            return True
    return False


def _asks(data: Mapping[str, Any]) -> bool:
    pressed = {button.get("payload") for button in data.get("buttons") or ()}
    return ERASE_BUTTON in pressed or data.get("custom") == MESSAGE["json_message"]


def dimensions_named(typed: str, catalog: Catalog) -> Collection[str]:
    """Return the dimensions of the profile that a message calls by name: "quên ngành của mình đi"."""
    said = f" {fold(' '.join(words(typed)))} "
    return [
        dimension.id
        for dimension in catalog.dimensions
        if any(f" {fold(name)} " in said for name in (dimension.called("vi"), dimension.called("en")))
    ]
