"""The office in charge of a part of the knowledge folder, and whether somebody has reviewed the part within a year."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

REVIEW_DAYS = 365
"""A part is due when its last review is longer ago, or when it never had one."""


@dataclass(frozen=True, slots=True)
class Review:
    """The id of the office in charge, and the day of the last review (ISO 8601); each is empty where none is told."""

    owner: str = ""
    reviewed_at: str = ""

    def is_due(self, today: date) -> bool:
        """Return whether nobody has reviewed it for `REVIEW_DAYS`."""
        return self.reviewed_at < (today - timedelta(REVIEW_DAYS)).isoformat()


def review_of(fields: Mapping[str, Any]) -> Review:
    """Return what the fields of an entry, a calculator, a document, a topic or an item of the catalogue tell."""
    return Review(str(fields.get("owner") or ""), str(fields.get("reviewed_at") or ""))
