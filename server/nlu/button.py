"""A pressed button: its message brings its intent and entities along, and nothing of it is to be understood."""

from __future__ import annotations

from rasa.shared.constants import INTENT_MESSAGE_PREFIX
from rasa.shared.nlu.constants import TEXT
from rasa.shared.nlu.training_data.message import Message


def is_button(message: Message) -> bool:
    """Whether a message is a pressed button and not typed."""
    return str(message.get(TEXT) or "").startswith(INTENT_MESSAGE_PREFIX)
