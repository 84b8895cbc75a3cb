"""`action_answer`: the engine's reply to what the student asks, as messages and events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rasa_sdk import Tracker

from actions import buttons
from actions.base import EngineAction, Event, Outcome
from actions.conversation_state import PROFILE
from actions.dialogue_acts import act_of, distress_message, in_distress
from actions.follow_up_resolution import Asked, asked_again, asked_now, given_now, is_unclear
from actions.response_builder import told
from actions.tracker import intent, language, mentioned, slots_set
from actions.turn import FORM, NOTHING_PENDING, Told, Turn
from rag.engine import Engine
from rag.types import DecisionKind, Question, Reason, Reply
from school.dimensions import Profile


class ActionAnswer(EngineAction):
    """Answers, asks back, or says that it does not know: as the engine decides, not the classifier."""

    def name(self) -> str:
        return "action_answer"

    def on_failure(self, tracker: Tracker) -> Sequence[Event]:
        return slots_set(tracker, NOTHING_PENDING)

    def noted(self, tracker: Tracker, engine: Engine) -> Sequence[Event]:  # noqa: ARG002
        """The turn decides on the profile itself: it may have been taken back."""
        return ()

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        if in_distress(tracker):
            # Whom to turn to is not the office of what was asked before.
            changes = {
                **NOTHING_PENDING,
                "last_topic": None,
                PROFILE: given_now(tracker, engine.catalog).as_slot(),
            }
            return Outcome([distress_message(tracker, engine)], slots_set(tracker, changes))
        turn = Turn.of(tracker, engine)
        said = _respond(turn)
        changes = {**said.changes, **turn.profile_slots(said.given)}
        return Outcome(said.messages, slots_set(tracker, changes))


def _respond(turn: Turn) -> Told:
    if (said := act_of(turn)) is not None:
        return said
    asked = _waiting_question(turn)
    if asked is None:
        if (said := _nothing_to_look_up(turn)) is not None:
            return said
        asked = asked_now(turn.tracker, turn.engine, turn.last)
    if asked is None:
        return _note_profile(turn)
    said = _answered(turn, asked)
    if turn.settles is not None and intent(turn.tracker)[0] == "deny":
        return replace(said, messages=[{"response": "utter_profile_confirm_denied"}, *said.messages])
    return said


def _nothing_to_look_up(turn: Turn) -> Told | None:
    """What is said to a message that asks nothing new."""
    if intent(turn.tracker)[0] == "repeat":
        return _repeat(turn)
    if mentioned(turn.tracker, "choice"):
        return Told([{"response": "utter_none_of_these"}])
    if topics := mentioned(turn.tracker, "topic"):
        return _open_topic(turn, topics[0])
    if is_unclear(turn.tracker, turn.last):
        return Told([{"response": "utter_follow_up_unclear"}])
    return None


def _answered(turn: Turn, asked: Asked) -> Told:
    try:
        asked, reply = _reply(turn.engine, asked, asked.profile or turn.known)
    except KeyError:  # an old button; what it stands for has been taken out since
        return Told([{"response": "utter_choice_gone"}])
    return told(turn, asked, reply)


def _waiting_question(turn: Turn) -> Asked | None:
    """The question that waited for the profile, or for its being confirmed, when the message has settled that.

    Not one left over from a turn that broke off.
    """
    tracker = turn.tracker
    if (kept := turn.settles) is not None:
        return Asked(kept.get("question") or "", kept.get("choice"))
    if tracker.latest_action_name != FORM or tracker.get_slot("profile_stage") != "filled":
        return None
    question, choice = tracker.get_slot("pending_question"), tracker.get_slot("pending_choice")
    if not question and not choice:
        return None
    return Asked(question or "", choice, profile=_for_whom(turn))


def _for_whom(turn: Turn) -> Profile | None:
    """Whom the waiting question was asked for, with what has been said since; None for the student."""
    if not (somebody := turn.tracker.get_slot("pending_profile")):
        return None
    said = {d: turn.known.get(d) for d in turn.tracker.get_slot("missing_dimensions") or ()}
    return Profile(somebody).with_values(said)


def _reply(engine: Engine, asked: Asked, known: Profile) -> tuple[Asked, Reply]:
    """The reply, and what it is the reply to. Raises KeyError when what was chosen is not there."""
    if asked.choice is not None:
        reply = engine.reply_to_choice(asked.choice, known)
        if not asked.text or Reason.NOT_APPLICABLE not in reply.decision.reasons:
            return asked, reply
        asked = replace(asked, choice=None)
    reply = _replied(engine, asked, known)
    if not asked.completed or Reason.SMALL_TALK in reply.decision.reasons:
        return asked, reply
    if asked.is_whole and _leads_on(reply):
        return asked, reply
    readings = [replace(asked, text=way, reading=None, completed=()) for way in asked.completed]
    others = [(reading, _replied(engine, reading, known)) for reading in readings]
    leading = [
        (reading, other)
        for reading, other in others
        if _leads_on(other) and (other.answer_id is None or other.answer_id != asked.other_than)
    ]
    if not leading:
        return asked, reply
    # "Ký túc xá" alone is like many questions; after "giá phòng này bao nhiêu" it is the one that was left open.
    best = max(leading, key=lambda read: read[1].confidence)
    if _leads_on(reply) and reply.confidence >= best[1].confidence:
        return asked, reply
    return best


def _replied(engine: Engine, asked: Asked, known: Profile) -> Reply:
    return engine.reply(Question(asked.text, asked.reading, known))


def _leads_on(reply: Reply) -> bool:
    """Whether a reply answers, or would with the profile."""
    return reply.decision.kind is DecisionKind.ANSWER or bool(reply.decision.missing)


def _repeat(turn: Turn) -> Told:
    if turn.last is None:
        return Told([{"response": "utter_nothing_to_repeat"}])
    again = _answered(turn, asked_again(turn.last))
    return replace(again, messages=[{"response": "utter_repeat"}, *again.messages])


def _open_topic(turn: Turn, topic_id: str) -> Told:
    topic = next((topic for topic in turn.engine.topics if topic.id == topic_id), None)
    if topic is None:
        return Told([{"response": "utter_ask_for_question"}])
    response = "utter_topic_examples" if topic.examples else "utter_topic_open"
    name = (topic.name_en if language(turn.tracker) == "en" else "") or topic.name
    message = {"response": response, "topic_name": name, "buttons": buttons.questions(topic.examples)}
    return Told([message], {**NOTHING_PENDING, "last_topic": topic.id})


def _note_profile(turn: Turn) -> Told:
    if intent(turn.tracker)[0] == "correct" and not turn.named():
        return Told([{"response": "utter_correct_unclear"}])
    if not (profile := turn.named()):
        return Told([{"response": "utter_ask_for_question"}])
    return Told([{"response": "utter_profile_noted", "profile": profile}])
