"""Entries of knowledge files: each is read with its place, and all of its faults are reported."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from rapidfuzz import fuzz, process

from rag.errors import Problem
from rag.ingest.marked_yaml import Location, Marked, MarkedYamlError, parse
from rag.ingest.schema import Record
from rag.messages import Message
from rag.wrong_values import said_wrong
from vietnamese.text import fold

LIKE_ENOUGH = 65
"""The similarity (0..100) from which a known word is suggested."""

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of an entry, for reporting its faults."""

    file: str
    marked: Marked
    location: Location = ()

    def line(self, *path: str | int) -> int:
        return self.marked.line((*self.location, *path))

    def problem(self, message: str, *path: str | int) -> Problem:
        """Return a problem with the value at `path` inside the entry."""
        return Problem(self.file, message, self.line(*path))

    def at(self, *path: str | int) -> Place:
        return Place(self.file, self.marked, (*self.location, *path))


@dataclass(frozen=True, slots=True)
class Entry(Generic[R]):
    """An entry of the right shape; its references are checked later."""

    record: R
    place: Place


def did_you_mean(word: object, known: Iterable[str]) -> Message | Literal[""]:
    """Return the end of a message that suggests the nearest known word; "" when none is near."""
    best = process.extractOne(str(word).lower(), list(known), scorer=fuzz.ratio, score_cutoff=LIKE_ENOUGH)
    return Message("did_you_mean", word=best[0]) if best else ""


def read_yaml(path: Path, file: str, problems: list[Problem]) -> Place | None:
    """Return the root of a YAML file; None, after adding the problems, when it cannot be read."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        problems.append(Problem(file, Message("not_utf8"), line))
        return None
    except OSError as error:
        problems.append(Problem(file, Message("cannot_be_read", reason=error.strerror)))
        return None
    try:
        return Place(file, parse(text))
    except MarkedYamlError as error:
        problems.extend(Problem(file, fault.message, fault.line) for fault in error.faults)
        return None


def read_entry(model: type[R], data: object, place: Place, problems: list[Problem]) -> Entry[R] | None:
    """Return `data` as a `model`; None, after adding a problem for every fault, when it has another shape."""
    try:
        return Entry(model.model_validate(data), place)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            location = detail["loc"]
            problems.append(place.problem(_message(model, dict(detail), location), *location))
        return None


def read_list(model: type[R], data: object, place: Place, problems: list[Problem]) -> list[Entry[R]]:
    """Return the entries of a list that have the right shape; an empty file is an empty list."""
    if data is None:
        return []
    if not isinstance(data, list):
        problems.append(place.problem(Message("not_a_list")))
        return []
    entries = (read_entry(model, item, place.at(index), problems) for index, item in enumerate(data))
    return [entry for entry in entries if entry is not None]


def read_entries(model: type[R], files: Mapping[str, Path], problems: list[Problem]) -> list[Entry[R]]:
    """Return the entries of all `files`, lists each, that have the right shape, in the order of the files."""
    entries: list[Entry[R]] = []
    for file, path in files.items():
        if (place := read_yaml(path, file, problems)) is not None:
            entries += read_list(model, place.marked.data, place, problems)
    return entries


def declared_ids(data: object) -> set[str]:
    """Return the ids in a list of entries, faulty ones included, so that references to them are no faults."""
    if not isinstance(data, list):
        return set()
    return {str(item["id"]) for item in data if isinstance(item, dict) and item.get("id") is not None}


def unique_ids(entries: list[Entry[R]], problems: list[Problem]) -> list[Entry[R]]:
    """Return the first entry of every id; add a problem for a later one."""
    first: dict[str, Entry[R]] = {}
    for entry in entries:
        if (before := first.get(_id(entry))) is None:
            first[_id(entry)] = entry
        else:
            line = before.place.line("id")
            problems.append(
                entry.place.problem(
                    Message("id_taken", id=_id(entry), where=Message("line", line=line)), "id"
                )
            )
    return list(first.values())


def unique_names(entries: Sequence[Entry[Any]], problems: list[Problem]) -> None:
    """Add a problem for a name or an alias of two entries; names are compared without diacritics."""
    first: dict[str, Entry[Any]] = {}
    for entry in entries:
        names: list[tuple[str, tuple[str | int, ...]]] = [(entry.record.name, ("name",))]
        names += [(alias, ("aliases", index)) for index, alias in enumerate(entry.record.aliases)]
        for name, path in names:
            before = first.setdefault(fold(name), entry)
            if _id(before) != _id(entry):
                message = Message("name_taken", name=name, id=_id(before), line=before.place.line())
                problems.append(entry.place.problem(message, *path))


def _id(entry: Entry[Any]) -> str:
    return str(entry.record.id)


def _message(model: type[BaseModel], detail: dict[str, Any], location: Sequence[str | int]) -> Message:
    kind, context = detail["type"], detail.get("ctx", {})
    what = dotted(location)
    if kind == "extra_forbidden":
        owner = _model_at(model, location[:-1])
        known = owner.model_fields if owner is not None else ()
        return Message("unknown_key", key=location[-1], hint=did_you_mean(location[-1], known))
    if kind == "missing":
        return Message("missing", what=what)
    if kind == "value_error":
        # The validators of rag.ingest.schema raise ValueError(Message(...)).
        why = context["error"].args[0]
        return Message("wrong_value", what=what, why=why) if what else Message("entry_is_wrong", why=why)
    told = said_wrong(detail)
    if not what:
        return Message("entry_is_wrong", why=told)
    return Message("field_is_wrong", what=what, why=told, found=_found(kind, detail.get("input")))


def _found(kind: str, value: object) -> Message | Literal[""]:
    """Return the part of a message with the value found; "" when it would not help."""
    if kind in ("string_too_short", "too_short"):
        return ""
    if isinstance(value, dict):
        return Message("found_mapping")
    if isinstance(value, list):
        return Message("found_list")
    return Message("found", value=str(value)[:40])


def dotted(location: Sequence[str | int]) -> str:
    """Return `("sources", 0, "locator")` as "sources[1].locator": people count from one."""
    text = ""
    for part in location:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _model_at(model: type[BaseModel], location: Sequence[str | int]) -> type[BaseModel] | None:
    """Return the model of the value at `location` in a `model`."""
    current: Any = model
    for part in location:
        if isinstance(part, int):
            continue
        field = current.model_fields.get(part)
        current = None if field is None else _model_in(field.annotation)
        if current is None:
            return None
    return current if isinstance(current, type) and issubclass(current, BaseModel) else None


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (tuple, list, Union, types.UnionType, Annotated):
        for part in get_args(annotation):
            if (found := _model_in(part)) is not None:
                return found
    return None
