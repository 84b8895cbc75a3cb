"""Mask personal data in students' words: mail addresses, and numbers as long as a phone's or a student's."""

from __future__ import annotations

import re

from rag.language_model.masking import EMAIL

MASK = "•••"

_NUMBER = re.compile(r"(?<![\w,.])\+?[A-Za-z]{0,3}\d(?:[ .-]?\d){6,}(?!\w)")
"""Seven digits and more: a phone number has ten, a student number seven or more ("B2012345"), an identity card twelve.
A year, a date or a sum below ten million stays."""

_SUM = re.compile(r"\d{1,3}(?:\.000)+\Z")
"""A sum of money in thousands ("12.500.000")."""


def masked(text: str) -> str:
    """Return `text` with `MASK` in place of personal data."""
    return _NUMBER.sub(lambda found: found[0] if _is_sum(found[0]) else MASK, EMAIL.sub(MASK, text))


def has_personal_data(text: str) -> bool:
    """Return whether `masked` would change `text`."""
    return masked(text) != text


def _is_sum(number: str) -> bool:
    return bool(re.fullmatch(r"\d{1,3}(?:\.\d{3})+", number)) and bool(
        _SUM.match(number) or number.endswith("00")
    )
