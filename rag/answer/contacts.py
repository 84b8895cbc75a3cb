"""Contacts of the catalogue: offices, counselling and the school itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from urllib.parse import urlencode

from rag.types import Contact, FaqEntry, Item, Passage
from school.catalog import Campus, Catalog, Counselling, Office
from vietnamese.language_detection import Language

MAP_SEARCH = "https://www.google.com/maps/search/"
"""A search on a map (https://developers.google.com/maps/documentation/urls/get-started#search-action)."""

_DASH = re.compile(r"\s*[-–—]\s*")
_MOST_PATTERNS = 4_096
"""Names, numbers and addresses of contacts whose patterns are kept: those of several schools."""

_IN_BRACKETS = re.compile(r"\s*\([^()]*\)")


def office_contact(office: Office, catalog: Catalog, language: Language = "vi") -> Contact:
    """Return an office as a contact, in `language` where the catalogue has it; without hours, the school's."""
    return Contact(
        name=_in(language, office.name, office.name_en),
        phone=office.phone,
        email=office.email,
        address=office.location,
        map_url=office.map_url or _map_of(office.location, catalog),
        hours=office.hours or catalog.school.hours,
    )


def school_contact(catalog: Catalog, language: Language = "vi") -> Contact:
    """Return the school as a contact; its name is empty when the catalogue has none."""
    school = catalog.school
    return Contact(
        name=_in(language, school.name, school.name_en),
        phone=school.phone,
        email=school.email,
        address=school.address,
        map_url=school.map_url or map_search(school.address),
        hours=school.hours,
    )


def counselling_contacts(catalog: Catalog, language: Language = "vi") -> tuple[Contact, ...]:
    """Return the contacts for a student in trouble, in the school's order; the school itself when there are none."""
    named = tuple(_counselling_contact(each, catalog, language) for each in catalog.counselling)
    school = school_contact(catalog, language)
    return named or ((school,) if school.name else ())


def office_of(items: Sequence[Item | Office], catalog: Catalog) -> Office | None:
    """Return the office that the answers of a conversation, the latest first, are about or send the student to.

    It is that of the first answer that names a single office, else the first office that the latest answer names, else
    the owner of the latest entry.
    """
    first: Office | None = None
    for place, item in enumerate(items):
        if isinstance(item, Office):
            return item
        text = item.answer if isinstance(item, FaqEntry) else item.text if isinstance(item, Passage) else ""
        named = [contact.name for contact in contacts_named(text, catalog)]
        offices = sorted((o for o in catalog.offices if o.name in named), key=lambda o: named.index(o.name))
        if len(offices) == 1:
            return offices[0]
        if offices and place == 0:
            first = offices[0]
    if first is not None:
        return first
    latest = items[0] if items else None
    return catalog.office(latest.owner or "") if isinstance(latest, FaqEntry) else None


def contacts_named(text: str, catalog: Catalog, language: Language = "vi") -> list[Contact]:
    """Return the contacts whose name, phone or e-mail stands in `text`, in its order.

    A name with one capital only ("Thư viện") must be written with it. A name within a longer one does not count.
    """
    said = _DASH.sub(" - ", text)
    found: list[tuple[int, int, Office | Counselling]] = []
    everybody: list[Office | Counselling] = [*catalog.offices]
    everybody += [line for line in catalog.counselling if line.office is None]
    for known in everybody:
        spans = sorted(_spans(said, known), key=lambda span: (span[0], -span[1]))
        found += [(start, end, known) for start, end in spans]
    found.sort(key=lambda one: (one[0], -one[1]))
    named: dict[str, Office | Counselling] = {}
    reached = 0
    for start, end, known in found:
        if start >= reached:
            reached = end
            named.setdefault(known.name, known)
    return [
        office_contact(known, catalog, language)
        if isinstance(known, Office)
        else _counselling_contact(known, catalog, language)
        for known in named.values()
    ]


def map_search(address: str) -> str:
    """Return the address of a page that shows `address` on a map; "" for an empty one."""
    return f"{MAP_SEARCH}?{urlencode({'api': 1, 'query': address})}" if address else ""


def _counselling_contact(named: Counselling, catalog: Catalog, language: Language) -> Contact:
    office = catalog.office(named.office) if named.office is not None else None
    of_office = office_contact(office, catalog, language) if office is not None else Contact(name="")
    return Contact(
        name=_in(language, named.name, named.name_en),
        phone=named.phone,
        email=of_office.email,
        address=of_office.address,
        map_url=of_office.map_url,
        hours=_in(language, named.hours, named.hours_en) or of_office.hours,
        note=_in(language, named.note, named.note_en),
    )


def _map_of(location: str, catalog: Catalog) -> str:
    """Return the map of the campus that a location names, else of the school."""
    if not location:
        return ""
    school = catalog.school
    campus = next((campus for campus in school.campuses if _is_at(location, campus)), None)
    if campus is not None and (campus.map_url or campus.address):
        return campus.map_url or map_search(campus.address)
    return school.map_url or map_search(school.address)


def _is_at(location: str, campus: Campus) -> bool:
    names = (campus.name, _IN_BRACKETS.sub("", campus.name), *campus.aliases)
    return any(re.search(rf"\b{re.escape(name)}\b", location, re.IGNORECASE) for name in names if name)


def _spans(text: str, known: Office | Counselling) -> Iterator[tuple[int, int]]:
    for name in (known.name, known.name_en):
        if name:
            yield from (found.span() for found in _name_pattern(name).finditer(text))
    for reached_by in (known.phone, known.email if isinstance(known, Office) else ""):
        if reached_by:
            yield from (found.span() for found in _address_pattern(reached_by).finditer(text))


@lru_cache(_MOST_PATTERNS)
def _address_pattern(reached_by: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.@]){re.escape(_DASH.sub(' - ', reached_by))}(?![\w@])", re.IGNORECASE)


@lru_cache(_MOST_PATTERNS)
def _name_pattern(name: str) -> re.Pattern[str]:
    name = _DASH.sub(" - ", name)
    first, rest = name[0], name[1:]
    has_capitals = rest != rest.lower()
    begins = f"[{first.upper()}{first.lower()}]" if has_capitals else re.escape(first)
    return re.compile(rf"(?<!\w){begins}{re.escape(rest)}(?!\w)")


def _in(language: Language, name: str, name_en: str) -> str:
    return (name_en if language == "en" else "") or name
