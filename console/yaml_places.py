"""Edits at a place inside a YAML text: the characters of the changed value change, and no others.

A place is the way to it: keys and list positions from the root, as in `rag.ingest.marked_yaml`. Each edit is checked by
reading the result: it must hold the new value, and all others as before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml

from console.yaml_text import YamlTextError, quoted
from rag.ingest.marked_yaml import Location, MarkedYamlError, parse
from rag.messages import Message

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Slice:
    """The text of a value in its file; `line` counts from 1."""

    text: str
    line: int


def read(text: str) -> Any:
    """Return the data of a text, all scalars as they are written. Raises YamlTextError."""
    try:
        return parse(text).data
    except MarkedYamlError as error:
        raise YamlTextError(Message("text_no_yaml"), error.faults) from error


def slice_at(text: str, path: Location) -> Slice:
    """Return the text of the value at `path`. Raises YamlTextError when there is none."""
    node = _node(text, path)
    return Slice(text[node.start_mark.index : _end(node, text)], node.start_mark.line + 1)


def comment_at(text: str, line: int) -> str:
    """Return the comment at the end of a line (from 1), without its sign; "" without one."""
    said = text.split("\n")[line - 1]
    return said[_sign(said) + 1 :].strip()


def with_comment(text: str, line: int, comment: str) -> str:
    """Return the text with another comment at the end of a line (from 1); "" removes it. Raises YamlTextError."""
    lines = text.split("\n")
    before = lines[line - 1].removesuffix("\r")
    rest = before[: _sign(before)]
    made = f"{rest.rstrip()}  # {comment}" if comment else rest.rstrip()
    lines[line - 1] = made + ("\r" if lines[line - 1].endswith("\r") else "")
    return _checked("\n".join(lines), read(text))


def with_values(text: str, path: Location, fields: Mapping[str, Any]) -> str:
    """Return the text with these values in the mapping at `path`; an empty one removes its field.

    New fields go behind those before them in the order of `fields`. Without any data, the text gets the fields at its
    end. Raises YamlTextError.
    """
    expected = read(text)
    if expected is None and not path:
        head = f"{text.rstrip()}\n" if text.strip() else ""
        lines = (f"{_scalar(name, None)}: {_flow(value)}\n" for name, value in fields.items() if value)
        return _checked(head + "".join(lines), {name: value for name, value in fields.items() if value})
    target = _at(expected, path)
    if not isinstance(target, dict):
        raise YamlTextError(f"there is no mapping at {_told(path)}")
    before: list[str] = []
    for name, value in fields.items():
        known = target.get(name)
        if (_listed(value) if isinstance(value, list) else value) == (
            _listed(known) if isinstance(value, list) else known
        ) or (not value and not known):
            before.append(name)
            continue
        if not value:
            text = _without(text, path, name)
            del target[name]
            continue
        if name not in target:
            text = _inserted(text, path, name, value, [each for each in before if each in target])
        elif isinstance(value, list) and isinstance(known, list):
            text = _with_list(text, (*path, name), value)
        else:
            text = _replaced(text, (*path, name), value)
        target[name] = deepcopy(value)
        before.append(name)
    return _checked(text, expected)


def with_item(text: str, path: Location, item: Mapping[str, Any]) -> str:
    """Return the text with one more item at the end of the list at `path`, as `with_items`."""
    return with_items(text, path, [item])


def with_items(text: str, path: Location, items: Sequence[Mapping[str, Any]]) -> str:
    """Return the text with more items at the end of the list at `path`, written as the last one is.

    A list that is not there yet is made; its parent must be. Raises YamlTextError.
    """
    expected = read(text)
    known = _at(expected, path) if _has(expected, path) else None
    added = [{name: value for name, value in item.items() if value} for item in items]
    if not added:
        return text
    if known is None and not path:
        blocks = "\n".join(_block_item(item, 0) for item in added)
        return f"{text.rstrip()}\n{blocks}\n".lstrip("\n")
    if known is None:
        head = text if text.endswith("\n") or not text else f"{text}\n"
        parent = _at(expected, path[:-1])
        if len(path) > 1 or (parent is not None and path[-1] in parent):
            raise YamlTextError(f"there is no list at {_told(path)}; write its first item into the file")
        if expected is None:
            expected = {}
        expected[path[-1]] = added
        lines = "".join(f"  - {_flow(item)}\n" for item in added)
        return _checked(f"{head}{path[-1]}:\n{lines}", expected)
    if not isinstance(known, list):
        raise YamlTextError(f"there is no list at {_told(path)}")
    node = _list(text, path)
    if not node.value or node.flow_style:
        made = ", ".join(map(_flow, added))
        text = _spliced(text, _flow_end(node), _flow_end(node), f"{', ' if node.value else ''}{made}")
    else:
        column, last = node.start_mark.column, node.value[-1]
        is_flow = isinstance(last, yaml.MappingNode) and bool(last.flow_style)
        made = "\n".join(
            f"{' ' * column}- {_flow(item)}" if is_flow else _block_item(item, column) for item in added
        )
        end = _line_end(text, _end(node, text))
        text = _spliced(text, end, end, f"\n{made}")
    known.extend(added)
    return _checked(text, expected)


def without_item(text: str, path: Location) -> str:
    """Return the text without the list's item at `path`; of the last one, an empty list stays. Raises YamlTextError."""
    expected, node, row = read(text), _list(text, path[:-1]), int(path[-1])
    item, end = _node(text, path), _end(_node(text, path), text)
    del _at(expected, path[:-1])[row]
    if len(node.value) == 1:
        start = node.start_mark.index
        return _checked(
            _spliced(text, start, node.end_mark.index if node.flow_style else end, "[]"), expected
        )
    if node.flow_style:
        start = _end(node.value[row - 1], text) if row else item.start_mark.index
        end = end if row else node.value[1].start_mark.index
        return _checked(_spliced(text, start, end, ""), expected)
    start = _line_start(text, item.start_mark.index)
    if text[start : item.start_mark.index].strip() != "-":
        raise YamlTextError(
            f"{_told(path)} does not begin on a line of its own; remove it in the file itself"
        )
    return _checked(_spliced(text, start, _line_end(text, end) + 1, ""), expected)


