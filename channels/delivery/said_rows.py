"""The messages of both sides as rows."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from channels.delivery.message import Message


def said_row(channel: str, sender: str, message: Message, turn_id: int | None) -> dict[str, Any]:
    """Return the row of a message; `turn_id` is the turn that it answers."""
    return {
        "channel": channel,
        "sender": sender,
        "turn_id": turn_id,
        "author": message.author,
        "message": json.dumps(message.as_json()),
        "at": message.at,
    }


def message_of_row(row: Any) -> Message:
    """Return the message of a row that has `id` and `message`."""
    return replace(Message.of_json(json.loads(row.message)), id=row.id)
