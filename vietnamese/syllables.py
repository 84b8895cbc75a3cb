"""The spelling rules of Vietnamese syllables, with and without diacritics.

Quốc ngữ has k, gh, ngh before e, i, y and c, g, ng before the rest. Other letters are an abbreviation, a foreign word
or a typo; a syllable may be an everyday word without its diacritics.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.text import fold, words

MOST_ABBREVIATIONS = 2
"""More of them in a message are a sentence in chat spelling."""

KEPT_WORDS = 16_384
"""Words whose spelling is remembered: a school's texts have some thousand."""


def is_syllable(folded: str) -> bool:
    """Return whether `folded` (see `vietnamese.text.fold`) could be one syllable."""
    return _spelling("folded").fullmatch(folded) is not None


def is_abbreviation(text: str) -> bool:
    """Return whether `text` is one or two words of consonants alone: "đk", "dk hp"."""
    said = words(fold(text))
    return 0 < len(said) <= MOST_ABBREVIATIONS and all(
        w.isalpha() and not set(w) & set("aeiou") for w in said
    )


@lru_cache(maxsize=KEPT_WORDS)
def is_spelled(word: str) -> bool:
    """Return whether `word` (lower case, NFC) is a syllable as quốc ngữ spells it, with its diacritics and its tone.

    The tone may stand on any vowel ("hoà", "hòa", "qúy"). A syllable that ends in a stop has the tone sắc or nặng:
    "hoc" and "chat" are none.
    """
    letters: list[str] = []
    tones: list[str] = []
    for char in unicodedata.normalize("NFD", word):
        (tones if char in _TONES else letters).append(char)
    found = _spelling("spelled").fullmatch(unicodedata.normalize("NFC", "".join(letters)))
    if found is None or len(tones) > 1:
        return False
    return found["stop"] is None or (len(tones) == 1 and tones[0] in _OF_STOPPED)


def with_y(word: str) -> str:
    """Return `word` (lower case, NFC) with a y where quốc ngữ has either letter: "kỳ" for "kì", "quy" for "qui"."""
    if _spelling("i_or_y").fullmatch(word) is None:
        return word
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", word).replace("i", "y"))


_TONES = frozenset("\u0300\u0301\u0303\u0309\u0323")
_OF_STOPPED = frozenset("\u0301\u0323")


@cache
def _spelling(name: str) -> re.Pattern[str]:
    return re.compile(yaml_beside(__file__, "syllables.yml")[name], re.VERBOSE)
