"""The profile form asks for a dimension, or a calculator's value, that an answer depends on.

It asks until the student answers or changes the subject.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from rasa_sdk import Tracker
from rasa_sdk.events import SlotSet

from actions import buttons
from actions.base import EngineAction, Event, Message, Outcome
from actions.conversation_state import PROFILE, VALUE, now
from actions.dialogue_acts import in_distress
from actions.follow_up_resolution import current_profile
from actions.hand_over import INTENT
from actions.tracker import (
    intent,
    intent_of,
    language,
    mentioned,
    reading,
    slots_set,
    text,
    words_beside_profile,
)
from rag.engine import Engine
from rag.types import NeededValue, Option
from school.catalog import Catalog
from school.dimensions import DimensionSpec
from school.intents import topic_of
from vietnamese.ellipsis import asks, continuation, correction, doubts, is_puzzled
from vietnamese.small_talk import SmallTalk, small_talk
from vietnamese.text import words
from vietnamese.written_values import NUMBER, WrittenValue, is_worded

MOST_ATTEMPTS = 3
"""The form ends after this many unsuccessful questions."""

WORDS_WITH_A_VALUE = 6
"""A reply to "what is your GPA?" has at most this many words beside a number without a unit."""

WORDS_OF_A_REPLY = 4
"""A reply to "which cohort?" has at most this many words beside the cohort, whatever its intent."""

SURE = 0.6
"""From this confidence a short message without a value counts as the question of its intent."""

CARRIED_BY_OTHER_BUTTONS = ("faq", "passage", "topic", "choice")

SMALL_TALK: Mapping[str, str | None] = {
    **{name: f"utter_{name}" for name in ("greet", "thank", "who_are_you", "praise", "complain", "abuse")},
    "affirm": None,
    "repeat": None,
}
"""Responses to small talk before the form asks again; None for "dạ" and for "say that again"."""

INTERRUPTING_INTENTS = (
    *("start_over", "show_profile", "change_profile", "forget_profile", "erase_all", "distress"),
)
"""Intents that interrupt the form as a question does; `action_answer` handles them."""

FAREWELLS: Mapping[str, str] = {
    "cancel": "utter_profile_abandoned",
    "deny": "utter_profile_abandoned",
    "goodbye": "utter_goodbye",
}


class ReplyKind(StrEnum):
    """The role of a message for the form."""

    FILLED = "filled"
    OTHER_QUESTION = "other_question"
    ADVISOR = "advisor"
    HAND_OVER = "hand_over"
    GIVEN_UP = "given_up"
    SMALL_TALK = "small_talk"
    MISUNDERSTOOD = "misunderstood"


STAGE_AFTER: Mapping[ReplyKind, str] = {
    ReplyKind.FILLED: "filled",
    ReplyKind.OTHER_QUESTION: "interrupted",
    ReplyKind.ADVISOR: "advisor",
    ReplyKind.HAND_OVER: "hand_over",
}
"""The kinds that end the form without a message, with the resulting `profile_stage`."""

HUMAN_REQUESTS: Mapping[str, ReplyKind] = {"ask_advisor": ReplyKind.ADVISOR, INTENT: ReplyKind.HAND_OVER}


def classify_reply(tracker: Tracker, dimension: str | None, catalog: Catalog) -> ReplyKind:  # noqa: PLR0911
    """Return the role of the latest message for a form that has asked for `dimension`, or (None) for a value."""
    if in_distress(tracker):
        return ReplyKind.OTHER_QUESTION
    named, confidence = intent(tracker)
    named_values = {each: mentioned(tracker, each) for each in catalog.dimension_ids}
    clear = any(len(values) == 1 and values[0] in catalog.ids(each) for each, values in named_values.items())
    is_topic = topic_of(named) is not None
    if dimension is not None and clear and len(named_values[dimension]) <= 1:
        # A value of another dimension also counts: the engine may no longer need the first.
        asks_more = is_topic and words_beside_profile(tracker, catalog.dimension_ids) > WORDS_OF_A_REPLY
        return ReplyKind.OTHER_QUESTION if asks_more else ReplyKind.FILLED
    if named in INTERRUPTING_INTENTS or any(
        mentioned(tracker, carried) for carried in CARRIED_BY_OTHER_BUTTONS
    ):
        return ReplyKind.OTHER_QUESTION
    if named in HUMAN_REQUESTS:
        return HUMAN_REQUESTS[named]
    if doubts(text(tracker)):
        return ReplyKind.MISUNDERSTOOD
    kind = small_talk(text(tracker))
    if named in FAREWELLS or kind is SmallTalk.GOODBYE:
        return ReplyKind.GIVEN_UP
    if named in SMALL_TALK or kind is not None:
        return ReplyKind.SMALL_TALK
    known = _spoken_of(tracker, dimension, catalog)
    if is_puzzled(text(tracker), known) and not (is_topic and confidence >= SURE):
        return ReplyKind.MISUNDERSTOOD
    if named in ("follow_up", "more") or asks(text(tracker)):
        return ReplyKind.OTHER_QUESTION
    short = len(words(text(tracker))) <= WORDS_OF_A_REPLY
    if (
        named == "inform"
        or (named == "correct" and short)
        or any(named_values.values())
        or (short and confidence < SURE and named != "out_of_scope")
    ):
        return ReplyKind.MISUNDERSTOOD
    return ReplyKind.OTHER_QUESTION


def _spoken_of(tracker: Tracker, dimension: str | None, catalog: Catalog) -> Sequence[str]:
    """Return the texts of the form's question, and the names of the values that it offers."""
    spec = catalog.dimension(dimension) if dimension is not None else None
    if spec is None:
        needed = _needed_value(tracker)
        return (needed.ask,) if needed is not None else ()
    spoken = language(tracker)
    values = (catalog.name(spec.id, value, spoken) for value in catalog.ids(spec.id))
    return (spec.name, *spec.questions(spoken), *values)