def without_field(text: str, path: Location) -> str:
    """Return the text without the field at `path`, and without the mappings that are empty then.

    Raises YamlTextError.
    """
    expected = read(text)
    while len(path) > 1 and len(_at(expected, path[:-1])) == 1:
        path = path[:-1]
    del _at(expected, path[:-1])[path[-1]]
    made = _without(text, path[:-1], str(path[-1]))
    return _checked(made, expected or read(made))


# --- the parts of an edit --------------------------------------------------------------------------------------------


def _replaced(text: str, path: Location, value: Any) -> str:
    node = _node(text, path)
    end = _end(node, text)
    style = node.style if isinstance(node, yaml.ScalarNode) else None
    made = _scalar(value, style) if isinstance(value, str) else _flow(value)
    return _spliced(text, node.start_mark.index, end, made if end > node.start_mark.index else f" {made}")


def _with_list(text: str, path: Location, value: Sequence[str]) -> str:
    """Return the text with another list of scalars; items that stay are as they were written."""
    node = _list(text, path)
    ends = [_end(each, text) for each in node.value]
    written: dict[str, str] = {}
    column = node.start_mark.column
    for each, end in zip(node.value, ends, strict=True):
        start = each.start_mark.index
        stop = end if node.flow_style else _line_end(text, end)
        written.setdefault(str(each.value), text[start:stop])
    kept = [str(each.value) for each in node.value]
    in_flow = bool(node.flow_style)
    made = [written.get(each) or _scalar(each, None) for each in value]
    if in_flow and kept and list(value[: len(kept)]) == kept:
        # Behind the last one, so that the lines of a long list stay.
        return _spliced(text, ends[-1], ends[-1], "".join(f", {each}" for each in made[len(kept) :]))
    if in_flow:
        return _spliced(text, node.start_mark.index, node.end_mark.index, f"[{', '.join(made)}]")
    joined = f"\n{' ' * column}".join(f"- {each}" for each in made)
    return _spliced(text, node.start_mark.index, _line_end(text, ends[-1]), joined)


def _inserted(text: str, path: Location, name: str, value: Any, before: Sequence[str]) -> str:
    """Return the text with a new field of a mapping, behind the last one of `before`, or at the mapping's end."""
    node = _mapping(text, path)
    pairs = {key.value: (key, each) for key, each in node.value}
    made = f"{_scalar(name, None)}: {_flow(value)}"
    behind = pairs[before[-1]] if before else node.value[-1] if node.value else None
    if behind is None:
        return _spliced(text, node.start_mark.index + 1, node.start_mark.index + 1, made)
    end = _end(behind[1], text)
    if node.flow_style:
        return _spliced(text, end, end, f", {made}")
    end = _line_end(text, end)
    return _spliced(text, end, end, f"\n{' ' * node.value[0][0].start_mark.column}{made}")


