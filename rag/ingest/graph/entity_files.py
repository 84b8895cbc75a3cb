"""Entities: `entities/*.yml`, each with its type, its names, properties and relations, and the place it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ConfigDict

from rag.errors import Problem
from rag.ingest.cleaning import clean_line
from rag.ingest.entries import Place, read_entry, read_yaml
from rag.ingest.schema import Day, Id, Line, Lines, MaybeLine, Record, SourceRecord
from rag.messages import Message

MOST_ENTITIES = 50_000


class EntityRecord(Record):
    """The keys that every entity may have; any other is a property or a relation of the schema."""

    model_config = ConfigDict(extra="allow", frozen=True)

    type: Line
    id: Id
    name: MaybeLine = ""
    aliases: Lines = ()
    source: SourceRecord | None = None
    effective_from: Day | None = None
    effective_to: Day | None = None


@dataclass(frozen=True, slots=True)
class EntityEntry:
    """An entity with its place in a file; `said` are its properties and relations as written."""

    record: EntityRecord
    place: Place
    said: Mapping[str, Any] = field(default_factory=dict)


def read_entities(files: Mapping[str, Path], problems: list[Problem]) -> tuple[EntityEntry, ...]:
    """Return the entities of `files` (paths by their names in problems) that have the right shape."""
    entries: list[EntityEntry] = []
    for file, path in files.items():
        place = read_yaml(path, file, problems)
        if place is None or place.marked.data is None:
            continue
        if not isinstance(place.marked.data, list):
            problems.append(place.problem(Message("not_a_list")))
            continue
        if len(entries) + len(place.marked.data) > MOST_ENTITIES:
            problems.append(place.problem(Message("too_many_entities", most=MOST_ENTITIES)))
            continue
        for index, item in enumerate(place.marked.data):
            entry = read_entry(EntityRecord, item, place.at(index), problems)
            if entry is not None:
                said = dict(entry.record.model_extra or {})
                entries.append(EntityEntry(entry.record, entry.place, said))
    return tuple(entries)


def texts_of(value: object) -> tuple[str, ...] | None:
    """Return a value or a list of values as texts; None for anything else."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        value = [value]
    if not isinstance(value, list | tuple) or not all(isinstance(each, str | int | float) for each in value):
        return None
    return tuple(filter(None, (clean_line(str(each)) for each in value)))
