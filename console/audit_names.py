"""The names of what entries of the audit log are about, as the school's people know them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from console.accounts import Account
from rag.index.format import Index
from school.intents import intent_of
from vietnamese.language_detection import Language


def names_in_log(
    targets: Iterable[str], accounts: Iterable[Account], index: Index | None, language: Language
) -> Mapping[str, str]:
    """Return the names of accounts and of the school's things by "kind/id", as "entry/tuition-late".

    `targets` are those of the entries: of the answers, documents, calculators and the catalogue's items, only these are
    named. What is no longer in the index has no name, and without an `index` people alone have one.
    """
    wanted = frozenset(targets)
    found = {f"person/{account.login}": account.name for account in accounts}
    if index is None:
        return found
    found.update(_of_all_entries(index, language))
    found.update((f"entry/{each.id}", each.question) for each in index.faq if each.id in wanted)
    found.update(
        (f"document/{each.document_id}", each.title) for each in index.published if each.document_id in wanted
    )
    found.update((f"calculator/{each.id}", each.question) for each in index.calculators if each.id in wanted)
    found.update((key, name) for key, name in _items(index) if key in wanted)
    return found


def _of_all_entries(index: Index, language: Language) -> Iterator[tuple[str, str]]:
    """Yield the names of topics, intents and offices, which details have too."""
    for topic in index.dictionaries.topics:
        name = topic.called(language)
        yield f"topic/{topic.id}", name
        yield f"intent/{intent_of(topic.id)}", name
    for office in index.dictionaries.catalog.offices:
        yield f"office/{office.id}", office.name


def _items(index: Index) -> Iterator[tuple[str, str]]:
    """Yield the items of the catalogue by section and id, as the log has them."""
    catalog = index.dictionaries.catalog
    for kind in catalog.dimensions:
        yield from ((f"{kind.id}/{item.id}", item.name) for item in catalog.items(kind.id))
    yield from ((f"course/{course.id}", course.name) for course in catalog.courses)