class ValidateProfileForm(EngineAction):
    """Decides at each turn whether the form ends, and with which stage.

    Every path sets a slot besides `requested_slot`: otherwise Rasa treats the form as rejected and answers the turn
    twice. The form asks for one dimension at a time; the engine may then need another.
    """

    def name(self) -> str:
        return "validate_profile_form"

    def on_failure(self, tracker: Tracker) -> Sequence[Event]:  # noqa: ARG002
        return [SlotSet("profile_stage", "abandoned"), SlotSet("requested_slot", None)]

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        if (needed := _needed_value(tracker)) is not None:
            return self._respond_for_value(tracker, engine, needed)
        dimension = _dimension(tracker, engine.catalog)
        if dimension is None:
            return _end_form("abandoned", [{"response": "utter_profile_abandoned"}])
        if tracker.get_slot("requested_slot") is None:  # the form has just been activated
            return _ask_again(1)
        if (value := _bare_reply(tracker, dimension.id, engine)) is not None:
            stated = current_profile(tracker, engine.catalog).with_value(dimension.id, value, now(tracker))
            left = _end_form("filled")
            return Outcome(left.messages, [SlotSet(PROFILE, stated.as_slot()), *left.events])
        return self._next(tracker, classify_reply(tracker, dimension.id, engine.catalog))

    def _respond_for_value(self, tracker: Tracker, engine: Engine, needed: NeededValue) -> Outcome:
        if tracker.get_slot("requested_slot") is None:  # the form has just been activated
            return _ask_again(1, slot=VALUE)
        if (value := _given_value(tracker, needed)) is not None and not in_distress(tracker):
            left = _end_form("filled")
            filled = {**(tracker.get_slot(VALUE) or {}), needed.name: value}
            return Outcome(left.messages, [SlotSet(VALUE, filled), *left.events])
        is_other = _corrects_another(tracker, needed) or _lists_values(_written(tracker))
        kind = ReplyKind.OTHER_QUESTION if is_other else classify_reply(tracker, None, engine.catalog)
        return self._next(tracker, kind, VALUE)

    def _next(self, tracker: Tracker, kind: ReplyKind, slot: str = PROFILE) -> Outcome:
        abandoned = "utter_value_abandoned" if slot == VALUE else "utter_profile_abandoned"
        named, attempts = intent(tracker)[0], _attempts(tracker)
        if kind in STAGE_AFTER:
            return _end_form(STAGE_AFTER[kind])
        if kind is ReplyKind.GIVEN_UP:
            farewell = FAREWELLS.get(named, "utter_goodbye")
            farewell = abandoned if farewell == "utter_profile_abandoned" else farewell
            return _end_form("abandoned", [{"response": farewell}])
        if kind is ReplyKind.SMALL_TALK:
            response = _response_to_talk(tracker)
            return _ask_again(attempts, [{"response": response}] if response else [], slot)
        if attempts >= MOST_ATTEMPTS:
            return _end_form("abandoned", [{"response": abandoned}])
        return _ask_again(attempts + 1, slot=slot)