def _without(text: str, path: Location, name: str) -> str:
    node = _mapping(text, path)
    place = next(place for place, (key, _) in enumerate(node.value) if key.value == name)
    key, value = node.value[place]
    start, end = key.start_mark.index, _end(value, text)
    if node.flow_style:
        if place:
            start = _end(node.value[place - 1][1], text)
        elif len(node.value) > 1:
            end = node.value[1][0].start_mark.index
        return _spliced(text, start, end, "")
    if text[_line_start(text, start) : start].strip():
        raise YamlTextError(f"{name} is the first field of {_told(path)}; remove it in the file itself")
    return _spliced(text, _line_start(text, start), _line_end(text, end) + 1, "")


def _checked(text: str, expected: Any) -> str:
    if read(text) != expected:
        raise YamlTextError("this place cannot be changed here; change it in the file itself")
    return text


# --- places ----------------------------------------------------------------------------------------------------------


def _mapping(text: str, path: Location) -> yaml.MappingNode:
    node = _node(text, path)
    assert isinstance(node, yaml.MappingNode)
    return node


def _list(text: str, path: Location) -> yaml.SequenceNode:
    node = _node(text, path)
    assert isinstance(node, yaml.SequenceNode)
    return node


def _node(text: str, path: Location) -> yaml.Node:
    node = _composed(text)
    for part in path:
        if isinstance(node, yaml.MappingNode):
            node = next((value for key, value in node.value if key.value == part), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
        else:
            node = None
        if node is None:
            break
    if node is None:
        raise YamlTextError(f"there is nothing at {_told(path)}")
    return node


@lru_cache(maxsize=4)
def _composed(text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=_LOADER)
    except (yaml.YAMLError, ValueError) as error:
        raise YamlTextError(f"this is no YAML: {' '.join(str(error).split())}") from error


def _end(node: yaml.Node, text: str) -> int:
    """Return the offset behind the last character of a value: a block's own mark is behind the lines that follow."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last, text)
    start, end = node.start_mark.index, node.end_mark.index
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        return start + len(text[start:end].rstrip())
    return int(end)


def _flow_end(node: yaml.SequenceNode) -> int:
    """Return the offset behind the last item of a list in brackets."""
    return int(node.value[-1].end_mark.index if node.value else node.end_mark.index - 1)


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def _spliced(text: str, start: int, end: int, made: str) -> str:
    return text[:start] + made + text[end:]


def _at(data: Any, path: Location) -> Any:
    for part in path:
        data = data[part]
    return data


def _has(data: Any, path: Location) -> bool:
    try:
        _at(data, path)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _listed(value: Any) -> list[str]:
    return [] if value is None else value if isinstance(value, list) else [value]


def _told(path: Location) -> str:
    return ".".join(map(str, path)) or "the root"


def _sign(line: str) -> int:
    """Return the offset of the sign of a line's comment; its length without one."""
    quote = ""
    for place, char in enumerate(line):
        if quote:
            quote = "" if char == quote and line[place - 1] != "\\" else quote
        elif char in "\"'" and (not place or line[place - 1] in " [{,:"):
            quote = char
        elif char == "#" and (not place or line[place - 1] in " \t"):
            return place
    return len(line)


# --- values ----------------------------------------------------------------------------------------------------------


def _scalar(value: str, style: str | None) -> str:
    """Return a text without quotes where it had none, or is new, and YAML reads it as the same."""
    value = str(value)
    if style in (None, "") and "\n" not in value and " #" not in value:
        try:
            # In brackets: what is the same there is the same everywhere.
            if parse(f"[{value}]").data == [value] and yaml.safe_load(f"[{value}]") == [value]:
                return value
        except (MarkedYamlError, yaml.YAMLError, ValueError):
            pass
    return quoted(value)


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_scalar(key, None)}: {_flow(each)}' for key, each in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_flow, value))}]"
    return _scalar(value, None)


def _block_item(item: Mapping[str, Any], column: int) -> str:
    fields = [f"{_scalar(name, None)}: {_flow(value)}" for name, value in item.items()]
    indent = " " * column
    return f"\n{indent}  ".join([f"{indent}- {fields[0]}", *fields[1:]])
