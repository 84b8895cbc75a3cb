"""Run actions on trackers as Rasa posts them, and return the results in a comparable form."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from other_gates import with_gates
from rasa_sdk import Tracker
from rasa_sdk.executor import ActionExecutor

from actions.advisor import ActionAskAdvisor
from actions.answer import ActionAnswer
from actions.hand_over import ActionHandOver
from actions.profile_form import AskProfile, AskValue, ValidateProfileForm
from rag.decide.gate import Thresholds
from rag.engine import Engine
from rag.index.versions import open_index
from rag.pipeline import load_pipeline
from rag.retrieve.embedder import load_embedder
from school.reader import Reader
from school.reading_knowledge import ReadingKnowledge

MakeTracker = Callable[..., Tracker]
Respond = Callable[..., dict[str, Any]]

AT = 1_795_000_000.0
"""Default time of a message: seconds since the epoch, in November 2026."""

SLOTS = (
    "profile",
    "pending_question",
    "pending_choice",
    "pending_profile",
    "missing_dimensions",
    "profile_options",
    "profile_attempts",
    "profile_stage",
    "needed_value",
    "value",
    "known_values",
    "asked_back",
    "set_aside",
    "last_topic",
    "requested_slot",
    "last_turn",
    "confirming",
    "unresolved",
    "language",
)


def tracker_json(
    text: str,
    intent: str = "nlu_fallback",
    confidence: float = 0.9,
    entities: tuple[tuple[str, str, str], ...] = (),
    latest_action: str = "action_listen",
    at: float = AT,
    also: tuple[tuple[str, float], ...] = (),
    before: tuple[dict[str, Any], ...] = (),
    **slots: Any,
) -> dict[str, Any]:
    """Return the tracker after a message. An entity is its name, its value and its words in `text`.

    `also` are other intents that the classifier thought of, each with its confidence. `before` are the earlier events.
    """
    found = [
        {"entity": entity, "value": value, "start": text.index(words), "end": text.index(words) + len(words)}
        for entity, value, words in entities
    ]
    return {
        "sender_id": "student",
        "slots": {**dict.fromkeys(SLOTS), **slots},
        "latest_message": {
            "text": text,
            "intent": {"name": intent, "confidence": confidence},
            "intent_ranking": [{"name": name, "confidence": c} for name, c in ((intent, confidence), *also)],
            "entities": found,
        },
        "events": [*before, {"event": "user", "text": text, "timestamp": at}],
        "paused": False,
        "followup_action": None,
        "active_loop": {},
        "latest_action_name": latest_action,
    }


def _read(message: dict[str, Any], reader: Reader) -> dict[str, Any]:
    """Return the reading of a message, with its intents replaced by the given ones."""
    intents = {ranked["name"]: ranked["confidence"] for ranked in message["intent_ranking"]}
    return replace(reader.read(message["text"]), intents=intents).to_json()


def unsure_engine(index: Path) -> Engine:
    """Return an engine over the index in this folder that is sure of nothing, and offers what is near."""
    default = load_pipeline("covan")
    shut = Thresholds(similarity=1.0, margin=0.0, topic=0.0)
    pipeline = with_gates(default, {"faq": shut, "document": shut}).model_copy(
        update={"clarify": default.clarify.model_copy(update={"offer": 0.2})}
    )
    embedder = load_embedder()
    return Engine(open_index(index, embedder), pipeline, embedder)


def responder(current: Callable[[], Engine], reader: Reader | None = None) -> Respond:
    """Return a function that runs a turn on the engine `current`; `reader` defaults to a reader without a school."""
    reader = reader or Reader(ReadingKnowledge())
    executor = ActionExecutor()
    for action in (
        ActionAnswer(current),
        ActionAskAdvisor(current),
        ActionHandOver(current),
        ValidateProfileForm(current),
        AskProfile(current),
        AskValue(current),
    ):
        executor.register_action(action)

    def call(action: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
        tracker = tracker_json(*args, **kwargs)
        tracker["latest_message"]["reading"] = _read(tracker["latest_message"], reader)
        result = asyncio.run(
            executor.run({"next_action": action, "tracker": tracker, "domain": {"responses": {}}})
        )
        assert result is not None
        events = [
            (event["name"], event["value"]) if event["event"] == "slot" else event for event in result.events
        ]
        responses = [
            {key: value for key, value in response.items() if value and key not in ("template", "bot", "act")}
            for response in result.responses
        ]
        return {"events": events, "responses": responses}

    return call
