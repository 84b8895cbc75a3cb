"""Cards as channels get them: JSON, as `server/delivery/message.py` describes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import date
from typing import Any

from rag.types import Card, Contact


def as_json(cards: Iterable[Card]) -> list[dict[str, Any]]:
    """The fields of each card; a day as ISO 8601."""
    return [
        {name: v.isoformat() if isinstance(v, date) else v for name, v in asdict(card).items()}
        for card in cards
    ]


def contacts(cards: Iterable[Contact]) -> dict[str, Any]:
    """What a message carries beside its text when it tells whom to turn to; nothing when there is nobody."""
    reached = [card for card in cards if card.phone or card.email or card.address]
    return {"json_message": {"type": "contacts", "cards": as_json(reached)}} if reached else {}
