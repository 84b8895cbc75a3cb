"""`action_answer` answers the student's question from the engine, as messages and events."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rasa_sdk import Tracker

from actions import buttons
from actions.base import EngineAction, Event, Outcome
from actions.conversation_state import KNOWN_VALUES, PROFILE, VALUE, now, with_known_values
from actions.dialogue_acts import (
    SMALL_TALK,
    UNSURE,
    distress_message,
    in_distress,
    reject_options,
    respond_to_act,
    slots_after_distress,
)
from actions.follow_up_resolution import (
    ResolvedQuestion,
    current_profile,
    dimensions_of_others,
    is_bare_profile,
    is_unclear,
    resolve_question,
    resolve_repetition,
    stated_values,
)
from actions.names_in_context import with_bare_names
from actions.response_builder import build_response
from actions.tracker import intent, language, mentioned, one_mentioned, reading, slots_set, text
from actions.turn import FORM, NOTHING_PENDING, SET_ASIDE, Turn, TurnResponse
from actions.turn_trace import Record, trace_of
from rag.decide.context import names_no_matter
from rag.engine import Engine
from rag.types import GRAPH_SOURCE, DecisionKind, Question, Reason, Reply
from school.dimensions import Profile
from school.intents import ACTS_OF_TALK
from vietnamese.choices import chosen_position, counts_off
from vietnamese.ellipsis import doubts
from vietnamese.small_talk import small_talk
from vietnamese.study_years import speaks_of_study_year

logger = logging.getLogger(__name__)

TURNS_SET_ASIDE = 2
"""A value that is stated so many turns after its question was interrupted still answers it."""

TURNS_WITH_OPTIONS = 3
"""Options may be counted off ("cái đầu tiên") during so many turns, the latest message's own included."""

SURE_OF_A_QUESTION = 0.85
"""The probability of an answer from which a message within a conversation is a question, and no talk (decision 17)."""

_DOUBTFUL_TALK = frozenset((*SMALL_TALK, "more", "show_profile", "forget_profile")) - {"cancel"}
"""The acts that a question in few words is taken for. "Không cần nữa" is none, however much the answer before is about
needs; such an act is one only with a question mark."""

_PAYLOAD = re.compile(r"/inform(\{.*\})\Z")


class ActionAnswer(EngineAction):
    """Answers, asks back or declines; the engine decides which, not the intent classifier."""

    def __init__(self, engine: Callable[[], Engine], record: Record | None = None) -> None:
        """`record` takes the trace of every turn."""
        super().__init__(engine)
        self._record = record

    def name(self) -> str:
        return "action_answer"

    def on_failure(self, tracker: Tracker) -> Sequence[Event]:
        return slots_set(tracker, NOTHING_PENDING)

    def after(self, tracker: Tracker, outcome: Outcome | None) -> None:
        message_id = tracker.latest_message.get("message_id")
        if self._record is None or not message_id:
            return
        try:
            trace = trace_of(tracker, outcome.reply if outcome is not None else None)
            self._record(tracker.sender_id, str(message_id), trace)
        except Exception:  # the student has an answer, whatever becomes of its trace
            logger.exception("The trace of a turn could not be made.")

    def profile_events(self, tracker: Tracker, engine: Engine) -> Sequence[Event]:  # noqa: ARG002
        """Return no events: `respond` sets the profile itself, since the student may have withdrawn it."""
        return ()

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        if in_distress(tracker):
            stated = current_profile(tracker, engine.catalog)
            after = slots_after_distress(now(tracker), stated.profile, engine)
            changes: dict[str, Any] = {**after, PROFILE: stated.as_slot()}
            return Outcome([distress_message(tracker, engine)], slots_set(tracker, changes))
        turn = Turn.from_tracker(with_bare_names(tracker, engine), engine)
        said = _respond(turn)
        changes = {SET_ASIDE: _set_aside(turn, said), **said.changes, **turn.profile_slots(said.stated)}
        return Outcome(said.messages, slots_set(tracker, changes), said.reply)


