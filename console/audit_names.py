"""The names of what entries of the audit log are about, as the school's people know them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

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
    wanted = frozenset(targets)
    found = {**gone, **{f"person/{account.login}": account.name for account in accounts}}
    if index is None:
        return found
    always = ("topic/", "intent/", "office/")
    for key, name in _named(index, language):
        if key.startswith(always) or key in wanted or key.partition("/")[2] in wanted:
            found[key] = name
    return found


def name_in(index: Index, key: str, language: Language) -> str:
    """Return the name of one of the school's things, as of "topic/tuition"; its id without one."""
    return dict(_named(index, language)).get(key) or key.rpartition("/")[2]


def _named(index: Index, language: Language) -> Iterator[tuple[str, str]]:
    """Yield all things that have a name; items of the catalogue are known by their section and id."""
    dictionaries = index.dictionaries
    for topic in dictionaries.topics:
        name = topic.called(language)
        yield f"topic/{topic.id}", name
        yield f"intent/{intent_of(topic.id)}", name
    yield from ((f"office/{office.id}", office.name) for office in dictionaries.catalog.offices)
    yield from ((f"entry/{each.id}", each.question) for each in index.faq)
    yield from ((f"document/{each.document_id}", each.title) for each in index.published)
    yield from ((f"calculator/{each.id}", each.question) for each in index.calculators)
    for kind in dictionaries.catalog.dimensions:
        items = dictionaries.catalog.items(kind.id)
        yield from ((f"{kind.id}/{item.id}", item.name) for item in items)
    yield from ((f"course/{course.id}", course.name) for course in dictionaries.catalog.courses)
