"""The fields of kept drafts, which the database has as JSON."""

from __future__ import annotations

from pydantic import TypeAdapter

from console.api.models import AnyKept
from console.kept_drafts import KeptDraft

_KEPT: TypeAdapter[AnyKept] = TypeAdapter(AnyKept)


def kept_in(kept: KeptDraft) -> AnyKept:
    """Return the fields of a kept draft."""
    return _KEPT.validate_json(kept.draft)
