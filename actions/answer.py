"""`action_answer`: the engine's reply to what the student asks, as messages and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rasa_sdk import Tracker

from actions import asked_back, buttons, messages
from actions.asked_back import AskedBack, option_names, subject
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
from rag.text import words
from rag.types import DIMENSIONS, DecisionKind, Dimension, Profile, Question, Reason, Reply

FORM = "profile_form"
WORDS_OF_A_BARE_PROFILE = 3
"""A message that says at most so much besides cohort, major and programme asks nothing ("dạ em k47 ạ")."""

WORDS_OF_A_NAME = 6
"""A message of at most so many words may be what an earlier question left open ("ngành công nghệ thông tin")."""

NOTHING_PENDING: Mapping[str, Any] = {
    "pending_question": None,
    "pending_choice": None,
    "missing_dimensions": None,
    "profile_options": None,
    "pending_topic_scores": None,
    "profile_attempts": None,
    "profile_stage": None,
    asked_back.SLOT: None,
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
            if mentioned(tracker, "choice"):
                return Outcome([{"response": "utter_none_of_these"}], slots_set(tracker, NOTHING_PENDING))
            if topics := mentioned(tracker, "topic"):
                return _open_topic(tracker, engine, topics[0])
            asked = _asked_now(tracker)
        if asked is None:
            return _note_profile(tracker, engine, known)
        try:
            asked, reply = _reply(engine, asked, known)
        except KeyError:  # an old button; what it stands for has been taken out since
            return Outcome([{"response": "utter_choice_gone"}], slots_set(tracker, NOTHING_PENDING))
        return _outcome(tracker, asked, reply, known)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be answered: words, or what was chosen by a button (the payload of an option).

    `completed` are the words together with an earlier question, if they may be no question but what that left open.
    """

    text: str = ""
    choice: Mapping[str, str] | None = None
    topic_scores: Mapping[str, float] = field(default_factory=dict)
    completed: str = ""


def _pending(tracker: Tracker) -> Asked | None:
    """The question whose profile the form has just completed; not one left over from a turn that broke off."""
    if tracker.latest_action_name != FORM or tracker.get_slot("profile_stage") != "filled":
        return None
    question, choice = tracker.get_slot("pending_question"), tracker.get_slot("pending_choice")
    if not question and not choice:
        return None
    return Asked(question or "", choice, tracker.get_slot("pending_topic_scores") or {})


def _asked_now(tracker: Tracker) -> Asked | None:
    """What the latest message asks; None when it only says something of the student."""
    for key in ("faq", "passage"):
        if chosen := mentioned(tracker, key):
            return Asked(choice={key: chosen[0]})
    typed = text(tracker)
    before = AskedBack.last(tracker)
    completed = f"{before.question.rstrip(' ?.!')} {typed}" if before.unnamed and typed else ""
    says_profile = any(mentioned(tracker, dimension) for dimension in DIMENSIONS)
    if not typed or (
        intent(tracker)[0] == "inform"
        and says_profile
        and words_beside_profile(tracker) <= WORDS_OF_A_BARE_PROFILE
    ):
        return Asked(completed) if completed else None
    if len(words(typed)) > WORDS_OF_A_NAME:
        completed = ""
    return Asked(typed, topic_scores=topic_scores(tracker), completed=completed)


def _reply(engine: Engine, asked: Asked, known: Profile) -> tuple[Asked, Reply]:
    """The reply, and what it is the reply to. Raises KeyError when what was chosen is not there."""
    if asked.choice is not None:
        return asked, engine.reply_to_choice(asked.choice, known)
    reply = _replied(engine, asked, known)
    if not asked.completed or Reason.SMALL_TALK in reply.decision.reasons:
        return asked, reply
    completed = replace(asked, text=asked.completed, completed="")
    other = _replied(engine, completed, known)
    # "Ký túc xá" alone is like many questions; after "giá phòng này bao nhiêu" it is the one that was left open.
    if _leads_on(other) and not (_leads_on(reply) and reply.confidence >= other.confidence):
        return completed, other
    return asked, reply


def _replied(engine: Engine, asked: Asked, known: Profile) -> Reply:
    return engine.reply(Question(text=asked.text, profile=known, topic_scores=asked.topic_scores))


