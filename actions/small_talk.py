"""`action_small_talk` replies to small talk by intent."""

from __future__ import annotations

from collections.abc import Mapping

from rasa_sdk import Tracker

from actions.base import EngineAction, Outcome
from actions.dialogue_acts import message_after_distress, venting_message
from actions.tracker import intent, text
from rag.engine import Engine
from vietnamese.small_talk import SmallTalk
from vietnamese.venting import vents

RESPONSES: Mapping[SmallTalk, str] = {
    SmallTalk.WHO_ARE_YOU: "utter_who_are_you",
    SmallTalk.HOW_ARE_YOU: "utter_how_are_you",
    SmallTalk.ABUSE: "utter_abuse",
    SmallTalk.COMPLAINT: "utter_complain",
    SmallTalk.PRAISE: "utter_praise",
    SmallTalk.THANKS: "utter_thank",
    SmallTalk.GOODBYE: "utter_goodbye",
    SmallTalk.GREETING: "utter_greet",
    SmallTalk.TEST: "utter_test",
    SmallTalk.LAUGHTER: "utter_laughter",
    SmallTalk.ACKNOWLEDGEMENT: "utter_affirm",
}

BY_INTENT: Mapping[str, str] = {
    "complain": "utter_complain",
    "praise": "utter_praise",
    "abuse": "utter_abuse",
    "goodbye": "utter_goodbye",
    "thank": "utter_thank",
    "cancel": "utter_cancel",
    "who_are_you": "utter_who_are_you",
}

AFTER_DISTRESS = ("cancel", "thank", "goodbye", "praise")
"""Intents whose usual reply would pass over the distress of the message before."""


class ActionSmallTalk(EngineAction):
    """Replies by the intent of the message; profile values in it are stored."""

    def name(self) -> str:
        return "action_small_talk"

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        named = intent(tracker)[0]
        if vents(text(tracker)):
            return Outcome([venting_message(tracker, engine)])
        if named in AFTER_DISTRESS and (after := message_after_distress(tracker, engine)) is not None:
            return Outcome([after])
        return Outcome([{"response": BY_INTENT.get(named, "utter_default")}])
