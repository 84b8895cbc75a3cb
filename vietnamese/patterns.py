"""Patterns that find Vietnamese words typed with or without their diacritics, and any of several phrases."""

from __future__ import annotations

import re
from collections.abc import Iterable

from vietnamese.text import fold


def either(pattern: str) -> str:
    """Return the regular expression `pattern` with each diacritic optional.

    "à nhầm" finds "à nhầm" and "a nham", not "ạ nhầm": another diacritic makes another word.
    """
    return "".join(f"[{c}{fold(c)}]" if not c.isascii() and fold(c) != c else c for c in pattern)


def any_of(phrases: Iterable[str]) -> str:
    """Return a regular expression for any of `phrases`, the longest first; it matches nothing when there are none."""
    longest_first = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
    return "|".join(map(re.escape, longest_first)) or "(?!)"