def _respond(turn: Turn) -> TurnResponse:
    asked = _waiting_question(turn)
    # "Duoc" fills the form (Dược), whatever else it may say.
    is_filled = asked is not None and turn.resumed is None
    if asked is None and turn.last is not None and turn.last.answer_id and doubts(text(turn.tracker)):
        return _repeat(turn, "utter_sure")
    if not is_filled and (said := respond_to_act(turn)) is not None:
        return _question_after_all(turn) or said
    if asked is None:
        if (said := _respond_without_engine(turn)) is not None:
            return said
        asked = resolve_question(turn.tracker, turn.engine, turn.last)
        if asked is None or (
            asked.text == text(turn.tracker) and is_bare_profile(turn.tracker, turn.engine.catalog)
        ):
            asked = _question_set_aside(turn) or asked
    if asked is None:
        return _note_profile(turn)
    said = _answer(turn, asked)
    if turn.resumed is not None and intent(turn.tracker)[0] == "deny":
        return replace(said, messages=[{"response": "utter_profile_confirm_denied"}, *said.messages])
    return said


def _question_after_all(turn: Turn) -> TurnResponse | None:
    """Return the answer to what the classifier takes for talk and the engine for a question on the matter before.

    "Xuất sắc" behind the classes of conduct is no praise.
    """
    typed, named = text(turn.tracker), intent(turn.tracker)[0]
    is_doubtful = named in _DOUBTFUL_TALK or (named in ACTS_OF_TALK and "?" in typed)
    if turn.last is None or turn.last.answer_id is None or turn.last.unasked:
        return None
    if not is_doubtful or small_talk(typed) is not None:
        return None
    asked = resolve_question(turn.tracker, turn.engine, turn.last)
    if asked is None or asked.choice is not None:
        return None
    asked, reply = _reply_to(turn.engine, _with_known(turn, asked), asked.profile or turn.known)
    is_sure = reply.decision.kind is DecisionKind.ANSWER and reply.confidence >= SURE_OF_A_QUESTION
    return build_response(turn, asked, reply) if is_sure and reply.source != GRAPH_SOURCE else None


def _respond_without_engine(turn: Turn) -> TurnResponse | None:
    """Return the response to a message that asks nothing new; None for a question."""
    if counts_off(text(turn.tracker)):
        return _choose_earlier(turn)
    named, confidence = intent(turn.tracker)
    if named == "repeat" and (confidence >= UNSURE or names_no_matter(text(turn.tracker))):
        return _repeat(turn)
    if mentioned(turn.tracker, "choice"):
        return reject_options(turn)
    if topics := mentioned(turn.tracker, "topic"):
        return _open_topic(turn, topics[0])
    if is_unclear(turn.tracker, turn.last):
        return TurnResponse([{"response": "utter_follow_up_unclear"}])
    return None


def _with_known(turn: Turn, asked: ResolvedQuestion) -> ResolvedQuestion:
    """Return the question with the values of earlier ones and what the student was asked for in vain."""
    return replace(asked, known=turn.known_values, untold=frozenset(turn.untold))


def _answer(turn: Turn, asked: ResolvedQuestion) -> TurnResponse:
    asked = _with_known(turn, asked)
    try:
        asked, reply = _reply_to(turn.engine, asked, asked.profile or turn.known)
    except KeyError:  # an old button whose entry has been removed since
        return TurnResponse([{"response": "utter_choice_gone"}])
    return build_response(turn, asked, reply)


def _waiting_question(turn: Turn) -> ResolvedQuestion | None:
    """Return the pending question once the message has completed or confirmed the profile.

    A question left over from an interrupted turn is ignored.
    """
    tracker = turn.tracker
    if (kept := turn.resumed) is not None:
        return ResolvedQuestion(kept.get("question") or "", kept.get("choice"))
    if tracker.latest_action_name != FORM or tracker.get_slot("profile_stage") != "filled":
        return None
    question, choice = tracker.get_slot("pending_question"), tracker.get_slot("pending_choice")
    if not question and not choice:
        return None
    filled, profile = tracker.get_slot(VALUE) or {}, _profile_asked_for(turn)
    catalog = turn.engine.catalog
    if others := dimensions_of_others(tracker, catalog):
        # "Còn k50" asks the same of another cohort before the major is told.
        own = profile or turn.known
        profile = own.with_values({d: one_mentioned(tracker, d) for d in others})
        question = turn.engine.without_profile(question or "", others)
    return ResolvedQuestion(question or "", choice, profile=profile, filled=filled)


