"""What a Rasa tracker says, in the engine's words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rasa_sdk import Tracker
from rasa_sdk.events import SlotSet

from school.dimensions import DIMENSIONS, Dimension
from school.intents import topic_of
from vietnamese.language_detection import Language
from vietnamese.stopwords import says_something
from vietnamese.text import words

_BUTTON = re.compile(r"^/\w+")


def intent(tracker: Tracker) -> tuple[str, float]:
    """The intent of the latest message and its confidence in 0..1; an empty name when there is none."""
    found = tracker.latest_message.get("intent") or {}
    return str(found.get("name") or ""), float(found.get("confidence") or 0.0)


def text(tracker: Tracker) -> str:
    """What the student typed; empty when a button was pressed, whose payload is nothing that was said."""
    typed = str(tracker.latest_message.get("text") or "")
    return "" if is_button(typed) else typed


def is_button(said: str) -> bool:
    """Whether a message is the payload of a button or of a channel's menu; typed text never begins with "/"."""
    return _BUTTON.match(said) is not None


def language(tracker: Tracker) -> Language:
    """What the student writes in, as far as it could be told."""
    return "en" if tracker.get_slot("language") == "en" else "vi"


def topic_scores(tracker: Tracker) -> dict[str, float]:
    """The classifier's probability of each topic, summing to 1; empty when it has not seen the message."""
    scores = {
        topic: float(rank["confidence"])
        for rank in tracker.latest_message.get("intent_ranking") or ()
        if (topic := topic_of(str(rank.get("name")))) is not None
    }
    total = sum(scores.values())
    if not text(tracker) or total <= 0:
        return {}
    return {topic: score / total for topic, score in scores.items()}


def mentioned(tracker: Tracker, name: str) -> tuple[str, ...]:
    """The different values of an entity in the latest message, in the order in which they were named."""
    entities = tracker.latest_message.get("entities") or ()
    return tuple(dict.fromkeys(str(entity["value"]) for entity in entities if entity.get("entity") == name))


def words_beside_profile(tracker: Tracker) -> int:
    """How many telling words the message has beyond those that name a cohort, major or programme."""
    rest = text(tracker)
    spans = [
        (int(entity["start"]), int(entity["end"]))
        for entity in tracker.latest_message.get("entities") or ()
        if entity.get("entity") in DIMENSIONS and "start" in entity
    ]
    for start, end in sorted(spans, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    return sum(says_something(word) for word in words(rest))


def one_mentioned(tracker: Tracker, dimension: Dimension) -> str | None:
    """The value of a dimension that the latest message names, if it names one only."""
    values = mentioned(tracker, dimension)
    return values[0] if len(values) == 1 else None


def slots_set(tracker: Tracker, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Events for the slots whose value changes; the others would only make the tracker longer."""
    return [SlotSet(name, value) for name, value in values.items() if tracker.get_slot(name) != value]
