"""`action_ask_advisor` names the office in charge."""

from __future__ import annotations

from rasa_sdk import Tracker

from actions import hand_over
from actions.base import EngineAction, Outcome
from actions.dialogue_acts import contacts_after_distress
from actions.offices import contact_message
from actions.tracker import language, slots_set
from actions.turn import NOTHING_PENDING
from rag.engine import Engine


class ActionAskAdvisor(EngineAction):
    """Names the office in charge, or the school without one, and offers a hand-over to an advisor."""

    def name(self) -> str:
        return "action_ask_advisor"

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        # "Em cần gặp người thật" after distress asks for no office of the last topic.
        contacts = contacts_after_distress(tracker, engine) or contact_message(tracker, engine)
        message = {**contacts, "buttons": hand_over.offer_buttons(language(tracker))}
        return Outcome([message], slots_set(tracker, NOTHING_PENDING))
