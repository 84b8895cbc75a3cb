"""The words that only one school has: none of them may stand in the product, or be said for another school."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from school.catalog import Catalog

NATIONAL = frozenset({"111", "113", "115"})
"""Numbers of the country, which any school may name."""


def own_words(catalog: Catalog) -> frozenset[str]:
    """Return the names, campuses, phones, e-mails and addresses of the school, in lower case."""
    school = catalog.school
    found = {school.name, school.name_en, school.short, *school.aliases, school.address}
    found |= {school.phone, school.email, school.website, school.website.partition("//www.")[2]}
    for campus in school.campuses:
        found |= {campus.name, campus.address}
    for office in catalog.offices:
        found |= {office.phone, office.email, office.location}
    found |= {contact.phone for contact in catalog.counselling}
    return frozenset(word.lower() for word in found if word) - NATIONAL


def office_names(catalog: Catalog) -> frozenset[str]:
    """Return the full names of the school's offices, in lower case; students of other schools say many of them."""
    return frozenset(
        name.lower() for office in catalog.offices for name in (office.name, office.name_en) if name
    )


def words_in(text: str, words: Collection[str]) -> Iterator[str]:
    """Yield the words that `text` holds as whole words, whatever its case."""
    lowered = text.lower()
    for word in sorted(words):
        if word in lowered and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", lowered):
            yield word
