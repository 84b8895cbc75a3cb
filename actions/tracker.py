"""Accessors for the latest message and the slots of a Rasa tracker."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from rasa_sdk import Tracker
from rasa_sdk.events import SlotSet

from school.reading import Reading
from vietnamese.distress import distress, is_relieved, tells_of_hardship, worries_about_studies
from vietnamese.ellipsis import asks
from vietnamese.language_detection import Language
from vietnamese.stopwords import says_something
from vietnamese.text import MAX_QUESTION_CHARS, clean, without_places, words

READING = "reading"
"""The key of a message under which `server.nlu` passes its reading on."""

SURE_OF_A_TOPIC = 0.5
"""Probability of a topic from which a question is of the school, whatever its intent."""

_BUTTON = re.compile(r"^/\w+")


def intent(tracker: Tracker) -> tuple[str, float]:
    """Return the intent of the latest message and its confidence in 0..1; an empty name without one."""
    found = tracker.latest_message.get("intent") or {}
    return str(found.get("name") or ""), float(found.get("confidence") or 0.0)


def intent_of(event: Mapping[str, Any]) -> str:
    """Return the intent of a student's message among the events; empty without one."""
    return str(((event.get("parse_data") or {}).get("intent") or {}).get("name") or "")


def is_distress(event: Mapping[str, Any]) -> bool:
    """Return whether a student's message among the events is one of distress, by its intent or by its words."""
    said = clean(str(event.get("text") or ""), MAX_QUESTION_CHARS)
    by_intent = intent_of(event) == "distress" and not is_no_emergency(said, event.get("parse_data") or {})
    return not is_button(said) and (by_intent or distress(said))


def is_no_emergency(typed: str, message: Mapping[str, Any]) -> bool:
    """Return whether the words of a parsed message, or its topic, overrule a classifier that takes it for distress.

    A question of a topic of the school is none: "I can't pay on time, can I get an extension".
    """
    read = message.get(READING)
    topics = Reading.from_json(read).topics if read else {}
    is_of_the_school = asks(typed) and max(topics.values(), default=0.0) >= SURE_OF_A_TOPIC
    is_lesser = tells_of_hardship(typed) or is_relieved(typed) or worries_about_studies(typed)
    return is_lesser or is_of_the_school


def text(tracker: Tracker) -> str:
    """Return the typed text of the latest message; empty for a pressed button."""
    typed = str(tracker.latest_message.get("text") or "")
    return "" if is_button(typed) else typed


def is_button(said: str) -> bool:
    """Return whether `said` is a payload of a button or a menu; typed text never begins with "/"."""
    return _BUTTON.match(said) is not None


def language(tracker: Tracker) -> Language:
    """Return the detected language of the student."""
    return "en" if tracker.get_slot("language") == "en" else "vi"


def reading(tracker: Tracker) -> Reading | None:
    """Return the reading of the latest message by Rasa's NLU; None for a pressed button."""
    found = tracker.latest_message.get(READING)
    return Reading.from_json(found) if found and text(tracker) else None


def message_of(read: Reading, typed: str) -> dict[str, Any]:
    """Return the message `typed` with its reading, as Rasa parses it (`server/nlu/message_reader.py`)."""
    ranking = [{"name": intent, "confidence": share} for intent, share in read.intents.items()]
    return {
        "text": typed,
        "intent": ranking[0] if ranking else {"name": None, "confidence": 0.0},
        "intent_ranking": ranking,
        "entities": read.entities(typed),
        READING: read.to_json(),
    }


def mentioned(tracker: Tracker, name: str) -> tuple[str, ...]:
    """Return the distinct values of an entity in the latest message, in order; not those with a role ("sang luật")."""
    entities = tracker.latest_message.get("entities") or ()
    own = (each for each in entities if each.get("entity") == name and not each.get("role"))
    return tuple(dict.fromkeys(str(each["value"]) for each in own))


def words_beside_profile(tracker: Tracker, dimensions: Collection[str]) -> int:
    """Return the number of content words in the message beside the values of `dimensions`."""
    spans = [
        (int(entity["start"]), int(entity["end"]))
        for entity in tracker.latest_message.get("entities") or ()
        if entity.get("entity") in dimensions and "start" in entity
    ]
    return sum(says_something(word) for word in words(without_places(text(tracker), spans)))


def one_mentioned(tracker: Tracker, dimension: str) -> str | None:
    """Return the value of `dimension` in the latest message; None unless it names exactly one."""
    values = mentioned(tracker, dimension)
    return values[0] if len(values) == 1 else None


def slots_set(tracker: Tracker, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return events for the slots whose value changes."""
    return [SlotSet(name, value) for name, value in values.items() if tracker.get_slot(name) != value]