def _question_set_aside(turn: Turn) -> ResolvedQuestion | None:
    """Return the question that another one has interrupted, when the message has the value it waited for."""
    kept = turn.tracker.get_slot(SET_ASIDE) or {}
    is_over = turn.last is None  # another session
    if is_over or not kept or not any(one_mentioned(turn.tracker, d) for d in kept["missing"]):
        return None
    profile = None
    if kept.get("profile"):
        profile = Profile(kept["profile"]).with_values({d: turn.known.get(d) for d in kept["missing"]})
    return ResolvedQuestion(kept.get("question") or "", kept.get("choice"), profile=profile)


def _set_aside(turn: Turn, said: TurnResponse) -> Mapping[str, Any] | None:
    """Return the slot of the interrupted question after this turn; None once it is answered, old or asked anew."""
    tracker = turn.tracker
    if said.changes.get("profile_stage") == "asking":
        return None
    question, choice = tracker.get_slot("pending_question"), tracker.get_slot("pending_choice")
    if tracker.get_slot("profile_stage") == "interrupted" and (question or choice):
        missing = list(tracker.get_slot("missing_dimensions") or ())
        waits = {"question": question, "choice": choice, "profile": tracker.get_slot("pending_profile")}
        return {**{name: value for name, value in waits.items() if value}, "missing": missing, "turns": 1}
    kept = tracker.get_slot(SET_ASIDE)
    if not kept or kept["turns"] >= TURNS_SET_ASIDE or _question_set_aside(turn) is not None:
        return None
    return {**kept, "turns": kept["turns"] + 1}


def _profile_asked_for(turn: Turn) -> Profile | None:
    """Return the profile of the pending question with the values named since; None for the student's own."""
    if not (somebody := turn.tracker.get_slot("pending_profile")):
        return None
    said = {d: turn.known.get(d) for d in turn.tracker.get_slot("missing_dimensions") or ()}
    return Profile(somebody).with_values(said)


def _reply_to(engine: Engine, asked: ResolvedQuestion, known: Profile) -> tuple[ResolvedQuestion, Reply]:
    """Return the reply to `asked`; a chosen entry that does not apply to the student is asked for by its text.

    Raises KeyError when the chosen entry or passage does not exist.
    """
    if asked.choice is not None:
        reply = engine.reply_to_choice(asked.choice, known)
        if not asked.text or Reason.NOT_APPLICABLE not in reply.decision.reasons:
            return asked, reply
        asked = replace(asked, choice=None)
    values = asked.known, asked.filled, asked.compared, asked.rejected, asked.untold
    return asked, engine.reply(Question(asked.text, asked.reading, known, asked.history, *values))


def _repeat(turn: Turn, lead: str = "utter_repeat") -> TurnResponse:
    """Return the last answer once more behind the response `lead`."""
    if turn.last is None:
        return TurnResponse([{"response": "utter_nothing_to_repeat"}])
    again = _answer(turn, resolve_repetition(turn.last))
    return replace(again, messages=[{"response": lead}, *again.messages])


def _choose_earlier(turn: Turn) -> TurnResponse:
    """Return the reply to an option that is counted off once the channel offers none: of the options before, if any."""
    typed, turns = text(turn.tracker), 0
    for event in reversed(turn.tracker.events):
        turns += event.get("event") == "user"
        if turns > TURNS_WITH_OPTIONS:
            break
        offered = _offered(event)
        if (place := chosen_position(typed, len(offered))) is not None:
            return _answer(turn, ResolvedQuestion(choice=offered[place]))
    return TurnResponse([{"response": "utter_no_options"}])


