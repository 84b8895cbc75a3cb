"""`follow_ups/*.yml`: what students type next when they have read an answer, and which entries answer that."""

from __future__ import annotations

from collections.abc import Mapping, Set
from pathlib import Path

from rag.errors import Problem
from rag.ingest.entries import read_entries
from rag.ingest.known import check_entries
from rag.ingest.schema import FollowUpRecord
from rag.types import FollowUp


def load_follow_ups(
    files: Mapping[str, Path], entry_ids: Set[str], problems: list[Problem], warnings: list[Problem]
) -> tuple[FollowUp, ...]:
    """Return the follow-ups of `files` whose entries exist, each once.

    An entry that does not exist is a warning, for offices remove entries: what is said behind it is left out.
    """
    found: dict[FollowUp, None] = {}
    for entry in read_entries(FollowUpRecord, files, problems):
        record, faults = entry.record, list[Problem]()
        check_entries([record.after], entry_ids, entry.place, faults, "after")
        check_entries(record.entries, entry_ids, entry.place, faults, "entries")
        warnings += faults
        if not faults:
            found |= {FollowUp(record.after, said, record.entries): None for said in record.said}
    return tuple(found)
