"""The roles of accounts and the rights they give. An account may have several roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum


class Right(StrEnum):
    """The rights of an account."""

    READ = "read"
    """See statistics, conversations, gaps and the FAQ."""
    PERSONAL = "personal"
    """See phone numbers, student numbers and mail addresses in lists and transcripts."""
    REPLY = "reply"
    """Take conversations and answer students."""
    PUBLISH = "publish"
    """Change the FAQ and settle gaps."""
    ADMINISTER = "administer"
    """Manage accounts and read the audit log."""


ROLES: Mapping[str, frozenset[Right]] = {
    "advisor": frozenset({Right.READ, Right.PERSONAL, Right.REPLY}),
    "editor": frozenset({Right.READ, Right.PUBLISH}),
    "administrator": frozenset(Right),
}


def rights_of(roles: Iterable[str]) -> frozenset[Right]:
    """Return the rights of all `roles` together; unknown roles give none."""
    return frozenset().union(*(ROLES.get(role, frozenset()) for role in roles))
