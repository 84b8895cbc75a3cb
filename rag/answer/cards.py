"""Cards: contacts, links and deadlines of an answer, which channels display in their own way.

A card repeats parts of the answer and the catalogue only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from pydantic import TypeAdapter

from rag.answer.contacts import contacts_named, office_contact
from rag.answer.deadlines import deadlines_in
from rag.answer.links import links_in
from rag.types import Card, Contact, Deadline, Link
from school.catalog import Catalog, Topic
from vietnamese.data_files import yaml_beside
from vietnamese.language_detection import Language
from vietnamese.text import words

MOST: Mapping[type[Card], int] = {Contact: 3, Link: 4, Deadline: 4}
"""The most cards of each kind, so that they do not bury the answer."""


def cards_of(
    answer: str,
    owner: str | None,
    topic: str | None,
    catalog: Catalog,
    topics: Sequence[Topic],
    language: Language = "vi",
) -> tuple[Card, ...]:
    """Return the cards of an answer of a topic, whose entry an office owns; `owner` and `topic` are ids.

    Contacts are those that the answer names. An answer that sends the student to an unnamed office ("nộp đơn",
    "liên hệ") gets the office that owns the entry, else that of its topic.
    """
    contacts = contacts_named(answer, catalog, language)
    if not contacts and _sends_to_somebody(answer):
        of_topic = next((each.office for each in topics if each.id == topic), "")
        office = catalog.office(owner or of_topic)
        contacts = [office_contact(office, catalog, language)] if office is not None else []
    return as_many_as_fit([*contacts, *links_in(answer), *deadlines_in(answer)])


def as_many_as_fit(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return each card once, contacts first, at most `MOST` of each kind."""
    different = list(dict.fromkeys(cards))
    return tuple(
        card for kind, most in MOST.items() for card in [c for c in different if type(c) is kind][:most]
    )


def _sends_to_somebody(answer: str) -> bool:
    said = f" {' '.join(words(answer))} "
    return any(f" {phrase} " in said for phrase in _phrases())


@lru_cache(maxsize=1)
def _phrases() -> tuple[str, ...]:
    listed = TypeAdapter(list[str]).validate_python(yaml_beside(__file__, "sending.yml"))
    return tuple(" ".join(words(phrase)) for phrase in listed)
