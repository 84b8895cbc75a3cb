"""Counselling contacts for a student in trouble, as parts of a message."""

from __future__ import annotations

from typing import Any

from actions import cards
from rag.answer.contacts import counselling_contacts
from rag.types import Matter
from school.catalog import Catalog
from vietnamese.data_files import yaml_beside
from vietnamese.language_detection import Language


def matter(catalog: Catalog) -> Matter:
    """Return the matter of a conversation after distress: counselling, by the school's first contact for it.

    It is named in Vietnamese, the language of a school's entries.
    """
    named = counselling_contacts(catalog, "vi")[:1]
    service: str = yaml_beside(__file__, "counselling.yml")["service"]
    return Matter(named[0].name if named and catalog.counselling else service)


def all_contacts(catalog: Catalog, language: Language) -> dict[str, Any]:
    """Return the part of `utter_distress` with a card per contact that has a phone, in the school's order."""
    return cards.contacts(contact for contact in counselling_contacts(catalog, language) if contact.phone)


def first_contact(catalog: Catalog, language: Language) -> dict[str, Any]:
    """Return the part of `utter_grumble`: the first contact's name in Markdown and its card."""
    named = counselling_contacts(catalog, language)[:1]
    name = f"**{named[0].name}**" if named else ""
    return {"counselling": name, **cards.contacts(named)}
