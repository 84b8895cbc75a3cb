"""Whom to turn to, as the catalogue has them: each with a phone to call, a place to find."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode

from rag.types import Contact
from school.catalog import Campus, Catalog, Counselling, Office
from vietnamese.language_detection import Language

MAP_SEARCH = "https://www.google.com/maps/search/"
"""Shows an address on a map, in the app where there is one
(https://developers.google.com/maps/documentation/urls/get-started#search-action)."""

_DASH = re.compile(r"\s*[-–—]\s*")
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)")


def office_contact(office: Office, catalog: Catalog, language: Language = "vi") -> Contact:
    """An office, in the language of the talk as far as the catalogue has it; the school's hours when it has none."""
    return Contact(
        name=_in(language, office.name, office.name_en),
        phone=office.phone,
        email=office.email,
        address=office.location,
        map_url=office.map_url or _map_of(office.location, catalog),
        hours=office.hours or catalog.school.hours,
    )


def school_contact(catalog: Catalog, language: Language = "vi") -> Contact:
    """The school itself; without a name when the catalogue does not say."""
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
    """Whom a student in trouble can turn to, in the school's order; the school when it has named nobody."""
    named = tuple(_counselling_contact(each, catalog, language) for each in catalog.counselling)
    return named or tuple(contact for contact in (school_contact(catalog, language),) if contact.name)


def contacts_named(text: str, catalog: Catalog, language: Language = "vi") -> list[Contact]:
    """Those whose name, phone or e-mail stands in `text`, in its order.

    A name without a capital in it ("Thư viện") must begin with one; what is within a longer name is not counted.
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
    """A page that shows an address on a map; empty for none."""
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
    """The map of the campus that a location names, else of the school; a room by itself is on no map."""
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
            yield from (found.span() for found in re.finditer(_name_pattern(name), text))
    for reached_by in (known.phone, known.email if isinstance(known, Office) else ""):
        if reached_by:
            pattern = rf"(?<![\w.@]){re.escape(_DASH.sub(' - ', reached_by))}(?![\w@])"
            yield from (found.span() for found in re.finditer(pattern, text, re.IGNORECASE))


def _name_pattern(name: str) -> str:
    name = _DASH.sub(" - ", name)
    first, rest = name[0], name[1:]
    has_capitals = rest != rest.lower()
    begins = f"[{first.upper()}{first.lower()}]" if has_capitals else re.escape(first)
    return rf"(?<!\w){begins}{re.escape(rest)}(?!\w)"


def _in(language: Language, name: str, name_en: str) -> str:
    return (name_en if language == "en" else "") or name
