"""The names of what entries of the audit log are about, as the school's people know them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from console.accounts import Account
from rag.index.format import Index
from school.intents import intent_of
from vietnamese.language_detection import Language

REMOVALS: Mapping[str, str] = {
    "remove_entry": "entry/",
    "remove_document": "document/",
    "remove_calculator": "calculator/",
    "remove_topic": "topic/",
    "change_topic": "topic/",
    "remove_from_catalogue": "",
    "change_catalogue": "",
}
"""The actions after which an id may be gone, and what stands before it in names; items of the catalogue have it."""


def names_in_log(
    targets: Iterable[str],
    accounts: Iterable[Account],
    index: Index | None,
    gone: Mapping[str, str],
    language: Language,
) -> Mapping[str, str]:
    """Return the names of accounts and of the school's things by "kind/id", as "entry/tuition-late".

    `targets` are those of the entries: of the answers, documents, calculators and the catalogue's items, only these are
    named. `gone` has the names of what was removed; without an `index`, people and these alone have one.
    """
    found = {**gone, **{f"person/{account.login}": account.name for account in accounts}}
    if index is not None:
        ids = {part for target in targets for part in (target, target.rpartition("/")[2])}
        found.update(_named(index, ids, language))
    return found


def name_in(index: Index, key: str, language: Language) -> str:
    """Return the name of one of the school's things, as of "topic/tuition"; its id without one."""
    own = key.rpartition("/")[2]
    return dict(_named(index, {own}, language)).get(key) or own


def _named(index: Index, ids: Set[str], language: Language) -> Iterator[tuple[str, str]]:
    """Yield the names of topics, intents and offices, and of the other things with one of `ids`, by "kind/id".

    Items of the catalogue have their section for a kind.
    """
    dictionaries = index.dictionaries
    for topic in dictionaries.topics:
        name = topic.called(language)
        yield f"topic/{topic.id}", name
        yield f"intent/{intent_of(topic.id)}", name
    yield from ((f"office/{office.id}", office.name) for office in dictionaries.catalog.offices)
    yield from ((f"entry/{each.id}", each.question) for each in index.faq if each.id in ids)
    documents = (each for each in index.published if each.document_id in ids)
    yield from ((f"document/{each.document_id}", each.title) for each in documents)
    yield from ((f"calculator/{each.id}", each.question) for each in index.calculators if each.id in ids)
    for kind in dictionaries.catalog.dimensions:
        items = (item for item in dictionaries.catalog.items(kind.id) if item.id in ids)
        yield from ((f"{kind.id}/{item.id}", item.name) for item in items)
    courses = (course for course in dictionaries.catalog.courses if course.id in ids)
    yield from ((f"course/{course.id}", course.name) for course in courses)
