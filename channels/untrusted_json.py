"""Read JSON that somebody else has written: whatever it holds can be stored, shown and sent on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

MOST_DIGITS = 4_000
"""Of an integer; Python reads no more than 4,300: https://docs.python.org/3/library/stdtypes.html#int-max-str-digits"""

_MAY_BE_UNSTORABLE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
"""In a JSON text: such characters come as escapes only, pairs that make one character included."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""PostgreSQL stores no NUL; UTF-8 has no half characters, which JSON can carry as escapes."""


def parse_json(body: bytes, *, numbers_as_text: bool = False) -> Any:
    """Return the value of a JSON text in UTF-8, fit to be stored.

    An odd part never costs the rest, which may be other students' messages: bytes that are no UTF-8 become U+FFFD, an
    integer of more than `MOST_DIGITS` digits becomes infinite. With `numbers_as_text`, numbers are the texts that were
    written.

    Raises:
        ValueError: when the text is not JSON, or too deeply nested.
    """
    try:
        text = body.decode("utf-8-sig", "replace")
        value = (_WITH_TEXTS if numbers_as_text else _WITH_NUMBERS).decode(text)
        return storable(value) if _MAY_BE_UNSTORABLE.search(text) else value
    except RecursionError as error:
        raise ValueError("the JSON text is too deeply nested") from error


def object_of(holder: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the object in a field; empty when there is none."""
    value = holder.get(name)
    return value if isinstance(value, dict) else {}


def text_of(holder: Mapping[str, Any], name: str) -> str:
    """Return the text in a field; empty when there is none."""
    value = holder.get(name)
    return value if isinstance(value, str) else ""


def storable(value: Any) -> Any:
    """Return a JSON value without NUL and lone surrogates in its texts. Raises RecursionError."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("", value)
    if isinstance(value, list):
        return [storable(each) for each in value]
    if isinstance(value, dict):
        return {storable(key): storable(each) for key, each in value.items()}
    return value


def _integer(digits: str) -> float:
    return int(digits) if len(digits) <= MOST_DIGITS else float(digits)


_WITH_NUMBERS = json.JSONDecoder(parse_int=_integer)
_WITH_TEXTS = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