def _leads_on(reply: Reply) -> bool:
    """Whether a reply answers, or would with the profile."""
    return reply.decision.kind is DecisionKind.ANSWER or bool(reply.decision.missing)


def _outcome(tracker: Tracker, asked: Asked, reply: Reply, known: Profile) -> Outcome:
    """What is said to the question, or to each of a message's questions, and what is kept of it."""
    before = AskedBack.last(tracker)
    if (nothing := messages.nothing_asked(reply)) is not None:
        # Thanks in between do not make the same question back a new one.
        kept = {**NOTHING_PENDING, asked_back.SLOT: before.as_slot()}
        return Outcome([nothing], slots_set(tracker, kept))
    said: list[Message] = []
    waiting: list[Reply] = []
    offered: list[Reply] = []
    for part in reply.parts or (reply,):
        lead = messages.lead(part.question) if reply.parts else ""
        missing = _missing(part, known)
        if part.decision.kind is DecisionKind.ANSWER:
            said.append(messages.answer(part, lead))
        elif missing and before.has_asked_for(missing[0], part, tracker):
            said.append({"response": "utter_profile_abandoned", "lead": lead})
        elif missing:
            waiting.append(part)
            if reply.parts:
                said += _waiting(part, lead, is_first=len(waiting) == 1)
        elif _worth_choosing(tracker, part):
            if before.has_asked(part):
                said.append({"response": "utter_none_of_these", "lead": lead})
            else:
                offered.append(part)
                said.append(messages.choice(part, lead))
        elif messages.nothing_asked(part) is None:
            # Also when the engine asks for what it has been told: asking the same again would never end.
            said.append(messages.no_answer(part, lead))
    changes: dict[str, Any] = {**NOTHING_PENDING, **_forgotten(tracker)}
    if reply.topic is not None:
        changes["last_topic"] = reply.topic
    if waiting:
        first = waiting[0]
        changes |= _pending_slots(replace(asked, text=first.question) if reply.parts else asked, first, known)
        # What the form asks must come last.
        said.sort(key=lambda message: message["response"] == "utter_part_needs_profile")
    changes[asked_back.SLOT] = _asked_back(offered, waiting, known).as_slot()
    return Outcome(said, slots_set(tracker, changes))


def _waiting(part: Reply, lead: str, is_first: bool) -> list[Message]:
    """What is said of one of several questions that depends on the profile: the form asks for the first only."""
    if is_first:
        return [{"response": "utter_part_needs_profile", "lead": lead}]
    return [{"response": "utter_part_waits", "lead": lead, "buttons": buttons.questions([part.question])}]


def _missing(reply: Reply, known: Profile) -> list[Dimension]:
    if reply.decision.kind is not DecisionKind.CLARIFY:
        return []
    return [dimension for dimension in reply.decision.missing if known.get(dimension) is None]


def _pending_slots(asked: Asked, reply: Reply, known: Profile) -> Mapping[str, Any]:
    """What the form needs, and what is to be answered after it."""
    return {
        "pending_question": asked.text or None,
        "pending_choice": dict(asked.choice) if asked.choice else None,
        "missing_dimensions": _missing(reply, known),
        "profile_options": [{"title": option.title, **option.payload} for option in reply.options],
        "pending_topic_scores": dict(asked.topic_scores) or None,
        "profile_stage": "asking",
    }


def _asked_back(offered: Sequence[Reply], waiting: Sequence[Reply], known: Profile) -> AskedBack:
    unnamed = next((reply for reply in offered if reply.decision.unnamed), None)
    return AskedBack(
        question=unnamed.question if unnamed else "",
        offered=tuple(name for reply in offered for name in option_names(reply.options)),
        unnamed=unnamed.decision.unnamed if unnamed else (),
        dimension=_missing(waiting[0], known)[0] if waiting else None,
        subject=subject(waiting[0]) if waiting else None,
    )


def _worth_choosing(tracker: Tracker, reply: Reply) -> bool:
    """Whether to offer the readings of a reply. Those that are merely near are not offered to what seems off-topic."""
    if reply.decision.kind is not DecisionKind.CLARIFY or reply.decision.missing or not reply.options:
        return False
    return intent(tracker)[0] != "out_of_scope" or Reason.SIMILARITY_LOW not in reply.decision.reasons


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
