"""Buttons: what they say and what pressing them sends. `server.channels.rest` accepts these forms only."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from rag.types import Option

Button = dict[str, str]

MOST_BUTTONS = 12
"""Messenger takes 13 quick replies, and one is left for "I don't know"."""


def inform(title: str, data: Mapping[str, str]) -> Button:
    """A button that tells the engine something: a profile value, an entry or a passage to answer with, a topic."""
    return {"title": title, "payload": f"/inform{json.dumps(dict(data))}"}


def choices(options: Iterable[Option]) -> list[Button]:
    """The options of a reply."""
    return [inform(option.title, option.payload) for option in options][:MOST_BUTTONS]


def questions(wordings: Iterable[str]) -> list[Button]:
    """Questions that are asked by pressing them."""
    return [{"title": wording, "payload": wording} for wording in wordings][:MOST_BUTTONS]