class AskProfile(EngineAction):
    """Asks for the value of one dimension with buttons; after a misunderstanding, explains the dimension."""

    def name(self) -> str:
        return f"action_ask_profile_form_{PROFILE}"

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        dimension = _dimension(tracker, engine.catalog)
        if dimension is None:
            raise ValueError("the form asks for a dimension that the school no longer has")
        if _leaves_question_standing(tracker, engine.catalog):
            return Outcome(events=slots_set(tracker, {"profile_stage": None}))
        offered = [
            Option(_title(option, dimension, tracker, engine), {dimension.id: str(option[dimension.id])})
            for option in tracker.get_slot("profile_options") or ()
            if dimension.id in option
        ]
        explains = _attempts(tracker) > 1 and offered
        message: Message = {
            "response": "utter_explain_profile" if explains else "utter_ask_profile",
            "text": _wording(tracker, dimension, offered[0].title if explains else None),
            "buttons": buttons.choices(offered),
        }
        return Outcome([message], slots_set(tracker, {"profile_stage": None}))


class AskValue(EngineAction):
    """Asks for a calculator's value; says what is expected after a wrong value or a misunderstanding."""

    def name(self) -> str:
        return f"action_ask_profile_form_{VALUE}"

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        needed = _needed_value(tracker)
        if needed is None:
            raise ValueError("the form asks for a value that no calculator needs")
        if _leaves_question_standing(tracker, engine.catalog):
            return Outcome(events=slots_set(tracker, {"profile_stage": None}))
        has_limits = bool(needed.least and needed.most)
        response = "utter_ask_value"
        if has_limits and _attempts(tracker) > 1:
            response = "utter_explain_value"
        elif has_limits and needed.wrong:
            response = "utter_wrong_whole_value" if needed.whole else "utter_wrong_value"
        message: Message = {
            "response": response,
            "ask": needed.ask,
            "least": needed.least,
            "most": needed.most,
            "wrong": needed.wrong,
        }
        if response == "utter_ask_value":
            message["text"] = needed.ask
        return Outcome([message], slots_set(tracker, {"profile_stage": None}))


def _title(option: Mapping[str, Any], dimension: DimensionSpec, tracker: Tracker, engine: Engine) -> str:
    """Return the name of the option's value in the student's language, or its own title when the catalog lacks it."""
    value = str(option[dimension.id])
    if value not in engine.catalog.ids(dimension.id):
        return str(option["title"])
    return engine.catalog.name(dimension.id, value, language(tracker))


def _wording(tracker: Tracker, dimension: DimensionSpec, example: str | None) -> str:
    """Return a wording of the question, or of the explanation with `example`; the time selects it."""
    spoken = language(tracker)
    wordings = dimension.questions(spoken) if example is None else dimension.explanations(spoken)
    return wordings[int(now(tracker)) % len(wordings)].replace("{example}", example or "")


def _response_to_talk(tracker: Tracker) -> str | None:
    """Return the response to small talk within the form; None for "dạ" and for other messages."""
    named = intent(tracker)[0]
    return SMALL_TALK[named] if named in SMALL_TALK else _response(text(tracker))


def _leaves_question_standing(tracker: Tracker, catalog: Catalog) -> bool:
    """Return whether the question stands as asked: after thanks, and after small talk once it has been repeated."""
    dimension = _dimension(tracker, catalog)
    kind = classify_reply(tracker, dimension.id if dimension is not None else None, catalog)
    response = _response_to_talk(tracker)
    if kind is not ReplyKind.SMALL_TALK or response is None:
        return False
    return response == "utter_thank" or _has_talked_before(tracker)


