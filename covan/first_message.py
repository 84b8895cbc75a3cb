"""A message as the chat takes it, by the actions that the chat runs; Rasa's rules and form are left out."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rasa_sdk import Tracker

from actions.advisor import ActionAskAdvisor
from actions.answer import ActionAnswer
from actions.base import EngineAction, Message
from actions.conversation_state import PROFILE
from actions.self_introduction import self_introduction
from actions.tracker import language, message_of
from console.chat import Heard
from covan.domain import read_domain
from covan.project import ROOT
from rag.engine import Engine
from school.reading import Reading
from vietnamese.data_files import read_yaml

_ADVISOR = "ask_advisor"
"""The intent of typed messages that another action than that of questions replies to (`data/rules.yml`)."""


def hear(engine: Engine, text: str, profile: Mapping[str, str], before: Sequence[str] = ()) -> Heard:
    """Return what the chat says to a message of a student with a profile, values by dimension.

    `before` are the messages of the conversation before it, the first one first; the chat takes each of them anew.
    """
    at = time.time()
    slots: dict[str, Any] = {PROFILE: {name: [value, at] for name, value in profile.items()}}
    events: list[dict[str, Any]] = []
    for said in (*before, text):
        read = engine.reader.read(said)
        tracker = _tracker(read, said, slots, events)
        intent = str(tracker.latest_message["intent"]["name"])
        action: EngineAction = (ActionAskAdvisor if intent == _ADVISOR else ActionAnswer)(lambda: engine)
        outcome = action.respond(tracker, engine)
        slots |= {event["name"]: event["value"] for event in outcome.events if event["event"] == "slot"}
        events.append({**tracker.events[-1], "parse_data": tracker.latest_message})
    messages = [message for message in outcome.messages if "response" in message]
    # The engine finds some small talk, too ("hihi"), and messages of marks alone.
    if outcome.reply is not None and not outcome.reply.decision.asks_nothing:
        return Heard(read, intent, outcome.reply)
    spoken = language(tracker)
    always = {"lead": "", "bot": self_introduction(engine.catalog.school, spoken)}
    return Heard(read, intent, None, [_said({**always, **each}, spoken) for each in messages])


def _tracker(read: Reading, text: str, slots: Mapping[str, Any], before: Sequence[dict[str, Any]]) -> Tracker:
    """Return the tracker that Rasa posts for a message (`server/nlu/message_reader.py`, `config.yml`).

    `before` are the events of the conversation before it.
    """
    message = message_of(read, text)
    if message["intent"]["confidence"] < _fallback_below():
        message["intent"] = {"name": "nlu_fallback", "confidence": _fallback_below()}
        message["intent_ranking"].insert(0, message["intent"])
    events = [*before, {"event": "user", "text": text, "timestamp": time.time()}]
    all_slots = {**slots, "language": read.language}
    return Tracker("", all_slots, message, events, False, None, {}, "action_listen")


@cache
def _fallback_below() -> float:
    """Return the confidence below which a message has no intent."""
    [fallback] = (
        each for each in read_yaml(ROOT / "config.yml")["pipeline"] if each["name"] == "FallbackClassifier"
    )
    return float(fallback["threshold"])


@cache
def _responses() -> Mapping[str, list[dict[str, Any]]]:
    responses: Mapping[str, list[dict[str, Any]]] = read_domain()["responses"]
    return responses


def _said(message: Message, spoken: str) -> str:
    """Return the first wording of a response in a language, with the values of the message in their places."""
    wordings = _responses()[message["response"]]
    own = [each for each in wordings if ("condition" in each) == (spoken == "en")] or wordings
    said = str(message.get("text") or own[0]["text"])
    for name, value in message.items():
        said = said.replace(f"{{{name}}}", str(value))
    return said
