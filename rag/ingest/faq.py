"""The FAQ: questions with the answers of an office, `faq/*.yml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rag.errors import Problem
from rag.ingest.entries import Entry, Place, read_list, read_yaml
from rag.ingest.facts import Facts
from rag.ingest.known import Known
from rag.ingest.schema import FaqRecord
from rag.messages import Message
from rag.types import FaqEntry, Source
from school.aspects import aspects_said_by
from school.dimensions import AppliesTo


def read_faq(files: Mapping[str, Path], problems: list[Problem]) -> list[Entry[FaqRecord]]:
    """Return the entries of `files` that have the right shape, in order; a repeated id is a problem."""
    entries: list[Entry[FaqRecord]] = []
    first: dict[str, Place] = {}
    for file, path in files.items():
        place = read_yaml(path, file, problems)
        if place is None:
            continue
        for entry in read_list(FaqRecord, place.marked.data, place, problems):
            if (before := first.get(entry.record.id)) is not None:
                where = f"{before.file}:{before.line('id')}"
                problems.append(
                    entry.place.problem(Message("id_taken", id=entry.record.id, where=where), "id")
                )
            first.setdefault(entry.record.id, entry.place)
            entries.append(entry)
    return entries


def fill_in(
    entry: Entry[FaqRecord], facts: Facts, known: Known, problems: list[Problem], warnings: list[Problem]
) -> FaqEntry:
    """Return the entry as a value with the facts in its answer; an unknown fact is a problem."""
    record = entry.record
    answer, faults = facts.fill(record.answer)
    for fault in faults:
        line = _answer_line(entry.place, record.answer.count("\n", 0, fault.start))
        problems.append(
            Problem(entry.place.file, Message("in_answer", id=record.id, fault=fault.message), line)
        )
    variants = tuple(dict.fromkeys(variant for variant in record.variants if variant != record.question))
    return FaqEntry(
        id=record.id,
        question=record.question,
        variants=variants,
        answer=answer,
        topic=record.topic,
        aspects=record.aspect or aspects_said_by((record.question, *variants)),
        applies_to=known.students(record.applies_to, entry.place, problems, warnings),
        sources=tuple(Source(source.document, source.locator) for source in record.sources),
        owner=record.owner,
        reviewed_at=record.reviewed_at,
        never_offered=record.never_offered,
    )


def _answer_line(place: Place, lines_down: int) -> int:
    """Return the file's line of an answer's line; the first line unless the answer is a literal block."""
    start = place.marked.block_starts.get((*place.location, "answer"))
    return place.line("answer") if start is None else start + lines_down


def repeated_phrasings(entries: Sequence[Entry[FaqRecord]], filled: Sequence[FaqEntry]) -> list[Problem]:
    """Return a warning for each phrasing with two answers for the same students: one is never found."""
    warnings: list[Problem] = []
    first: dict[tuple[str, AppliesTo], Entry[FaqRecord]] = {}
    for entry, value in zip(entries, filled, strict=True):
        record = entry.record
        phrasings: list[tuple[str, tuple[str | int, ...]]] = [(record.question, ("question",))]
        phrasings += [(variant, ("variants", index)) for index, variant in enumerate(record.variants)]
        for phrasing, path in phrasings:
            before = first.setdefault((phrasing.casefold().rstrip(" ?.!"), value.applies_to), entry)
            if before.record.id != record.id:
                where = f"'{before.record.id}' ({before.place.file}:{before.place.line()})"
                warnings.append(
                    entry.place.problem(
                        Message("phrasing_twice", phrasing=phrasing, where=where, id=record.id), *path
                    )
                )
    return warnings