def _has_talked_before(tracker: Tracker) -> bool:
    """Return whether another message since the form began was small talk after which the question was repeated."""
    said = []
    for event in reversed(tracker.events):
        if event.get("event") == "active_loop":
            break
        if event.get("event") == "user":
            said.append(event)
    responses = (
        SMALL_TALK.get(intent_of(event)) or _response(str(event.get("text") or "")) for event in said[1:]
    )
    return any(response not in (None, "utter_thank") for response in responses)


def _response(typed: str) -> str | None:
    """Return the response to small talk by phrase, for a message with another intent."""
    kind = small_talk(typed)
    return None if kind in (None, SmallTalk.ACKNOWLEDGEMENT) else f"utter_{kind.value}"


def _dimension(tracker: Tracker, catalog: Catalog) -> DimensionSpec | None:
    missing = tracker.get_slot("missing_dimensions") or ()
    return catalog.dimension(missing[0]) if missing else None


def _bare_reply(tracker: Tracker, dimension: str, engine: Engine) -> str | None:
    """Return the value that a short reply names in answer to the form: "luật" after "which major?"."""
    typed = text(tracker)
    if (
        any(mentioned(tracker, each) for each in engine.catalog.dimension_ids)
        or len(words(typed)) > WORDS_OF_A_REPLY
    ):
        return None
    return engine.named_value(dimension, typed)


def _attempts(tracker: Tracker) -> int:
    return int(tracker.get_slot("profile_attempts") or 1)


def _end_form(stage: str, messages: Sequence[Message] = ()) -> Outcome:
    return Outcome(messages, [SlotSet("profile_stage", stage), SlotSet("requested_slot", None)])


def _ask_again(attempts: int, messages: Sequence[Message] = (), slot: str = PROFILE) -> Outcome:
    return Outcome(messages, [SlotSet("profile_attempts", attempts), SlotSet("requested_slot", slot)])


def _needed_value(tracker: Tracker) -> NeededValue | None:
    kept = tracker.get_slot("needed_value")
    return NeededValue(**{**kept, "units": tuple(kept["units"])}) if kept else None


def _given_value(tracker: Tracker, needed: NeededValue) -> float | str | None:
    """Return the value of the latest message in a unit of `needed`, or its number alone; None without one."""
    written = _written(tracker)
    if _lists_values(written) and correction(text(tracker)) is None:
        return None
    for unit in needed.units:
        if found := [value.value for value in written if value.unit == unit]:
            return found[-1]
    if any(map(is_worded, needed.units)) or _corrects_another(tracker, needed):
        return None
    # Other units have everyday words: "85 điểm", "5 tháng"; "toeic 450 đủ chưa" asks something else.
    is_question = asks(text(tracker))
    numbers = [
        value.value
        for value in written
        if isinstance(value.value, float) and not (is_question and value.unit != NUMBER)
    ]
    return numbers[0] if len(numbers) == 1 and len(words(text(tracker))) <= WORDS_WITH_A_VALUE else None


def _lists_values(written: Sequence[WrittenValue]) -> bool:
    """Return whether several values have one unit, which fill a calculation of their own: "3 tín A, 8 tín B"."""
    with_unit = [value.unit for value in written if value.unit != NUMBER]
    return len(with_unit) > len(set(with_unit))


def _corrects_another(tracker: Tracker, needed: NeededValue) -> bool:
    """Return whether a number is another input's: "thế 2.8 tròn", "à nhầm, gpa 3.1" after "bao nhiêu tín chỉ?"."""
    typed = text(tracker)
    goes_back = continuation(typed) is not None or correction(typed) is not None
    return any(
        (needed.whole and not value.value.is_integer()) or (goes_back and value.unit != NUMBER)
        for value in _written(tracker)
        if isinstance(value.value, float)
    )


def _written(tracker: Tracker) -> Sequence[WrittenValue]:
    said = reading(tracker)
    return said.written_values if said is not None else ()
