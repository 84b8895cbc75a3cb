"""Buttons as title and payload. `server.internal_channel` accepts these payload forms only."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from rag.types import Option

Button = dict[str, str]

MOST_BUTTONS = 12
"""Messenger takes 13 quick replies; one is reserved for "I don't know"."""


def inform(title: str, data: Mapping[str, str]) -> Button:
    """Return a button that sends `data`: a profile value, an FAQ entry, a passage or a topic."""
    return {"title": title, "payload": f"/inform{json.dumps(dict(data))}"}


def choices(options: Iterable[Option]) -> list[Button]:
    """Return a button for each option of a reply."""
    return [inform(option.title, option.payload) for option in options][:MOST_BUTTONS]


def questions(wordings: Iterable[str]) -> list[Button]:
    """Return a button for each question; pressing it asks the question."""
    return [{"title": wording, "payload": wording} for wording in wordings][:MOST_BUTTONS]
