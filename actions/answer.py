"""`action_answer`: the engine's reply to what the student asks, as messages and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rasa_sdk import Tracker

from actions import buttons
from actions.base import EngineAction, Event, Message, Outcome
from actions.tracker import (
    ambiguous_dimensions,
    intent,
    mentioned,
    profile,
    slots_set,
    text,
    topic_scores,
    words_beside_profile,
)
from rag.engine import Engine
from rag.types import DIMENSIONS, DecisionKind, Profile, Question, Reason, Reply

FORM = "profile_form"
WORDS_OF_A_BARE_PROFILE = 3
"""A message that says at most so much besides cohort, major and programme asks nothing ("dạ em k47 ạ")."""

NOTHING_PENDING: Mapping[str, Any] = {
    "pending_question": None,
    "pending_faq": None,
    "missing_dimensions": None,
    "profile_options": None,
    "pending_topic_scores": None,
    "profile_attempts": None,
    "profile_stage": None,
}


class ActionAnswer(EngineAction):
    """Answers, asks back, or says that it does not know: as the engine decides, not the classifier."""

    def name(self) -> str:
        return "action_answer"

    def on_failure(self, tracker: Tracker) -> Sequence[Event]:
        return slots_set(tracker, NOTHING_PENDING)

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        known = profile(tracker, engine.catalog)
        if (asked := _pending(tracker)) is None:
            if topics := mentioned(tracker, "topic"):
                return _open_topic(tracker, engine, topics[0])
            asked = _asked_now(tracker)
        if asked is None:
            return _note_profile(tracker, engine, known)
        if asked.faq is None:
            reply = engine.reply(Question(text=asked.text, profile=known, topic_scores=asked.topic_scores))
        else:
            try:
                reply = engine.reply_to_choice({"faq": asked.faq}, known)
            except KeyError:  # an old button; the entry has been taken out since
                return Outcome([{"response": "utter_no_answer"}], slots_set(tracker, NOTHING_PENDING))
        return _outcome(tracker, asked, reply, known)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be answered: words, or an entry of the FAQ that was chosen by a button."""

    text: str = ""
    faq: str | None = None
    topic_scores: Mapping[str, float] = field(default_factory=dict)


def _pending(tracker: Tracker) -> Asked | None:
    """The question whose profile the form has just completed; not one left over from a turn that broke off."""
    if tracker.latest_action_name != FORM or tracker.get_slot("profile_stage") != "filled":
        return None
    question, faq = tracker.get_slot("pending_question"), tracker.get_slot("pending_faq")
    if not question and not faq:
        return None
    return Asked(question or "", faq, tracker.get_slot("pending_topic_scores") or {})


def _asked_now(tracker: Tracker) -> Asked | None:
    """What the latest message asks; None when it only says something of the student."""
    if entries := mentioned(tracker, "faq"):
        return Asked(faq=entries[0])
    typed = text(tracker)
    says_profile = any(mentioned(tracker, dimension) for dimension in DIMENSIONS)
    if not typed or (
        intent(tracker)[0] == "inform"
        and says_profile
        and words_beside_profile(tracker) <= WORDS_OF_A_BARE_PROFILE
    ):
        return None
    return Asked(typed, topic_scores=topic_scores(tracker))


def _outcome(tracker: Tracker, asked: Asked, reply: Reply, known: Profile) -> Outcome:
    changes: dict[str, Any] = {**NOTHING_PENDING, **_forgotten(tracker)}
    if reply.topic is not None:
        changes["last_topic"] = reply.topic
    missing = [dimension for dimension in reply.decision.missing if known.get(dimension) is None]
    messages: Sequence[Message]
    if reply.decision.kind is DecisionKind.ANSWER:
        messages = [answer_message(reply)]
    elif reply.decision.kind is DecisionKind.CLARIFY and missing:
        changes |= {
            "pending_question": asked.text or None,
            "pending_faq": asked.faq,
            "missing_dimensions": missing,
            "profile_options": [{"title": option.title, **option.payload} for option in reply.options],
            "pending_topic_scores": dict(asked.topic_scores) or None,
            "profile_stage": "asking",
        }
        messages = []
    elif _worth_choosing(tracker, reply):
        messages = [{"response": "utter_choose_reading", "buttons": buttons.choices(reply.options)}]
    else:
        # Also when the engine asks for what it has been told: asking the same again would never end.
        related = [option for option in reply.options if "topic" in option.payload]
        messages = [{"response": "utter_no_answer", "buttons": buttons.choices(related)}]
    return Outcome(messages, slots_set(tracker, changes))


def _worth_choosing(tracker: Tracker, reply: Reply) -> bool:
    """Whether to offer the readings of a reply. Those that are merely near are not offered to what seems off-topic."""
    if reply.decision.kind is not DecisionKind.CLARIFY or reply.decision.missing or not reply.options:
        return False
    return intent(tracker)[0] != "out_of_scope" or Reason.SIMILARITY_LOW not in reply.decision.reasons


def answer_message(reply: Reply) -> Message:
    """An answer with its sources beside the text; `utter_answer` in domain.yml adds the feedback buttons."""
    return {
        "response": "utter_answer",
        "text": reply.text,
        "answer_id": reply.answer_id or "unknown",
        "json_message": {
            "type": "answer",
            "tier": reply.tier.value,
            "confidence": round(reply.confidence, 4),
            "answer_id": reply.answer_id,
            "citations": [
                {
                    "document_id": citation.document_id,
                    "title": citation.title,
                    "number": citation.number,
                    "locator": citation.locator,
                    "quote": citation.quote,
                    "url": citation.url,
                }
                for citation in reply.citations
            ],
        },
    }


def _open_topic(tracker: Tracker, engine: Engine, topic_id: str) -> Outcome:
    topic = next((topic for topic in engine.topics if topic.id == topic_id), None)
    changes: dict[str, Any] = dict(NOTHING_PENDING)
    if topic is None:
        return Outcome([{"response": "utter_ask_for_question"}], slots_set(tracker, changes))
    response = "utter_topic_examples" if topic.examples else "utter_topic_open"
    message = {"response": response, "topic_name": topic.name, "buttons": buttons.questions(topic.examples)}
    return Outcome([message], slots_set(tracker, {**changes, "last_topic": topic.id}))


def _note_profile(tracker: Tracker, engine: Engine, known: Profile) -> Outcome:
    names = [
        engine.catalog.name(dimension, value)
        for dimension in DIMENSIONS
        if (value := known.get(dimension)) is not None
    ]
    message: Message = {"response": "utter_ask_for_question"}
    if names:
        message = {"response": "utter_profile_noted", "profile": ", ".join(names)}
    return Outcome([message], slots_set(tracker, {**NOTHING_PENDING, **_forgotten(tracker)}))


def _forgotten(tracker: Tracker) -> Mapping[str, None]:
    """What the latest message made unclear: of two cohorts named in it, Rasa has kept the last."""
    return dict.fromkeys(ambiguous_dimensions(tracker))
