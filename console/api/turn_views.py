"""What an account sees of a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Query

from console.accounts import Account
from console.personal_data import masked
from console.roles import Right
from school.catalog import Catalog
from school.intents import intent_of

Days = Annotated[int, Query(ge=1, le=365)]


def text_for(text: str, account: Account) -> str:
    """Return a text, masked for accounts that may not see personal data."""
    return text if Right.PERSONAL in account.rights else masked(text)


def turn_view(row: Mapping[str, Any], account: Account) -> Mapping[str, Any]:
    """Return a turn of a list; who asked is not shown."""
    hidden = ("sender", "trace", "vector", "reasons", "normalized", "mentions")
    kept = {name: value for name, value in row.items() if name not in hidden}
    spoken = {name: text_for(row[name], account) for name in ("question", "pressed") if name in row}
    return {**kept, **spoken}


def added_by_context(trace: Mapping[str, Any], answer_id: str, *, is_first: bool) -> str:
    """Return a question in full with what its conversation adds; "" where there is nothing before it that could.

    The engine keeps the words of the entry that answered as the question in full: the conversation has added nothing
    to these.
    """
    resolved = str(trace.get("resolved") or "")
    entries = [each for each in trace.get("candidates") or () if each.get("id") == answer_id]
    is_of_entry = any(each.get("title") == resolved for each in entries)
    return "" if is_first or is_of_entry else resolved


def named_trace(trace: Mapping[str, Any], catalog: Catalog, topics: Mapping[str, str]) -> Mapping[str, Any]:
    """Return a trace with the school's names: pairs of dimension and value, and the topics of its intents, by intent.

    `topics` are the names of the topics by id.
    """

    def named(kind: str, value: str) -> tuple[str, str]:
        spec = catalog.dimension(kind)
        return (spec.called(), catalog.name(kind, value)) if spec is not None else (kind, value)

    of_intents = {intent_of(topic): name for topic, name in topics.items()}
    return {
        **trace,
        "mentions": [named(*each) for each in trace.get("mentions") or ()],
        "profile": [named(*each) for each in (trace.get("profile") or {}).items()],
        "topics": {
            intent: of_intents[intent] for intent in trace.get("intents") or {} if intent in of_intents
        },
    }
