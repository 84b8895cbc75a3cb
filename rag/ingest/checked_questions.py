"""`checked.yml`: questions with the entry that answers them rightly, as an advisor has said.

An edit of the FAQ is tried on them before it is published.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

from rag.errors import Problem
from rag.ingest.entries import did_you_mean, read_list, read_yaml
from rag.ingest.schema import CheckedQuestionRecord
from rag.messages import Message

CHECKED_FILE = "checked.yml"


@dataclass(frozen=True, slots=True)
class CheckedQuestion:
    """A question, and the id of the FAQ entry that answers it."""

    question: str
    entry: str


def load_checked(
    path: Path | None, entry_ids: Set[str] | None, problems: list[Problem]
) -> tuple[CheckedQuestion, ...]:
    """Return the checked questions of a file, each once; none without a file.

    A question whose entry is not in `entry_ids` is a problem, unless that is None.
    """
    place = read_yaml(path, path.name, problems) if path is not None else None
    if place is None:
        return ()
    found: dict[str, CheckedQuestion] = {}
    for entry in read_list(CheckedQuestionRecord, place.marked.data, place, problems):
        record = entry.record
        if entry_ids is not None and record.entry not in entry_ids:
            hint = did_you_mean(record.entry, entry_ids)
            message = Message("unknown_id", kind="faq", value=record.entry, hint=hint)
            problems.append(entry.place.problem(message, "entry"))
        found[record.question.casefold()] = CheckedQuestion(record.question, record.entry)
    return tuple(found.values())
