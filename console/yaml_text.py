"""Values as YAML text, as the sample school writes them, and a mapping's text with a few of its fields changed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import yaml

from rag.errors import CovanError
from rag.ingest.marked_yaml import Fault
from rag.messages import DEFAULT, in_language


class YamlTextError(CovanError):
    """The text is no YAML mapping of one field a line; `faults` are those of its syntax, with their lines."""

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        self.message = message
        self.faults = tuple(faults)
        super().__init__(self.told(DEFAULT))

    def told(self, language: str) -> str:
        """Return the message, and each fault with its line, in a language of `rag.messages`."""
        faults = (each.placed for each in self.faults)
        return "\n".join(in_language(each, language) for each in (self.message, *faults))


def quoted(value: Any) -> str:
    """Return a YAML double-quoted string: JSON's is one."""
    return json.dumps(str(value), ensure_ascii=False)


def plain(value: Any) -> str:
    """Return a scalar as it stands without quotes, or in quotes where YAML would read something else."""
    written = str(value)
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]*", written):
        return quoted(written)
    try:
        read = yaml.safe_load(written)
    except ValueError:  # a day that no month has
        return quoted(written)
    # "no" and "1" would be read as other things than text; a date is to be one.
    return written if isinstance(read, (str, date)) else quoted(written)


def flow(value: Any) -> str:
    """Return a value, a list or a mapping on one line."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{plain(key)}: {flow(each)}' for key, each in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(flow(each) for each in value)}]"
    return plain(value)


def with_fields(text: str, fields: Mapping[str, Any]) -> str:
    """Return the text of a YAML mapping with these values; an empty one removes its field.

    Fields that keep their value stay as they are written, and so do comments. Raises YamlTextError.
    """
    try:
        root, known = yaml.compose(text, yaml.SafeLoader), yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:
        raise YamlTextError(f"this is no YAML: {' '.join(str(error).split())}") from error
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    if root is not None and (not isinstance(root, yaml.MappingNode) or root.flow_style):
        raise YamlTextError("the metadata are no lines of `key: value`")
    starts = {key.value: key.start_mark.line for key, _ in root.value} if root is not None else {}
    order = [*starts.values(), len(lines)]
    for name in reversed([*starts]):
        value, now = fields.get(name), known.get(name)
        if name not in fields or value == now or (isinstance(now, date) and str(now) == value):
            continue
        end = order[order.index(starts[name]) + 1]
        while end > starts[name] + 1 and (
            not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")
        ):
            end -= 1
        lines[starts[name] : end] = [f"{name}: {flow(value)}"] if value else []
    lines += [f"{name}: {flow(value)}" for name, value in fields.items() if value and name not in starts]
    return "".join(f"{line}\n" for line in lines)
