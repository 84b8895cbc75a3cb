"""What students say to the bot that is no question to the school: about themselves, about the talk itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rasa_sdk import Tracker

from actions import buttons, counselling, hand_over
from actions.base import Message
from actions.conversation_state import Given
from actions.tracker import intent, language, text
from actions.turn import NOTHING_PENDING, Told, Turn
from rag.engine import Engine
from rag.types import Question
from school.dimensions import Profile
from vietnamese.distress import distress
from vietnamese.text import words
from vietnamese.venting import vents

MOST_WORDS = 14
"""A longer message that is taken for an act of talk has a question in it."""

MAYBE_DISTRESS = 0.2
"""The probability of distress from which a grumble is answered as one: too much care does less harm than too little."""

Act = Callable[[Turn], Told | None]


def act_of(turn: Turn) -> Told | None:
    """What is said to an act of talk; None when the message is a question, or goes on with one."""
    named = intent(turn.tracker)[0]
    if named not in ACTS or len(words(text(turn.tracker))) > MOST_WORDS:
        return None
    return ACTS[named](turn)


def in_distress(tracker: Tracker) -> bool:
    """Whether somebody may be in danger: by the classifier, or by what they say."""
    return intent(tracker)[0] == "distress" or distress(text(tracker))


def distress_message(tracker: Tracker, engine: Engine) -> Message:
    """Whom to turn to at once."""
    spoken = language(tracker)
    return {
        "response": "utter_distress",
        "buttons": hand_over.offered(spoken),
        **counselling.everybody(engine.catalog, spoken),
    }


def grumble_message(turn: Turn) -> Message:
    """A kind word, and that there is somebody to talk to: no alarm."""
    return {"response": "utter_grumble", **counselling.first(turn.engine.catalog, language(turn.tracker))}


def _grumbled(turn: Turn) -> Told | None:
    # The engine would find what is said to those in danger.
    if not vents(text(turn.tracker)):
        return None
    if _may_be_distress(turn.tracker):
        return Told([distress_message(turn.tracker, turn.engine)], {**NOTHING_PENDING, "last_topic": None})
    return Told([grumble_message(turn)])


def _may_be_distress(tracker: Tracker) -> bool:
    ranked = tracker.latest_message.get("intent_ranking") or ()
    return any(r.get("name") == "distress" and float(r["confidence"]) >= MAYBE_DISTRESS for r in ranked)


def _show_profile(turn: Turn) -> Told:
    if not (profile := turn.named()):
        return Told([{"response": "utter_profile_empty", "dimensions": _dimensions(turn)}])
    return Told([{"response": "utter_profile_shown", "profile": profile}])


def _change_profile(turn: Turn) -> Told | None:
    if any(dimension in _said(turn) for dimension in turn.known.values):
        return None  # with the new value, it is what `inform` is
    return Told([{"response": "utter_change_profile", "dimensions": _dimensions(turn)}])


def _forget_profile(turn: Turn) -> Told:  # noqa: ARG001  every act is given the turn
    forgotten = {**NOTHING_PENDING, "last_turn": None, "last_topic": None, "unresolved": None}
    return Told([{"response": "utter_profile_forgotten"}], forgotten, Given())


def _start_over(turn: Turn) -> Told:  # noqa: ARG001
    changes = {**NOTHING_PENDING, "last_turn": None, "last_topic": None, "unresolved": None}
    return Told([{"response": "utter_restarted"}], changes)


def _more(turn: Turn) -> Told:
    if turn.last is None:
        return Told([{"response": "utter_ask_for_question"}])
    asked = Question(turn.last.question, profile=Profile(turn.last.profile))
    options = turn.engine.related(asked, turn.last.answer_id)
    if not options:
        return Told([{"response": "utter_no_more"}])
    return Told([{"response": "utter_more", "buttons": buttons.choices(options)}])


def _affirm(turn: Turn) -> Told | None:
    return None if turn.settles is not None else Told([{"response": "utter_affirm"}])


def _deny(turn: Turn) -> Told | None:
    if turn.settles is not None:
        return None
    # "Không phải" to a choice: nothing of it was meant.
    return Told([{"response": "utter_none_of_these" if turn.asked_back.offered else "utter_deny"}])


ACTS: Mapping[str, Act] = {
    "show_profile": _show_profile,
    "change_profile": _change_profile,
    "forget_profile": _forget_profile,
    "start_over": _start_over,
    "more": _more,
    "affirm": _affirm,
    "deny": _deny,
    "out_of_scope": _grumbled,
    "nlu_fallback": _grumbled,
}
"""By intent. An act that is no more than a question after all gives None."""


def _dimensions(turn: Turn) -> str:
    """What answers may depend on, in words."""
    spoken = language(turn.tracker)
    return ", ".join(dimension.called(spoken) for dimension in turn.engine.catalog.dimensions)


def _said(turn: Turn) -> set[str]:
    return {str(entity.get("entity")) for entity in turn.tracker.latest_message.get("entities") or ()}
