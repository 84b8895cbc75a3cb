"""Patterns that find Vietnamese words typed with or without their diacritics."""

from __future__ import annotations

from vietnamese.text import fold


def either(pattern: str) -> str:
    """Return the regular expression `pattern` with each diacritic optional.

    "à nhầm" finds "à nhầm" and "a nham", not "ạ nhầm": another diacritic makes another word.
    """
    return "".join(f"[{c}{fold(c)}]" if not c.isascii() and fold(c) != c else c for c in pattern)
