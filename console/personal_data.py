"""Find personal data: mail addresses, and numbers as long as a phone's or a student's.

In students' words they are masked; in an answer of the school those are told that its catalogue and facts do not list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rag.language_model.masking import EMAIL

MASK = "•••"

_NUMBER = re.compile(r"(?<![\w,.])\+?[A-Za-z]{0,3}\d(?:[ .-]?\d){6,}(?!\w)")
"""Seven digits and more: a phone number has ten, a student number seven or more ("B2012345"), an identity card twelve.
Two kinds of such numbers are nobody's: `_PUBLIC`, and the number of a document (`_DOCUMENT_FOLLOWS`)."""

_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH = r"(?:0?[1-9]|1[0-2])"
_YEAR = r"(?:19|20)\d\d"
_PUBLIC = re.compile(
    # "HK1 2025-2026": a number of one or two digits goes before it.
    r"(?:[A-Za-z]{0,3}[1-9]\d?[ .-])?"
    rf"(?:(?:{_YEAR}(?:[ .-]{_YEAR})+|{_YEAR}(?P<a>[.-]){_MONTH}(?P=a){_DAY}|{_DAY}(?P<b>[ .-]){_MONTH}(?P=b){_YEAR}"
    # "12.500.000"; a longer run of groups could be a phone number, unless it ends in two zeros.
    r"|[1-9]\d{0,2}(?:\.\d{3})*\.(?:000|\d00))(?:[ .-](?=\d)|\Z))+"
)
"""Years in a row, dates, and sums of money in thousands."""

_SUM = re.compile(r"[1-9]\d*(?:[ .]\d{3})*")
_MONEY_FOLLOWS = re.compile(r"\s*(?:đồng(?!\s+ý)|đ|vnđ|vnd|usd)\b", re.IGNORECASE)
_DOCUMENT_FOLLOWS = re.compile(rf"/(?:{_YEAR}/)?[^\W\d_]{{2}}")


def masked(text: str) -> str:
    """Return `text` with `MASK` in place of personal data."""
    text = EMAIL.sub(MASK, text)
    return _NUMBER.sub(lambda found: MASK if _is_personal(found) else found[0], text)


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


def contact_keys(texts: Iterable[str]) -> frozenset[str]:
    """Return the numbers and mail addresses of texts in the form that equal ones have in common."""
    return frozenset(_key(contact) for text in texts for contact in _contacts(text))


def written_contacts(text: str) -> Mapping[str, str]:
    """Return the numbers and mail addresses of a text as they are written in it, by their `contact_keys`."""
    found = {_key(contact): contact for contact in _contacts(text)}
    # "(0299) 1234 567" alone keeps its brackets.
    is_alone = len(found) == 1 and not any(letter.isalpha() for letter in text)
    return dict.fromkeys(found, text.strip()) if is_alone else found


def _contacts(text: str) -> Iterator[str]:
    for found in EMAIL.finditer(text):
        yield found[0]
    # "(0299) 1234 567" is one number.
    unbracketed = re.sub(r"\(|\) ?", " ", EMAIL.sub(" ", text))
    for found in _NUMBER.finditer(unbracketed):
        if _is_personal(found):
            yield found[0]


def _key(contact: str) -> str:
    """Return what equal contacts have in common: "+84 912…" is "0912…"."""
    if "@" in contact:
        return contact.casefold()
    digits = re.sub(r"\W", "", contact).casefold()
    return f"0{digits[2:]}" if digits.startswith("84") and len(digits) > 10 else digits


def _is_personal(found: re.Match[str]) -> bool:
    """Return whether a number may be a phone's, a student's or an identity card's, by itself and what follows it."""
    number, end = found[0], found.end()
    is_sum = _SUM.fullmatch(number) and _MONEY_FOLLOWS.match(found.string, end)
    return not (is_sum or _PUBLIC.fullmatch(number) or _DOCUMENT_FOLLOWS.match(found.string, end))