def _offered(event: Event) -> Sequence[dict[str, str]]:
    """Return the payloads of the entries and passages that a bot's message has offered."""
    pressed = ((event.get("data") or {}).get("buttons") or ()) if event.get("event") == "bot" else ()
    found = [_PAYLOAD.match(str(button.get("payload"))) for button in pressed]
    payloads = [json.loads(match[1]) for match in found if match]
    return [payload for payload in payloads if payload.keys() <= {"faq", "passage"}]


def _open_topic(turn: Turn, topic_id: str) -> TurnResponse:
    topic = next((topic for topic in turn.engine.topics if topic.id == topic_id), None)
    if topic is None:
        return TurnResponse([{"response": "utter_ask_for_question"}])
    response = "utter_topic_examples" if topic.examples else "utter_topic_open"
    name = topic.called(language(turn.tracker))
    message = {"response": response, "topic_name": name, "buttons": buttons.questions(topic.examples)}
    return TurnResponse([message], {**NOTHING_PENDING, "last_topic": topic.id})


def _go_on(turn: Turn) -> TurnResponse | None:
    """Return the answer that stated values give to the last question, left open by options or a refusal; None without.

    Of the options, the one whose answer goes by most of these values is meant.
    """
    last, engine = turn.last, turn.engine
    said = {d for d in engine.catalog.dimension_ids if one_mentioned(turn.tracker, d)}
    if last is None or not said:
        return None
    if turn.clarification.offered or turn.tracker.get_slot("unresolved"):
        asked = ResolvedQuestion(last.typed or last.question, history=last.history)
        asked, reply = _reply_to(engine, replace(asked, known=turn.known_values), turn.known)
        if reply.decision.kind is DecisionKind.ANSWER:
            return build_response(turn, asked, reply)
    named = (name.removeprefix("faq:") for name in turn.clarification.offered)
    replies = {
        entry: engine.reply_to_choice({"faq": entry}, turn.known)
        for entry in named
        if engine.entry(entry) is not None
    }
    shared = {entry: len(said.intersection(reply.depends_on)) for entry, reply in replies.items()}
    most = [entry for entry, count in shared.items() if count == max(shared.values()) and count]
    if len(most) == 1:
        return build_response(turn, ResolvedQuestion(choice={"faq": most[0]}), replies[most[0]])
    return None


def _applied(turn: Turn) -> TurnResponse | None:
    """Return what the last answer tells a student of the year stated now; None when it speaks of no year of study.

    "Mà em năm 3 rồi" after a rule for those before their third year asks what it means for the writer.
    """
    last, typed = turn.last, text(turn.tracker)
    entry = turn.engine.entry(last.answer_id or "") if last is not None else None
    if last is None or entry is None or not all(map(speaks_of_study_year, (typed, entry.answer))):
        return None
    now_asked = ResolvedQuestion(
        typed, reading=reading(turn.tracker), history=last.history, previous_answer_id=last.answer_id
    )
    once_more = replace(now_asked, text=last.typed or last.question, reading=None, history=last.history[1:])
    for each, known in ((now_asked, turn.known), (once_more, Profile(last.profile))):
        asked, reply = _reply_to(turn.engine, each, known)
        if reply.decision.kind is DecisionKind.ANSWER:
            return build_response(turn, asked, reply)
    return None


def _note_profile(turn: Turn) -> TurnResponse:
    if (said := _go_on(turn) or _applied(turn)) is not None:
        return said
    if intent(turn.tracker)[0] == "correct" and not turn.named():
        return TurnResponse([{"response": "utter_correct_unclear"}])
    if not (profile := turn.named()):
        return TurnResponse([{"response": "utter_ask_for_question"}])
    read, values = reading(turn.tracker), stated_values(turn.tracker)
    told = [read.text[value.start : value.end] for value in values] if read is not None else []
    changes = {KNOWN_VALUES: with_known_values(turn.tracker, turn.engine.inputs_of(values))} if values else {}
    profile = ", ".join((profile, *told))
    return TurnResponse([{"response": "utter_profile_noted", "profile": profile}], changes)
