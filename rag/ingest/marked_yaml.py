"""YAML with the line of every value, so that a message can name the place of a fault.

It differs from PyYAML's own loaders in three ways:

- a plain scalar is the text as written ("0200", "7:30", "no", "480.000"); pydantic makes numbers and dates of it where
  a field has such a type. An empty value, `~` and `null` are None;
- a repeated key is a fault;
- anchors, aliases and deep nesting are faults: a few lines must not grow into gigabytes or exhaust the stack.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from rag.messages import Message

MAX_DEPTH = 40

Location = tuple[str | int, ...]
"""The way to a value: keys and list positions from the root, as in pydantic's `loc`."""

_NOTHING = {"", "~", "null", "Null", "NULL"}
_HINTS = {
    "mapping values are not allowed in this context": "yaml_hint_colon",
    "found character that cannot start any token": "yaml_hint_sign",
}
_WHATS = {
    "did not find expected key": "yaml_what_key",
    "did not find expected ',' or ']'": "yaml_what_bracket",
    "did not find expected ',' or '}'": "yaml_what_brace",
    "did not find expected '-' indicator": "yaml_what_dash",
    "could not find expected ':'": "yaml_what_colon",
    "mapping values are not allowed in this context": "yaml_what_mapping",
    "found character that cannot start any token": "yaml_what_sign",
    "found unexpected end of stream": "yaml_what_quote",
    "found unknown escape character": "yaml_what_escape",
    "block sequence entries are not allowed in this context": "yaml_what_list",
    "did not find expected <document start>": "yaml_what_start",
}
"""The messages for what libyaml says of a fault."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a text, and its line, counted from 1."""

    message: str
    line: int | None = None

    @property
    def placed(self) -> str:
        """The message, with the line where it has one."""
        return self.message if self.line is None else Message("text_line", line=self.line, what=self.message)


class MarkedYamlError(ValueError):
    """The text is no usable YAML; `faults` lists the reasons."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Marked:
    """Plain dicts, lists, strings and None, with their first lines.

    `block_starts` has the first line of the text of each literal block (`key: |`).
    """

    data: object
    lines: Mapping[Location, int]
    block_starts: Mapping[Location, int] = field(default_factory=dict)

    def line(self, location: Location) -> int:
        """Return the line of the value at `location`, or of the nearest existing value around it."""
        for length in range(len(location), -1, -1):
            if (found := self.lines.get(location[:length])) is not None:
                return found
        return 1


@dataclass(slots=True)
class _Open:
    """A mapping or a list whose end is not read yet."""

    container: dict[str, object] | list[object]
    location: Location
    key: str | None = None


class _Builder:
    def __init__(self, first_line: int) -> None:
        self.first_line = first_line
        self.root: object = None
        self.open: list[_Open] = []
        self.lines: dict[Location, int] = {(): first_line}
        self.block_starts: dict[Location, int] = {}
        self.faults: list[Fault] = []

    def line(self, event: yaml.Event) -> int:
        return (event.start_mark.line if event.start_mark else 0) + self.first_line

    def fail(self, event: yaml.Event, message: str) -> MarkedYamlError:
        return MarkedYamlError((*self.faults, Fault(message, self.line(event))))

    def feed(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise self.fail(event, Message("yaml_anchor"))
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            if len(self.open) >= MAX_DEPTH:
                raise self.fail(event, Message("yaml_too_deep", most=MAX_DEPTH))
            container: dict[str, object] | list[object]
            container = {} if isinstance(event, yaml.MappingStartEvent) else []
            self.open.append(_Open(container, self._put(event, container)))
        elif isinstance(event, yaml.CollectionEndEvent):
            self.open.pop()

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        parent = self.open[-1] if self.open else None
        if parent is not None and isinstance(parent.container, dict) and parent.key is None:
            parent.key = event.value
            if event.value in parent.container:
                first = self.lines[(*parent.location, event.value)]
                self.faults.append(
                    Fault(Message("yaml_key_again", key=event.value, line=first), self.line(event))
                )
            else:
                self.lines[(*parent.location, event.value)] = self.line(event)
            return
        plain = event.style in (None, "")
        location = self._put(event, None if plain and event.value in _NOTHING else event.value)
        if event.style == "|":
            self.block_starts[location] = self.line(event) + 1

    def _put(self, event: yaml.Event, value: object) -> Location:
        if not self.open:
            self.root = value
            return ()
        parent = self.open[-1]
        if isinstance(parent.container, list):
            location: Location = (*parent.location, len(parent.container))
            parent.container.append(value)
            self.lines[location] = self.line(event)
            return location
        if parent.key is None:
            raise self.fail(event, Message("yaml_key_not_plain"))
        location = (*parent.location, parent.key)
        parent.container[parent.key] = value
        parent.key = None
        return location


def parse(text: str, first_line: int = 1) -> Marked:
    """Return the one YAML document in `text`, whose first line is line `first_line` of its file.

    Raises MarkedYamlError with all faults up to the first fault of syntax.
    """
    builder = _Builder(first_line)
    documents = 0
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise builder.fail(event, Message("yaml_second_document"))
            builder.feed(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + first_line
        said = error.problem or error.context or "cannot be read"
        what = Message(_WHATS.get(said, "yaml_what_other"), what=said)
        if error.problem and error.context and error.context_mark is not None:
            start = error.context_mark.line + first_line
            what = Message("yaml_within", what=what, context=error.context, line=start)
        hint = _HINTS.get(error.problem or "")
        hint = Message(hint) if hint else ""
        raise MarkedYamlError(
            (*builder.faults, Fault(Message("yaml_broken", what=what, hint=hint), line))
        ) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + first_line
        fault = Fault(Message("yaml_bad_character", reason=error.reason), line)
        raise MarkedYamlError((*builder.faults, fault)) from error
    if builder.faults:
        raise MarkedYamlError(tuple(builder.faults))
    return Marked(builder.root, builder.lines, builder.block_starts)
