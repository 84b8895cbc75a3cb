"""Whom a student in trouble can turn to, as parts of a message."""

from __future__ import annotations

from typing import Any

from actions import cards
from rag.answer.contacts import counselling_contacts
from school.catalog import Catalog
from vietnamese.language_detection import Language


def everybody(catalog: Catalog, language: Language) -> dict[str, Any]:
    """Beside `utter_distress`: a card for each who can be called, in the school's order."""
    return cards.contacts(contact for contact in counselling_contacts(catalog, language) if contact.phone)


def first(catalog: Catalog, language: Language) -> dict[str, Any]:
    """For `utter_grumble`: the name of who comes first of those, in Markdown, and their card."""
    named = counselling_contacts(catalog, language)[:1]
    name = f"**{named[0].name}**" if named else ""
    return {"counselling": name, **cards.contacts(named)}
