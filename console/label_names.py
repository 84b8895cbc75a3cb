"""The names of the school's things in the labels of a file of questions, in place of their ids.

Who labels questions sees an entry's question, a document's title and a topic's name, not their ids. Names are compared
without case and diacritics. A name of several things stands for all of them: any of them answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from console.loose_search import are_in, bare, phrase, search_words
from rag.index.format import Index
from rag.types import DecisionKind
from vietnamese.language_detection import Language

BETWEEN = "|"
"""Stands between several ids in a cell."""

MOST_FOUND = 20

_DECISIONS = {
    "tra loi": DecisionKind.ANSWER,
    "hoi lai": DecisionKind.CLARIFY,
    "khong tra loi": DecisionKind.NO_ANSWER,
    "ask back": DecisionKind.CLARIFY,
    "no answer": DecisionKind.NO_ANSWER,
}
"""The names of decisions in both languages, as `phrase` returns them, besides their ids."""


@dataclass(frozen=True, slots=True)
class LabelName:
    """A thing of the school that a label can name.

    `kind` is "faq", "calculator", "document", "dimension" or "topic".
    """

    kind: Literal["faq", "calculator", "document", "dimension", "topic"]
    id: str
    name: str


def names_with(index: Index, text: str, language: Language) -> Sequence[LabelName]:
    """Return the things whose names in a language have the words of `text`, `MOST_FOUND` at most.

    Kinds of which there are few come first.
    """
    words, found = search_words(text), list[LabelName]()
    for each in _names(index, [language]):
        if are_in(bare(each.name), words):
            found.append(each)
            if len(found) == MOST_FOUND:
                break
    return found


def with_ids(rows: Iterable[Sequence[str]], index: Index) -> Iterator[Sequence[str]]:
    """Yield the rows of a file of labelled questions with ids for the names of things; other cells stay.

    The first row has the names of the columns.
    """
    columns: Sequence[str] = ()
    readings = _readings(index)
    for row in rows:
        if not columns:
            columns = [cell.strip() for cell in row]
            yield row
            continue
        yield [
            _with_ids(cell, readings[column]) if column in readings else cell
            for column, cell in zip((*columns, *[""] * len(row)), row, strict=False)
        ]


def _with_ids(cell: str, ids: Mapping[str, Sequence[str]]) -> str:
    """Return a cell with ids; a name that has the sign between names in itself is one name."""
    if whole := ids.get(phrase(cell)):
        return BETWEEN.join(whole)
    parts = cell.split(BETWEEN)
    return BETWEEN.join(BETWEEN.join(ids.get(phrase(part)) or (part,)) for part in parts)


def _readings(index: Index) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the ids by name, as `phrase` returns it, for each column that names things of the school."""
    names = list(_names(index, ["vi", "en"]))
    catalog = index.dictionaries.catalog
    by_column: dict[str, list[tuple[str, str]]] = {
        "decision": list(_DECISIONS.items()),
        "source": [(each.name, each.id) for each in names if each.kind != "topic"],
        "topic": [(each.name, each.id) for each in names if each.kind == "topic"],
    }
    for dimension in catalog.dimensions:
        values = catalog.items(dimension.id)
        by_column[dimension.id] = [(name, value.id) for value in values for name in value.names if name]
    return {column: _by_name(pairs) for column, pairs in by_column.items()}


def _by_name(pairs: Iterable[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for name, own in pairs:
        ids = found.setdefault(phrase(name), [])
        if own not in ids:
            ids.append(own)
    return found


def _names(index: Index, languages: Collection[Language]) -> Iterator[LabelName]:
    dictionaries = index.dictionaries
    for dimension in dictionaries.catalog.dimensions:
        for name in dict.fromkeys(dimension.called(each) for each in languages):
            yield LabelName("dimension", dimension.id, name)
    for topic in dictionaries.topics:
        for name in dict.fromkeys(topic.called(each) for each in languages):
            yield LabelName("topic", topic.id, name)
    for calculator in index.calculators:
        yield LabelName("calculator", calculator.id, calculator.question)
    titles = {passage.document_id: passage.title for passage in index.passages}
    for document_id, title in titles.items():
        yield LabelName("document", document_id, title)
    for entry in index.faq:
        yield LabelName("faq", entry.id, entry.question)
