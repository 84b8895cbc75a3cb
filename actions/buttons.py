"""Buttons: what they say and what pressing them sends. `server.channels.rest` accepts these forms only."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from rag.knowledge.catalog import Catalog
from rag.types import Dimension, Option

Button = dict[str, str]

MOST_BUTTONS = 12
"""Messenger takes 13 quick replies, and one is left for "I don't know"."""


def inform(title: str, data: Mapping[str, str]) -> Button:
    """A button that tells the engine something: a profile value, an entry to answer, a topic to open."""
    return {"title": title, "payload": f"/inform{json.dumps(dict(data))}"}


def choices(options: Iterable[Option]) -> list[Button]:
    """The options of a reply."""
    return [inform(option.title, option.payload) for option in options][:MOST_BUTTONS]


def questions(wordings: Iterable[str]) -> list[Button]:
    """Questions that are asked by pressing them."""
    return [{"title": wording, "payload": wording} for wording in wordings][:MOST_BUTTONS]


def profile_values(dimension: Dimension, options: Iterable[Option], catalog: Catalog) -> list[Button]:
    """What to offer when asking for `dimension`.

    The engine may offer a range of cohorts by its first one ("Khóa 47–49"). The profile is kept for later
    questions, to which the exact cohort may matter, so each cohort gets its own button, newest first. Without
    options the catalogue's values are offered, unless they are too many to choose from.
    """
    offered = [(option.payload[dimension], option.title) for option in options if dimension in option.payload]
    if not offered or any(title != catalog.name(dimension, value) for value, title in offered):
        if dimension == "cohort":
            newest = sorted(catalog.ids(dimension), key=lambda value: (len(value), value), reverse=True)
            offered = [(value, catalog.name(dimension, value)) for value in newest[:MOST_BUTTONS]]
        elif not offered and len(catalog.ids(dimension)) <= MOST_BUTTONS:
            offered = [(value, catalog.name(dimension, value)) for value in catalog.ids(dimension)]
    return [inform(title, {dimension: value}) for value, title in offered[:MOST_BUTTONS]]
