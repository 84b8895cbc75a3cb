"""Where a number or mail address of the catalogue still stands after it was changed there, and how it is replaced.

Answers and documents tell contacts in their own words: a card would have the new number, and the text beside it the old
one. Answers and facts are the school's own words and can have the new one; a document stays verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from console.fact_files import FactFiles
from console.faq_files import FaqFiles
from console.knowledge_files import text_and_hash
from console.personal_data import contact_keys, written_contacts
from rag.index.format import Index

MOST_PLACES = 50

_GAP = r"[\s.()-]*"
_LOCAL_DIGITS = 7
"""The last digits of a number, which may stand without its area code."""

_SENTENCE = re.compile(r"\n+|(?<=[.!?;])\s+")

_IN_LINK = re.compile(r"tel:\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Replacement:
    """A contact that the catalogue gave up, in the form of `contact_keys`, and the new one as it is written there."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class OldPlace:
    """An entry, a fact or a document ("entry", "fact", "document") with an old contact.

    `text` is the answer, the value or the passage; `seen` the version of the entry, or the value of the fact.
    """

    kind: str
    id: str
    name: str
    locator: str
    text: str
    seen: str


def given_up(before: Mapping[str, Any], faq: FaqFiles) -> frozenset[str]:
    """Return the contacts of a part of the catalogue, as it was, that the catalogue has no longer."""
    return contact_keys(map(str, before.values())) - in_catalogue(faq)


def in_catalogue(faq: FaqFiles) -> frozenset[str]:
    """Return the contacts that the catalogue has."""
    catalogue, _ = text_and_hash(faq.knowledge / "catalog.yml")
    return contact_keys([catalogue])


def replacements(
    before: Mapping[str, Any], after: Mapping[str, Any], gone: Iterable[str]
) -> Sequence[Replacement]:
    """Return which contacts of a part of the catalogue take the place of which `gone` ones.

    A field tells it where one number, or one mail address, is gone from it and one is new.
    """
    found = []
    wanted = frozenset(gone)
    for name, value in before.items():
        known, now = contact_keys([str(value)]), written_contacts(str(after.get(name) or ""))
        for is_mail in (False, True):
            old = [each for each in known & wanted if ("@" in each) == is_mail]
            new = [each for each in now.keys() - known if ("@" in each) == is_mail]
            if len(old) == len(new) == 1:
                found.append(Replacement(old[0], now[new[0]]))
    return found


def places_of(contacts: Iterable[str], faq: FaqFiles, facts: FactFiles, index: Index) -> Sequence[OldPlace]:
    """Return the entries, facts and documents that have one of the contacts, each once.

    A document has the first place as `locator`. Raises KnowledgeFileError.
    """
    wanted = [_pattern(each) for each in sorted(contacts)]
    if not wanted:
        return []
    has = re.compile("|".join(wanted), re.IGNORECASE).search
    found = (place for place in _places(faq, facts, index) if has(place.text))
    return list({(place.kind, place.id): place for place in reversed(list(found))}.values())[::-1]


def replaced(text: str, changes: Sequence[Replacement]) -> str:
    """Return a text with the new contacts in the place of the old ones, without the area code where it had none."""
    for change in changes:
        text = re.sub(_pattern(change.old), partial(_written, change), text, flags=re.IGNORECASE)
    return text


def changed_sentences(text: str, changes: Sequence[Replacement]) -> Sequence[tuple[str, str]]:
    """Return the sentences of a text that `replaced` changes, each before and after."""
    sentences = (each.strip() for each in _SENTENCE.split(text))
    pairs = ((each, replaced(each, changes)) for each in sentences)
    return [(before, after) for before, after in pairs if before != after]


def _written(by: Replacement, found: re.Match[str]) -> str:
    if "@" in by.new:
        return by.new
    digits = re.sub(r"\D", "", by.new)
    if _IN_LINK.search(found.string[: found.start()]):
        return digits
    is_local = len(re.sub(r"\D", "", found[0])) <= _LOCAL_DIGITS < len(by.old)
    if is_local and digits[:-_LOCAL_DIGITS] == by.old[:-_LOCAL_DIGITS]:
        return by.new[_local_start(by.new) :]
    return by.new


def _local_start(number: str) -> int:
    """Return the place in a number, as it is written, at which its last digits without the area code begin."""
    return [place for place, letter in enumerate(number) if letter.isdigit()][-_LOCAL_DIGITS]


def _places(faq: FaqFiles, facts: FactFiles, index: Index) -> Iterator[OldPlace]:
    for entry in faq.entries():
        question, answer = (str(entry.record.get(name) or "") for name in ("question", "answer"))
        yield OldPlace("entry", entry.id, question or entry.id, "", answer, entry.version)
    for fact in facts.facts():
        yield OldPlace("fact", fact.name, fact.name, "", fact.value, fact.value)
    for passage in index.passages:
        of = passage.document_id
        yield OldPlace("document", of, passage.title, passage.locator, passage.text, "")


def _pattern(contact: str) -> str:
    """Return the pattern of a contact as it may be written: with gaps, with or without its area code or +84."""
    if "@" in contact:
        return rf"(?<![\w.]){re.escape(contact)}(?!\w)"
    area, local = contact[:-_LOCAL_DIGITS], contact[-_LOCAL_DIGITS:]
    ways = [area, f"84{area[1:]}"] if area.startswith("0") else [area]
    before = "|".join(_GAP.join(way) + _GAP for way in ways if way)
    return rf"(?<!\d)(?:\(?\+?(?:{before}))?{_GAP.join(local)}(?!\d)"
