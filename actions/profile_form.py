"""The profile form: asks for the value that an answer depends on, and notices when the student changes the subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from rasa_sdk import Tracker
from rasa_sdk.events import SlotSet

from actions import buttons
from actions.base import EngineAction, Event, Message, Outcome
from actions.conversation_state import PROFILE, now
from actions.dialogue_acts import in_distress
from actions.follow_up_resolution import given_now
from actions.hand_over import INTENT
from actions.small_talk import BY_INTENT, RESPONSES
from actions.tracker import intent, language, mentioned, slots_set, text, words_beside_profile
from rag.engine import Engine
from rag.types import Option
from school.catalog import Catalog
from school.dimensions import DimensionSpec
from school.intents import topic_of
from vietnamese.small_talk import SmallTalk, small_talk
from vietnamese.text import words

MOST_ATTEMPTS = 3
"""How often the same is asked before giving up."""

WORDS_OF_A_REPLY = 4
"""A reply to "which cohort?" has at most so many words besides the cohort, whatever topic it is taken for."""

SURE = 0.6
"""Above this confidence a short message without a value is taken for the question it was classified as."""

CARRIED_BY_OTHER_BUTTONS = ("faq", "passage", "topic", "choice")

SMALL_TALK: Mapping[str, str | None] = {
    **{name: BY_INTENT[name] for name in ("thank", "who_are_you", "praise", "complain", "abuse")},
    "greet": "utter_greet",
    "affirm": None,
    "repeat": None,
}
"""What is said to small talk before the form asks again; nothing to a mere "dạ", or to "say that again"."""

ABOUT_THE_TALK = ("start_over", "show_profile", "change_profile", "forget_profile", "distress")
"""What ends the form like a question does: `action_answer` sees to it."""

GOING_ON = ("follow_up", "more", "correct")
"""What without a value goes on with nothing but the question of the form."""

GIVING_UP: Mapping[str, str] = {
    "cancel": "utter_profile_abandoned",
    "deny": "utter_profile_abandoned",
    "goodbye": "utter_goodbye",
}


class Reading(StrEnum):
    """What a message is to the form."""

    FILLED = "filled"
    OTHER_QUESTION = "other_question"
    ADVISOR = "advisor"
    HAND_OVER = "hand_over"
    GIVEN_UP = "given_up"
    SMALL_TALK = "small_talk"
    MISUNDERSTOOD = "misunderstood"


LEAVING: Mapping[Reading, str] = {
    Reading.FILLED: "filled",
    Reading.OTHER_QUESTION: "interrupted",
    Reading.ADVISOR: "advisor",
    Reading.HAND_OVER: "hand_over",
}
"""The readings after which the form is over without a word of its own, and the stage that says why."""


PERSON: Mapping[str, Reading] = {"ask_advisor": Reading.ADVISOR, INTENT: Reading.HAND_OVER}


def read(tracker: Tracker, dimension: str, catalog: Catalog) -> Reading:  # noqa: PLR0911
    """What the latest message is to a form that has asked for `dimension`."""
    if in_distress(tracker):
        return Reading.OTHER_QUESTION
    named, confidence = intent(tracker)
    named_values = {each: mentioned(tracker, each) for each in catalog.dimension_ids}
    clear = any(len(values) == 1 and values[0] in catalog.ids(each) for each, values in named_values.items())
    is_topic = topic_of(named) is not None
    if clear and len(named_values[dimension]) <= 1:
        # Another dimension than the one asked for is welcome too: with it, the engine may not need the first.
        asks_more = is_topic and words_beside_profile(tracker, catalog.dimension_ids) > WORDS_OF_A_REPLY
        return Reading.OTHER_QUESTION if asks_more else Reading.FILLED
    if named in ABOUT_THE_TALK or any(mentioned(tracker, carried) for carried in CARRIED_BY_OTHER_BUTTONS):
        return Reading.OTHER_QUESTION
    if named in PERSON:
        return PERSON[named]
    kind = small_talk(text(tracker))
    if named in GIVING_UP or kind is SmallTalk.GOODBYE:
        return Reading.GIVEN_UP
    if named in SMALL_TALK or kind is not None:
        return Reading.SMALL_TALK
    short = len(words(text(tracker))) <= WORDS_OF_A_REPLY
    if (
        named == "inform"
        or (named in GOING_ON and short)
        or any(named_values.values())
        or (short and confidence < SURE and named != "out_of_scope")
    ):
        return Reading.MISUNDERSTOOD
    return Reading.OTHER_QUESTION


class ValidateProfileForm(EngineAction):
    """Decides, turn by turn, whether the form is done and how.

    Every path sets at least one slot besides `requested_slot`: otherwise Rasa takes the form for rejected and
    answers the turn twice. The form asks for one dimension at a time; with it the engine is asked again, and
    may need another.
    """

    def name(self) -> str:
        return "validate_profile_form"

    def on_failure(self, tracker: Tracker) -> Sequence[Event]:  # noqa: ARG002
        return [SlotSet("profile_stage", "abandoned"), SlotSet("requested_slot", None)]

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        dimension = _dimension(tracker, engine.catalog)
        if dimension is None:
            return _left("abandoned", [{"response": "utter_profile_abandoned"}])
        if tracker.get_slot("requested_slot") is None:  # the form has just been activated
            return _again(1)
        if (value := _bare_reply(tracker, dimension.id, engine)) is not None:
            given = given_now(tracker, engine.catalog).with_value(dimension.id, value, now(tracker))
            left = _left("filled")
            return Outcome(left.messages, [SlotSet(PROFILE, given.as_slot()), *left.events])
        return self._next(tracker, read(tracker, dimension.id, engine.catalog))

    def _next(self, tracker: Tracker, reading: Reading) -> Outcome:
        named, attempts = intent(tracker)[0], _attempts(tracker)
        if reading in LEAVING:
            return _left(LEAVING[reading])
        if reading is Reading.GIVEN_UP:
            return _left("abandoned", [{"response": GIVING_UP.get(named, RESPONSES[SmallTalk.GOODBYE])}])
        if reading is Reading.SMALL_TALK:
            response = SMALL_TALK[named] if named in SMALL_TALK else _response(text(tracker))
            return _again(attempts, [{"response": response}] if response else [])
        if attempts >= MOST_ATTEMPTS:
            return _left("abandoned", [{"response": "utter_profile_abandoned"}])
        return _again(attempts + 1)


class AskProfile(EngineAction):
    """Asks for the value of one dimension with buttons; after a misunderstanding, explains what is meant."""

    def name(self) -> str:
        return f"action_ask_profile_form_{PROFILE}"

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        dimension = _dimension(tracker, engine.catalog)
        if dimension is None:
            raise ValueError("the form asks for a dimension that the school no longer has")
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


def _title(option: Mapping[str, Any], dimension: DimensionSpec, tracker: Tracker, engine: Engine) -> str:
    """The name of a value in the language of the talk; one that the catalogue lacks has the title it came with."""
    value = str(option[dimension.id])
    if value not in engine.catalog.ids(dimension.id):
        return str(option["title"])
    return engine.catalog.name(dimension.id, value, language(tracker))


def _wording(tracker: Tracker, dimension: DimensionSpec, example: str | None) -> str:
    """One of the school's wordings of the question, or of the explanation with an example; each has its turn."""
    spoken = language(tracker)
    wordings = dimension.questions(spoken) if example is None else dimension.explanations(spoken)
    return wordings[int(now(tracker)) % len(wordings)].replace("{example}", example or "")


