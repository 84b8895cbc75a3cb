"""Where a number or mail address of the catalogue still stands after it was changed there.

Answers and documents tell contacts in their own words: a card would have the new number, and the text beside it the old
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from console.fact_files import FactFiles
from console.faq_files import FaqFiles
from console.knowledge_files import text_and_hash
from console.personal_data import contact_keys
from rag.index.format import Index

MOST_PLACES = 50

_GAP = r"[\s.()-]*"
_LOCAL_DIGITS = 7
"""The last digits of a number, which may stand without its area code."""


def given_up(before: Mapping[str, Any], faq: FaqFiles) -> frozenset[str]:
    """Return the contacts of a part of the catalogue, as it was, that the catalogue has no longer."""
    catalogue, _ = text_and_hash(faq.knowledge / "catalog.yml")
    return contact_keys(map(str, before.values())) - contact_keys([catalogue])


def places_of(
    contacts: Iterable[str], faq: FaqFiles, facts: FactFiles, index: Index
) -> Sequence[Mapping[str, str]]:
    """Return the entries, facts and documents that have one of the contacts, each once.

    They have `kind`, `id` and `name`; a document has the first place as `locator`. Raises KnowledgeFileError.
    """
    wanted = [_pattern(each) for each in sorted(contacts)]
    if not wanted:
        return []
    has = re.compile("|".join(wanted), re.IGNORECASE).search
    found = (place for place, text in _texts(faq, facts, index) if has(text))
    return list({(place["kind"], place["id"]): place for place in reversed(list(found))}.values())[::-1]


def _texts(faq: FaqFiles, facts: FactFiles, index: Index) -> Iterator[tuple[Mapping[str, str], str]]:
    for entry in faq.entries():
        question = str(entry.record.get("question") or entry.id)
        yield _place("entry", entry.id, question), str(entry.record.get("answer") or "")
    for fact in facts.facts():
        yield _place("fact", fact.name, fact.name), fact.value
    for passage in index.passages:
        yield _place("document", passage.document_id, passage.title, passage.locator), passage.text


def _place(kind: str, part_id: str, name: str, locator: str = "") -> Mapping[str, str]:
    return {"kind": kind, "id": part_id, "name": name, "locator": locator}


def _pattern(contact: str) -> str:
    """Return the pattern of a contact as it may be written: with gaps, with or without its area code or +84."""
    if "@" in contact:
        return rf"(?<![\w.]){re.escape(contact)}(?!\w)"
    area, local = contact[:-_LOCAL_DIGITS], contact[-_LOCAL_DIGITS:]
    ways = [area, f"84{area[1:]}"] if area.startswith("0") else [area]
    before = "|".join(_GAP.join(way) + _GAP for way in ways if way)
    return rf"(?<!\d)(?:\+?(?:{before}))?{_GAP.join(local)}(?!\d)"
