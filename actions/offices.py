"""The contact in charge: the office that is named, that of the reason or of the last topic, or the school."""

from __future__ import annotations

from rasa_sdk import Tracker

from actions import cards
from actions.base import Message
from actions.tracker import SURE_OF_A_TOPIC, language, one_mentioned, reading, text
from rag.answer.contacts import office_contact, school_contact
from rag.engine import Engine
from school.catalog import Office
from vietnamese.impersonal_question import reason_beside_a_person


def office_in_charge(tracker: Tracker, engine: Engine) -> Office | None:
    """Return the one office that the message names, else that of its reason or of the last topic; None without one."""
    if (named := one_mentioned(tracker, "office")) is not None:
        return engine.catalog.office(named)
    spoken_of = _topic_of_the_reason(tracker) or tracker.get_slot("last_topic")
    topic = next((topic for topic in engine.topics if topic.id == spoken_of), None)
    return engine.catalog.office(topic.office) if topic is not None else None


def _topic_of_the_reason(tracker: Tracker) -> str | None:
    """Return the topic of what a message says beside asking for a person; None when it says nothing, or is unsure."""
    read = reading(tracker)
    if read is None or not read.topics or not reason_beside_a_person(text(tracker)):
        return None
    topic, share = max(read.topics.items(), key=lambda each: each[1])
    return topic if share >= SURE_OF_A_TOPIC else None


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
