"""The labels of a file of questions that name nothing of the school, and columns that nobody reads.

Such a label is no fault of the file: it may have been made for another version of the knowledge. But an answer from an
entry that is called otherwise now counts as wrong, so whoever measures is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Literal

from covan.batch import COLUMNS
from covan.evaluation.labels import LabelKind, Labelled
from rag.index.format import Index
from rag.messages import Message
from rag.types import DecisionKind

_READ = frozenset(
    {*COLUMNS, "decision", "source", "topic", "scope", "answer", "passage_id", "must", "must_not"}
)

_TOLD = {"unknown": "label_unknown", "empty": "label_empty", "unread": "label_unread"}

_SOURCE = {LabelKind.DECISION: "source", LabelKind.RANKING: "passage_id"}


@dataclass(frozen=True, slots=True)
class UnknownLabel:
    """A label that says nothing: `line` counts from 1, that with the names of the columns is the first.

    `why`: "unknown" (`value` names nothing of the school), "empty" (an answer without the source that is right), or
    "unread" (nobody reads the column).
    """

    line: int
    column: str
    value: str
    why: Literal["unknown", "empty", "unread"]

    @property
    def message(self) -> Message:
        """The warning about this label, without its line."""
        return Message(_TOLD[self.why], column=self.column, value=self.value)


def unknown_labels(labelled: Sequence[Labelled], index: Index) -> Sequence[UnknownLabel]:
    """Return the labels of questions that name nothing of the school, in the order of their lines."""
    dimensions = set(index.dictionaries.catalog.dimension_ids)
    columns = labelled[0].row.fields if labelled else {}
    unread = [UnknownLabel(1, name, "", "unread") for name in columns if name not in _READ | dimensions]
    answering = _answering(index)
    topics = {topic.id for topic in index.dictionaries.topics}
    found = (each for item in labelled for each in _of(item, answering, dimensions, topics))
    return [*unread, *found]


def _of(
    item: Labelled, answering: Set[str], dimensions: Set[str], topics: Set[str]
) -> Iterator[UnknownLabel]:
    line, column = item.row.line, _SOURCE.get(item.kind)
    if column is not None and item.expected is not DecisionKind.NO_ANSWER:
        known = answering if item.expected is DecisionKind.ANSWER else answering | dimensions
        for source in sorted(item.sources - known):
            yield UnknownLabel(line, column, source, "unknown")
        if item.expected is DecisionKind.ANSWER and not item.sources:
            yield UnknownLabel(line, column, "", "empty")
    if item.topic and item.topic not in topics:
        yield UnknownLabel(line, "topic", item.topic, "unknown")


def _answering(index: Index) -> Set[str]:
    """Return the ids of entries, calculators, documents, and of the tables of the knowledge graph."""
    return {
        *(entry.id for entry in index.faq),
        *(calculator.id for calculator in index.calculators),
        *(passage.document_id for passage in index.passages),
        *(index.store.tables if index.store is not None else ()),
    }