def _response(typed: str) -> str | None:
    """What is said to small talk that the classifier has taken for something else."""
    kind = small_talk(typed)
    return None if kind in (None, SmallTalk.ACKNOWLEDGEMENT) else RESPONSES[kind]


def _dimension(tracker: Tracker, catalog: Catalog) -> DimensionSpec | None:
    missing = tracker.get_slot("missing_dimensions") or ()
    return catalog.dimension(missing[0]) if missing else None


def _bare_reply(tracker: Tracker, dimension: str, engine: Engine) -> str | None:
    """The value that a short reply names only because it was asked for: "luật" after "which major?"."""
    typed = text(tracker)
    if (
        any(mentioned(tracker, each) for each in engine.catalog.dimension_ids)
        or len(words(typed)) > WORDS_OF_A_REPLY
    ):
        return None
    return engine.named_value(dimension, typed)


def _attempts(tracker: Tracker) -> int:
    return int(tracker.get_slot("profile_attempts") or 1)


def _left(stage: str, messages: Sequence[Message] = ()) -> Outcome:
    return Outcome(messages, [SlotSet("profile_stage", stage), SlotSet("requested_slot", None)])


def _again(attempts: int, messages: Sequence[Message] = ()) -> Outcome:
    return Outcome(messages, [SlotSet("profile_attempts", attempts), SlotSet("requested_slot", PROFILE)])
