"""`action_hand_over` passes the conversation to an advisor in the same chat.

`channels/delivery/turn_handler.py` keeps the state of the hand-over; the tracker has none of it. The bot offers it only
where the school receives hand-overs.
"""

from __future__ import annotations

from typing import Any

from rasa_sdk import Tracker

from actions.base import EngineAction, Outcome
from actions.buttons import Button
from actions.conversation_state import LastTurn
from actions.offices import contact_message, office_in_charge
from actions.tracker import is_distress, slots_set
from actions.turn import NOTHING_PENDING
from rag.engine import Engine
from rag.settings import settings
from school.catalog import AdvisingHours
from vietnamese.data_files import yaml_beside
from vietnamese.ellipsis import names_nothing
from vietnamese.language_detection import Language
from vietnamese.text import MAX_QUESTION_CHARS, clean

INTENT = "hand_over"


def is_possible() -> bool:
    """Return whether the school receives hand-overs: advisors log in with the token."""
    return bool(settings().advisor_token.get_secret_value())


def offer_buttons(language: Language) -> list[Button]:
    """Return the hand-over button; empty when the school receives none."""
    titles = yaml_beside(__file__, "hand_over.yml")["button"]
    return [{"title": titles[language], "payload": f"/{INTENT}"}] if is_possible() else []


class ActionHandOver(EngineAction):
    """Sends the hand-over to the channel, with its topic, office and last question for the advisor."""

    def name(self) -> str:
        return "action_hand_over"

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        changes = slots_set(tracker, {**NOTHING_PENDING, "unresolved": None})
        if not is_possible():  # a button from before the school stopped receiving hand-overs
            return Outcome([contact_message(tracker, engine)], changes)
        office = office_in_charge(tracker, engine)
        request = {
            "type": "hand_over",
            "topic": tracker.get_slot("last_topic"),
            "office": office.name if office is not None else "",
            "question": last_question(tracker),
            "hours": hours_as_json(engine.catalog.school.advising_hours),
        }
        return Outcome([{"response": "utter_handed_over", "json_message": request}], changes)


def last_question(tracker: Tracker) -> str:
    """Return the last question as self-contained text; empty without one.

    A later message of distress takes precedence.
    """
    last = LastTurn.from_tracker(tracker)
    for event in reversed(tracker.events):
        if event.get("event") != "user":
            continue
        if last is not None and float(event.get("timestamp") or 0.0) <= last.at:
            break
        if is_distress(event):
            return clean(str(event.get("text") or ""), MAX_QUESTION_CHARS)
    if last is None or not last.typed:
        return last.question if last is not None else ""
    # "Nộp ở đâu vậy" says nothing to an advisor without the question before it.
    return f"{last.question} {last.typed}" if names_nothing(last.typed) else last.typed


def hours_as_json(hours: AdvisingHours | None) -> dict[str, Any] | None:
    """Return `hours` as `channels/delivery/opening_hours.py` reads them."""
    if hours is None:
        return None
    return {
        "timezone": hours.timezone,
        "week": {
            day: [[f"{span.begins:%H:%M}", f"{span.ends:%H:%M}"] for span in spans]
            for day, spans in hours.week
        },
        "closed": [day.isoformat() for day in hours.closed],
    }
