"""Counselling contacts for a student in trouble, as parts of a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from actions import cards
from rag.answer.contacts import counselling_contacts
from rag.types import FaqEntry, Matter
from school.catalog import Catalog
from vietnamese.data_files import yaml_beside
from vietnamese.language_detection import Language


def matter(catalog: Catalog, entry_of: Callable[[str], FaqEntry | None]) -> Matter:
    """Return the matter of a conversation after distress: counselling.

    It is the first entry of the office that the school names first for it, else that contact by its name, else the
    service; in Vietnamese, the language of a school's entries. `entry_of` returns the first entry that an office owns.
    """
    named = catalog.counselling[:1]
    if not named:
        return Matter(yaml_beside(__file__, "counselling.yml")["service"])
    entry = entry_of(named[0].office) if named[0].office is not None else None
    if entry is not None:
        return Matter(entry.question, entry.id)
    return Matter(counselling_contacts(catalog, "vi")[0].name)


def all_contacts(catalog: Catalog, language: Language) -> dict[str, Any]:
    """Return the part of `utter_distress` with a card per contact that has a phone, in the school's order."""
    return cards.contacts(contact for contact in counselling_contacts(catalog, language) if contact.phone)


def first_contact(catalog: Catalog, language: Language) -> dict[str, Any]:
    """Return the part of `utter_grumble`: the first contact's name in Markdown and its card."""
    named = counselling_contacts(catalog, language)[:1]
    name = f"**{named[0].name}**" if named else ""
    return {"counselling": name, **cards.contacts(named)}
