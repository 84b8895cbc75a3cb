"""Format a time for a student: "7:30 thứ Hai 24/11"."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml


def time_phrase(at: datetime, now: datetime, language: str) -> str:
    """Return `at`, which is not before `now`, in a language of time_phrase.yml."""
    words = _words()[language]
    days = (at.date() - now.date()).days
    form = words["today" if days == 0 else "tomorrow" if days == 1 else "later"]
    return str(
        form.format(
            time=f"{at.hour}:{at.minute:02}",
            day=f"{at.day}/{at.month}",
            weekday=words["weekdays"][at.weekday()],
        )
    )


@lru_cache(maxsize=1)
def _words() -> dict[str, Any]:
    words: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
    return words
