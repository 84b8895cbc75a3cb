"""Patterns that find Vietnamese words typed with or without their diacritics."""

from __future__ import annotations

from vietnamese.text import fold


def either(pattern: str) -> str:
    """The regular expression `pattern` with each letter that has a diacritic also without it.

    Found by "à nhầm" are "à nhầm" and "a nham", not "ạ nhầm": what is typed with another diacritic is another word.
    """
    return "".join(f"[{c}{fold(c)}]" if not c.isascii() and fold(c) != c else c for c in pattern)
