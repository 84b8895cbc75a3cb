"""`checked.yml`: questions with their right outcome, as an advisor has said: an entry, a refusal or a question back.

An edit of the FAQ is tried on them before it is published.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

from rag.errors import Problem
from rag.ingest.entries import read_list, read_yaml
from rag.ingest.known import Known, check_entries
from rag.ingest.schema import CheckedQuestionRecord

CHECKED_FILE = "checked.yml"


@dataclass(frozen=True, slots=True)
class CheckedQuestion:
    """A question with the id of the FAQ entry that answers it; with what is asked back, when that is None.

    It asks back for `dimension`, or which of `entries` is meant; with neither the question is refused.
    """

    question: str
    entry: str | None = None
    dimension: str | None = None
    entries: tuple[str, ...] = ()


def load_checked(
    path: Path | None, entry_ids: Set[str] | None, problems: list[Problem], known: Known | None = None
) -> tuple[CheckedQuestion, ...]:
    """Return the checked questions of a file, each once; none without a file.

    An entry that is not in `entry_ids`, or a dimension that is not `known`, is a problem, unless that is None.
    """
    place = read_yaml(path, path.name, problems) if path is not None else None
    if place is None:
        return ()
    found: dict[str, CheckedQuestion] = {}
    for entry in read_list(CheckedQuestionRecord, place.marked.data, place, problems):
        record = entry.record
        if entry_ids is not None:
            if record.entry is not None:
                check_entries([record.entry], entry_ids, entry.place, problems, "entry")
            check_entries(record.entries, entry_ids, entry.place, problems, "entries")
        if known is not None and record.dimension is not None:
            known.dimension(record.dimension, entry.place, problems, "dimension")
        found[record.question.casefold()] = CheckedQuestion(
            record.question, record.entry, record.dimension, record.entries
        )
    return tuple(found.values())
