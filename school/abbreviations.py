"""Short forms that a document defines itself: "Ký túc xá (KTX)", "sau đây gọi tắt là P.ĐT".

Regulations define a short form once and use it ever after, while students write the term in full (or the other
way round). Finding the definitions needs no dictionary: the initials of the words before the bracket spell it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from vietnamese.patterns import any_of
from vietnamese.text import fold

_DEFINITION = re.compile(
    r"\(\s*(?:(?:sau đây\s+)?(?:gọi|viết)\s+(?:tắt|chung)?\s*là\s*:?)?\s*([A-ZĐ][A-ZĐa-z&.\-]{1,9})\s*\)"
)
_WORD = re.compile(r"\w+")
_VOWELS = frozenset("aeiouy")
_MAX_SKIPPED = 3
"""Words of the term that may have no letter in the short form ("và", "của")."""


def definitions(text: str) -> dict[str, str]:
    """Return the short forms defined in `text` with their full terms in lower case; the first definition counts."""
    found: dict[str, str] = {}
    for match in _DEFINITION.finditer(text):
        short = match.group(1)
        letters = [fold(char) for char in short if char.isupper()]
        if len(letters) < 2 or short in found:
            continue
        before = _WORD.findall(text[max(0, match.start() - 150) : match.start()])
        for size in range(len(letters), len(letters) + _MAX_SKIPPED + 1):
            term = before[-size:]
            if len(term) == size and spells([fold(word[0]) for word in term], letters):
                found[short] = " ".join(term).lower()
                break
    return found


def spells(initials: list[str], letters: list[str]) -> bool:
    """Return whether `letters` are the first of `initials` and some of the others, in their order."""
    if initials[0] != letters[0]:
        return False
    rest = iter(initials)
    return all(letter in rest for letter in letters)


def agreed(per_document: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return the reading of each short form that most documents give."""
    readings: dict[str, Counter[str]] = {}
    for found in per_document:
        for short, term in found.items():
            readings.setdefault(short, Counter())[term] += 1
    return {short: counted.most_common(1)[0][0] for short, counted in readings.items()}


class Abbreviations:
    """Writes short forms out in full, so that both ways of writing meet.

    A short form in a document is matched as written. A question may have it in lower case too, and with d for đ
    ("dkhp"), unless it has a vowel and so could be a Vietnamese syllable.
    """

    def __init__(self, terms: Mapping[str, str]) -> None:
        self._terms = dict(terms)
        self._written = _pattern(self._terms)
        typed = [short for short in terms if _VOWELS.isdisjoint(fold(short).lower())]
        bare = {fold(short).lower(): terms[short] for short in typed}
        self._typed_terms = bare | {short.lower(): terms[short] for short in typed} | self._terms
        self._typed = _pattern(self._typed_terms)

    def expand(self, text: str) -> str:
        """Return the `text` of a document with its short forms in full."""
        return self._written.sub(lambda match: self._terms[match.group()], text)

    def expand_question(self, text: str) -> str:
        """Return the `text` of a question with its short forms in full."""
        return self._typed.sub(lambda match: self._typed_terms[match.group()], text)


def _pattern(terms: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.])(?:{any_of(terms)})(?!\w)")
