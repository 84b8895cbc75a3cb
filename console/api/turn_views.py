"""What an account sees of a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Query

from console.accounts import Account
from console.personal_data import masked
from console.roles import Right

Days = Annotated[int, Query(ge=1, le=365)]


def text_for(text: str, account: Account) -> str:
    """Return a text, masked for accounts that may not see personal data."""
    return text if Right.PERSONAL in account.rights else masked(text)


def turn_view(row: Mapping[str, Any], account: Account) -> Mapping[str, Any]:
    """Return a turn of a list; who asked is not shown."""
    hidden = ("sender", "trace", "vector", "reasons")
    kept = {name: value for name, value in row.items() if name not in hidden}
    return {**kept, "question": text_for(row["question"], account)}
