"""The contact in charge of a conversation: the office that is named, that of its last topic, else the school."""

from __future__ import annotations

from rasa_sdk import Tracker

from actions import cards
from actions.base import Message
from actions.tracker import language, one_mentioned
from rag.answer.contacts import office_contact, school_contact
from rag.engine import Engine
from school.catalog import Office


def office_in_charge(tracker: Tracker, engine: Engine) -> Office | None:
    """Return the one office that the message names, else that of the last topic; None without one."""
    if (named := one_mentioned(tracker, "office")) is not None:
        return engine.catalog.office(named)
    topic = next((topic for topic in engine.topics if topic.id == tracker.get_slot("last_topic")), None)
    return engine.catalog.office(topic.office) if topic is not None else None


def contact_message(tracker: Tracker, engine: Engine) -> Message:
    """Return the message that names the contact in charge, with its contact card."""
    spoken, catalog = language(tracker), engine.catalog
    if (office := office_in_charge(tracker, engine)) is not None:
        contact, response = office_contact(office, catalog, spoken), "utter_contact_office"
    elif catalog.school.name:
        contact, response = school_contact(catalog, spoken), "utter_contact_school"
    else:
        return {"response": "utter_contact_unknown"}
    return {"response": response, "office": contact.name, **cards.contacts([contact])}
