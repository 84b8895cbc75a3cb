"""Find personal data: mail addresses, and numbers as long as a phone's or a student's.

In students' words they are masked; in an answer of the school those are told that its catalogue and facts do not list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rag.language_model.masking import EMAIL

MASK = "•••"

_NUMBER = re.compile(r"(?<![\w,.])\+?[A-Za-z]{0,3}\d(?:[ .-]?\d){6,}(?!\w)")
"""Seven digits and more: a phone number has ten, a student number seven or more ("B2012345"), an identity card twelve.
A year, a date or a sum below ten million stays."""

_SUM = re.compile(r"\d{1,3}(?:\.000)+\Z")
"""A sum of money in thousands ("12.500.000")."""

_DAYS_AND_YEARS = re.compile(
    r"[12]\d{3}(?:[ .-][12]\d{3})+|[12]\d{3}(?:[.-]\d{2}){2}|\d{2}(?:[.-]\d{2})[.-][12]\d{3}"
)
"""Years in a row ("2025-2026") and dates."""


def masked(text: str) -> str:
    """Return `text` with `MASK` in place of personal data."""
    return _NUMBER.sub(lambda found: found[0] if _is_sum(found[0]) else MASK, EMAIL.sub(MASK, text))


def has_personal_data(text: str) -> bool:
    """Return whether `masked` would change `text`."""
    return masked(text) != text


def unlisted_contacts(text: str, listed: Iterable[str]) -> Sequence[str]:
    """Return the numbers and mail addresses of `text` that stand in none of the texts `listed`, each once."""
    found = dict.fromkeys(_contacts(text))
    known = {_key(contact) for each in listed for contact in _contacts(each)} if found else set()

    def is_listed(key: str) -> bool:
        # A number without its area code is the end of the listed one.
        return key in known or ("@" not in key and any(each.endswith(key) for each in known))

    return [contact for contact in found if not is_listed(_key(contact))]


def _contacts(text: str) -> Iterator[str]:
    for found in EMAIL.finditer(text):
        yield found[0]
    # "(0299) 1234 567" is one number.
    unbracketed = re.sub(r"\(|\) ?", " ", EMAIL.sub(" ", text))
    for found in _NUMBER.finditer(unbracketed):
        if not _is_sum(found[0]) and not _DAYS_AND_YEARS.fullmatch(found[0]):
            yield found[0]


def _key(contact: str) -> str:
    """Return what equal contacts have in common: "+84 912…" is "0912…"."""
    if "@" in contact:
        return contact.casefold()
    digits = re.sub(r"\W", "", contact).casefold()
    return f"0{digits[2:]}" if digits.startswith("84") and len(digits) > 10 else digits


def _is_sum(number: str) -> bool:
    return bool(re.fullmatch(r"\d{1,3}(?:\.\d{3})+", number)) and bool(
        _SUM.match(number) or number.endswith("00")
    )
