"""The question whether all that is stored of a student shall be erased, and the answer to it.

`channels/delivery/turn_handler.py` erases: the tracker store cannot erase a conversation in the middle of its turn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict
from rasa_sdk import Tracker

from actions.base import Message
from school.catalog import Catalog
from vietnamese.text import fold, words

ERASE_BUTTON = "!forget_all"
"""The payload of the button that consents; `utter_forget_all_confirm` in domain.yml has it."""

MESSAGE: Message = {"json_message": {"type": "erase"}}
"""Tells the channels that the student has consented."""

WORDS_OF_A_REFUSAL = 5

_WORDS = Path(__file__).with_name("erasure.yml")


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


def consents(typed: str) -> bool:
    """Return whether a message that answers the question clearly consents."""
    said = {fold(word) for word in words(typed)}
    return bool(said & _words().consent) and said <= _words().consent | _words().beside


def refuses(typed: str) -> bool:
    """Return whether a short message that answers the question refuses."""
    said = words(typed)
    return len(said) <= WORDS_OF_A_REFUSAL and any(fold(word) in _words().refusal for word in said)


class _Words(BaseModel):
    """Content of erasure.yml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    consent: frozenset[str]
    beside: frozenset[str]
    refusal: frozenset[str]


@lru_cache(maxsize=1)
def _words() -> _Words:
    return _Words.model_validate(yaml.safe_load(_WORDS.read_text(encoding="utf-8")))


def dimensions_named(typed: str, catalog: Catalog) -> Collection[str]:
    """Return the dimensions of the profile that a message calls by name: "quên ngành của mình đi"."""
    said = f" {fold(' '.join(words(typed)))} "
    return [
        dimension.id
        for dimension in catalog.dimensions
        if any(f" {fold(name)} " in said for name in (dimension.called("vi"), dimension.called("en")))
    ]
