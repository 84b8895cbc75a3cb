"""Counselling contacts for a student in trouble, as parts of a message."""

from __future__ import annotations

from typing import Any

from actions import cards
from rag.answer.contacts import counselling_contacts
from school.catalog import Catalog
from vietnamese.language_detection import Language


def all_contacts(catalog: Catalog, language: Language) -> dict[str, Any]:
    """Return the part of `utter_distress` with a card per contact that has a phone, in the school's order."""
    return cards.contacts(contact for contact in counselling_contacts(catalog, language) if contact.phone)


def first_contact(catalog: Catalog, language: Language) -> dict[str, Any]:
    """Return the part of `utter_grumble`: the first contact's name in Markdown and its card."""
    named = counselling_contacts(catalog, language)[:1]
    name = f"**{named[0].name}**" if named else ""
    return {"counselling": name, **cards.contacts(named)}
