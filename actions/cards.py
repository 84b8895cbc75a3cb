"""Cards as JSON for the channels, in the form that `channels/delivery/message.py` describes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import date
from typing import Any

from rag.types import Card, Contact


def as_json(cards: Iterable[Card]) -> list[dict[str, Any]]:
    """Return the fields of each card, with dates in ISO 8601."""
    return [
        {name: v.isoformat() if isinstance(v, date) else v for name, v in asdict(card).items()}
        for card in cards
    ]


def contacts(cards: Iterable[Contact]) -> dict[str, Any]:
    """Return the message part with the contact cards; empty when no card has a phone, email or address."""
    reached = [card for card in cards if card.phone or card.email or card.address]
    return {"json_message": {"type": "contacts", "cards": as_json(reached)}} if reached else {}
