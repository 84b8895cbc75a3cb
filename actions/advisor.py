"""`action_ask_advisor`: whom to turn to."""

from __future__ import annotations

from collections.abc import Iterable

from rasa_sdk import Tracker

from actions.base import EngineAction, Message, Outcome
from actions.tracker import language, slots_set
from actions.turn import NOTHING_PENDING
from rag.engine import Engine


class ActionAskAdvisor(EngineAction):
    """Names the office of the topic last spoken of, or the school when none was."""

    def name(self) -> str:
        return "action_ask_advisor"

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        topic = next((topic for topic in engine.topics if topic.id == tracker.get_slot("last_topic")), None)
        office = engine.catalog.office(topic.office) if topic is not None else None
        school = engine.catalog.school
        english = language(tracker) == "en"
        message: Message = {"response": "utter_contact_unknown"}
        if office is not None:
            contact = _contact(office.phone, office.email, office.location, office.hours or school.hours)
            name = (office.name_en if english else "") or office.name
            message = {"response": "utter_contact_office", "office": name, "contact": contact}
        elif school.name:
            contact = _contact(school.phone, school.email, school.address, school.hours)
            name = (school.name_en if english else "") or school.name
            message = {"response": "utter_contact_school", "office": name, "contact": contact}
        return Outcome([message], slots_set(tracker, NOTHING_PENDING))


def _contact(phone: str, email: str, place: str, hours: str) -> str:
    lines: Iterable[tuple[str, str]] = (("📞", phone), ("✉️", email), ("📍", place), ("🕒", hours))
    return "\n".join(f"- {mark} {line}" for mark, line in lines if line)
