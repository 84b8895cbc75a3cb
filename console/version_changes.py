"""The change of a version in words: which thing of the knowledge folder, which of its fields, and both values.

The YAML files of the folder are compared thing by thing: lists have things with an `id`, a question or an intent, or
are follow-ups, and what is no list has fields by their names. Other files are compared line by line. The raw difference
stays beside it (`Versions.diff`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal

import yaml

from console.document_files import front_matter
from console.knowledge_files import SUFFIXES

MOST_CHANGES = 200
MOST_CHARS = 4_000
"""Characters of a value that are shown."""

_NAMES = ("question", "name", "title", "intent", "id")
"""The fields by which a thing is called, the first one that it has."""
_KEYS = ("id", "intent", "question")
"""The fields by which a thing of a list is the same in both versions."""
_CODES = frozenset({"id", "intent", "version"})
"""Fields that programs read: a thing is told by its name."""
_TEXT_FIELD = "text"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field with its values before and after, as texts; "" where there is none."""

    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ThingChange:
    """A thing that a version changed, by its name, and the file that it is in.

    `part` is the list of the file that it stands in ("majors"); "" for the only one.
    """

    file: str
    part: str
    name: str
    kind: Literal["added", "removed", "changed"]
    fields: Sequence[FieldChange]


def changes_of(file: str, before: bytes | None, after: bytes | None) -> Iterator[ThingChange]:
    """Yield the things of a file that differ between its two contents; None is no file."""
    told_before, told_after = _parts(file, before), _parts(file, after)
    if told_before is None or told_after is None:
        name = PurePosixPath(file).name
        kind = _kind(None if before is None else name, None if after is None else name)
        yield ThingChange(file, "", name, kind, ())
        return
    for key in dict.fromkeys((*told_before, *told_after)):
        old, new = told_before.get(key), told_after.get(key)
        fields = [
            FieldChange(name, *values)
            for name in dict.fromkeys((*(old or {}), *(new or {})))
            if name not in _CODES and len(set(values := _values(name, old, new))) > 1
        ]
        if fields:
            part, own = key
            yield ThingChange(file, part, _name(new or old or {}) or own, _kind(old, new), fields)


def _kind(old: Any, new: Any) -> Literal["added", "removed", "changed"]:
    if old is None:
        return "added"
    return "removed" if new is None else "changed"


def _values(name: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> tuple[str, str]:
    before, after = (_text((of or {}).get(name)) for of in (old, new))
    if name in (_TEXT_FIELD, "examples"):
        # Long texts: the lines alone that the other one lacks.
        before, after = _lines_without(before, after), _lines_without(after, before)
    return before[:MOST_CHARS], after[:MOST_CHARS]


def _lines_without(text: str, other: str) -> str:
    known = set(other.splitlines())
    return "\n".join(line for line in text.splitlines() if line not in known)


def _parts(file: str, content: bytes | None) -> Mapping[tuple[str, str], Mapping[str, Any]] | None:
    """Return the things of a file by their part and key; None for a file that is no text, or no YAML."""
    if content is None:
        return {}
    try:
        if PurePosixPath(file).suffix not in SUFFIXES:
            return {("", ""): _document(file, content)}
        return dict(_things(yaml.load(content.decode(), _LOADER)))
    except (UnicodeDecodeError, yaml.YAMLError):
        return None


def _document(file: str, content: bytes) -> Mapping[str, Any]:
    """Return the fields of a document in its front matter, and its text."""
    match = front_matter(PurePosixPath(file), content)
    told = yaml.load(match["yaml"].decode(), _LOADER) if match is not None else None
    body = content[match.end() :] if match is not None else content
    return {**(told if isinstance(told, dict) else {}), _TEXT_FIELD: body.decode().strip()}


def _things(told: Any) -> Iterator[tuple[tuple[str, str], Mapping[str, Any]]]:
    if isinstance(told, list):
        yield from _listed("", told)
    elif isinstance(told, dict):
        single = dict[str, Any]()
        for name, value in told.items():
            if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
                yield from _listed(str(name), value)
            elif isinstance(value, dict) and {"id", "name"} <= value.keys():
                # The school itself, in the catalogue.
                yield (str(name), ""), value
            elif isinstance(value, dict):
                single.update(_flat(str(name), value))
            else:
                single[str(name)] = value
        yield ("", ""), single


def _listed(part: str, things: Sequence[Any]) -> Iterator[tuple[tuple[str, str], Mapping[str, Any]]]:
    for place, item in enumerate(things):
        thing = item if isinstance(item, dict) else {_TEXT_FIELD: item}
        own = next((str(thing[key]) for key in _KEYS if key in thing), _said(thing) or str(place))
        yield (part, own), {str(name): value for name, value in thing.items()}


def _said(thing: Mapping[Any, Any]) -> str:
    """Return the words of a follow-up, with the entry that they stand after; "" for another thing."""
    return f"{_text(thing['said'])} ({thing.get('after')})" if "said" in thing else ""


def _flat(path: str, told: Mapping[Any, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in told.items():
        here = f"{path}.{name}"
        if isinstance(value, dict):
            yield from _flat(here, value)
        else:
            yield here, value


def _name(thing: Mapping[str, Any]) -> str:
    called = next((str(thing[name]) for name in _NAMES if isinstance(thing.get(name), str)), "")
    return called or _text(thing.get("said"))


def _text(value: Any) -> str:
    """Return a value as lines of text."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    if isinstance(value, dict):
        return " · ".join(f"{name}: {_text(own)}".replace("\n", ", ") for name, own in value.items())
    return str(value).strip()
