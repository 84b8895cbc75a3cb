"""The FAQ: questions with the answers of an office, `faq/*.yml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rag.errors import Problem
from rag.ingest.entries import Entry, Place, read_entries
from rag.ingest.facts import Facts
from rag.ingest.known import Known
from rag.ingest.schema import FaqRecord
from rag.messages import Message
from rag.types import FaqEntry, Source, families_of
from school.aspects import aspects_said_by
from school.catalog import Catalog
from school.dimensions import AppliesTo


def read_faq(files: Mapping[str, Path], problems: list[Problem]) -> list[Entry[FaqRecord]]:
    """Return the entries of `files` that have the right shape, in order; a repeated id is a problem."""
    entries = read_entries(FaqRecord, files, problems)
    first: dict[str, Place] = {}
    for entry in entries:
        if (before := first.get(entry.record.id)) is not None:
            where = f"{before.file}:{before.line('id')}"
            problems.append(entry.place.problem(Message("id_taken", id=entry.record.id, where=where), "id"))
        first.setdefault(entry.record.id, entry.place)
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


SEVERAL = 2
"""So many answers of one question are told apart by who asks."""

MOST_NAMED = 5
"""So many questions are named that have no answer for a value."""


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


def values_left_out(
    entries: Sequence[FaqEntry], catalog: Catalog, places: Mapping[tuple[str, str], Place]
) -> list[Problem]:
    """Return a warning for each value of a dimension that questions with an answer for most other values have none for.

    A new major is in no entry that lists majors. `places` are those of the values in the catalogue.
    """
    asked: dict[tuple[str, str], list[str]] = {}
    for own in families_of(entries).values():
        if any(not entry.applies_to.allowed for entry in own):
            continue
        for spec in catalog.dimensions:
            answered = [allowed for entry in own if (allowed := entry.applies_to.allowed.get(spec.id))]
            every, of_some = catalog.ids(spec.id), {value for allowed in answered for value in allowed}
            # Rules end with a cohort; and few have another rule than all others.
            if spec.ordered or len(answered) < SEVERAL or 2 * len(of_some) < len(every):
                continue
            for value in every:
                if value not in of_some and value not in catalog.rare(spec.id):
                    asked.setdefault((spec.id, value), []).append(own[0].question)
    return [
        places[dimension, value].problem(
            Message(
                "value_left_out",
                value=catalog.name(dimension, value),
                count=len(questions),
                questions="; ".join(questions[:MOST_NAMED]),
            )
        )
        for (dimension, value), questions in asked.items()
        if (dimension, value) in places
    ]
