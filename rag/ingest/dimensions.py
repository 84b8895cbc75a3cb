"""The `dimensions:` of `catalog.yml`: the parts of a student's profile at this school."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rag.errors import Problem
from rag.ingest.entries import Entry, Place, declared_ids, read_list, unique_ids, unique_names
from rag.ingest.known import Known
from rag.ingest.schema import DimensionRecord, DimensionValueRecord, NumberedValueRecord
from rag.messages import Message
from school.catalog import DimensionValue
from school.dimensions import DimensionSpec, default_dimensions, spec

RESERVED = frozenset(
    {
        "answer", "as_json", "choice", "course", "date", "document", "faq", "id", "index", "json", "language", "name",
        "office", "passage", "preset", "profile", "question", "sources", "title", "topic", "value",
    }
)  # fmt: skip
"""Names of other entities, keys of buttons, columns of question files and options of commands.

An id that ends with 2 is reserved, too: `{major2}` is the place of a second major.
"""


def read_dimensions(data: object, place: Place, problems: list[Problem]) -> tuple[DimensionSpec, ...]:
    """Return the school's dimensions in the order of the list; the default ones when the file has no list."""
    if data is None:
        return default_dimensions()
    entries = unique_ids(read_list(DimensionRecord, data, place, problems), problems)
    default = {each.id for each in default_dimensions()}
    specs: list[DimensionSpec] = []
    for entry in entries:
        record = entry.record
        if record.id in RESERVED or record.id.endswith("2"):
            problems.append(entry.place.problem(Message("dimension_reserved", id=record.id), "id"))
        elif record.id not in default and record.name is None:
            known = ", ".join(each.id for each in default_dimensions())
            message = Message("dimension_without_name", known=known)
            problems.append(entry.place.problem(message))
        elif record.id in default and record.values is not None:
            problems.append(entry.place.problem(Message("dimension_has_section", id=record.id), "values"))
        else:
            specs.append(spec(_said(entry)))
    _unique_keys(specs, place, problems)
    return tuple(specs)


def read_values(
    data: object, place: Place, known: Known, problems: list[Problem]
) -> tuple[dict[str, set[str]], dict[str, tuple[DimensionValue, ...]]]:
    """Return the ids, faulty entries included, and the values of the dimensions that the school has added."""
    ids: dict[str, set[str]] = {}
    values: dict[str, tuple[DimensionValue, ...]] = {}
    for index, said in enumerate(data if isinstance(data, list) else ()):
        if not isinstance(said, dict) or said.get("values") is None or "id" not in said:
            continue
        ordered = str(said.get("ordered")).lower() in ("true", "yes", "on", "1")
        model: type[DimensionValueRecord] = NumberedValueRecord if ordered else DimensionValueRecord
        found = unique_ids(read_list(model, said["values"], place.at(index, "values"), problems), problems)
        unique_names(found, problems)
        for entry in found:
            known.check_owner(entry.record.owner, entry.place, problems)
        ids[str(said["id"])] = declared_ids(said["values"])
        values[str(said["id"])] = tuple(DimensionValue(**entry.record.without_review()) for entry in found)
    return ids, values


def _said(entry: Entry[DimensionRecord]) -> Mapping[str, Any]:
    return {name: value for name, value in entry.record if value is not None and name != "values"}


def _unique_keys(specs: list[DimensionSpec], place: Place, problems: list[Problem]) -> None:
    taken: dict[str, str] = {}
    for each in specs:
        for word in {each.id, each.key}:
            before = taken.setdefault(word, each.id)
            if before != each.id:
                problems.append(
                    place.problem(Message("dimension_twice", word=word, first=before, second=each.id))
                )
