"""Comparison of an answer with a reference answer, without a language model.

An answer that quotes a regulation is rarely the reference word by word, and mostly longer. It counts when it holds
most of the reference's pairs of neighbouring words, and is not so long that it would hold those of anything.
"""

from __future__ import annotations

import re
from itertools import pairwise
from unicodedata import normalize

LEAST_SHARE = 0.6
"""The share of the reference's word bigrams that must stand in the answer."""

MOST_WORDS, MOST_TIMES = 150, 2
"""An answer may have 150 words, or twice as many as the reference when that is more."""


def says(answer: str, reference: str) -> bool:
    """Return whether `answer` holds enough of `reference` in few enough words. An empty reference is never said."""
    said, wanted = _words(answer), _words(reference)
    if len(said) > max(MOST_WORDS, MOST_TIMES * len(wanted)):
        return False
    if len(wanted) == 1:
        return wanted[0] in said
    there = set(pairwise(said))
    found = [pair in there for pair in pairwise(wanted)]
    return bool(found) and sum(found) / len(found) >= LEAST_SHARE


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", normalize("NFC", text).lower())
