"""The greeting, which offers questions or topics at the beginning of a conversation, and at "/greet" of a menu."""

from __future__ import annotations

from rasa_sdk import Tracker

from actions import buttons
from actions.base import Message
from actions.tracker import is_button, language
from rag.engine import Engine

MOST_QUESTIONS = 6
"""Example questions at the start: few enough to be read at a glance."""

WITH_LONG_BUTTONS = "web"
"""The channel whose buttons have room for a whole question; elsewhere topics stand on them, 20 characters at most."""


def greeting(tracker: Tracker, engine: Engine) -> Message:
    """Return the greeting; the first message and a menu's "/greet" add example questions or topics as buttons."""
    typed = str(tracker.latest_message.get("text") or "")
    begins = is_button(typed) or _messages(tracker) <= 1
    return {"response": "utter_greet", "buttons": _beginnings(tracker, engine) if begins else []}


def _beginnings(tracker: Tracker, engine: Engine) -> list[buttons.Button]:
    """Return the first example of each of the first topics, in Vietnamese only; else the topics."""
    if tracker.get_latest_input_channel() == WITH_LONG_BUTTONS and language(tracker) == "vi":
        examples = [topic.examples[0] for topic in engine.topics if topic.examples]
        if examples:
            return buttons.questions(examples[:MOST_QUESTIONS])
    return _topics(tracker, engine)


def _topics(tracker: Tracker, engine: Engine) -> list[buttons.Button]:
    spoken = language(tracker)
    topics = [buttons.inform(topic.called(spoken), {"topic": topic.id}) for topic in engine.topics]
    return topics[: buttons.MOST_BUTTONS]


def _messages(tracker: Tracker) -> int:
    """Return the number of user messages in this session, the latest included."""
    said = 0
    for event in reversed(tracker.events):
        if event.get("event") in ("session_started", "restart"):
            break
        said += event.get("event") == "user"
    return said
