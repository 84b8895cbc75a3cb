"""Messages, in the languages of the locales, on the faults that pydantic finds in a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rag.messages import Message

_WANTED = {
    **dict.fromkeys(("string_too_short", "too_short", "missing"), "wants_something"),
    **dict.fromkeys(("int_parsing", "int_type", "int_from_float"), "wants_whole_number"),
    **dict.fromkeys(("float_parsing", "float_type"), "wants_number"),
    **{"string_type": "wants_text", "tuple_type": "wants_list", "list_type": "wants_list"},
    "model_type": "wants_mapping",
}
"""The message for each kind of fault that needs no number."""

_LIMITS = {
    **{
        "string_too_long": ("wants_fewer_characters", "max_length"),
        "too_long": ("wants_fewer", "max_length"),
    },
    **{"less_than_equal": ("wants_at_most", "le"), "less_than": ("wants_less", "lt")},
    **{"greater_than_equal": ("wants_at_least", "ge"), "greater_than": ("wants_more", "gt")},
    **dict.fromkeys(("literal_error", "enum"), ("wants_one_of", "expected")),
}
"""The message for each kind of fault with a limit, and the limit's name in pydantic's context."""


def said_wrong(detail: Mapping[str, Any]) -> Message:
    """Return what is wrong with a value, by an entry of pydantic's `errors()`: "must be a whole number"."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind in _WANTED:
        return Message(_WANTED[kind])
    if kind in _LIMITS:
        key, limit = _LIMITS[kind]
        told = context[limit]
        return Message(key, limit=f"{told:g}" if isinstance(told, float) else told)
    if kind == "string_pattern_mismatch":
        return Message(_of_pattern(context["pattern"]))
    said = str(detail["msg"])
    return Message("pydantic", said=said[:1].lower() + said[1:])


def _of_pattern(pattern: str) -> str:
    """Return the key of what a text must be that does not match a pattern of `rag.ingest.schema`."""
    if "http" in pattern:
        return "wants_web_address"
    return "wants_number_only" if pattern.startswith(r"^[1-9]\d") else "wants_other_signs"
