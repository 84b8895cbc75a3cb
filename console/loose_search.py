"""Search as people type: capital letters and diacritics make no difference."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from vietnamese.text import fold

_MARKS = " ?!.,;:"

KEPT_TEXTS = 8_192
"""Folded texts that are kept: each letter that is typed searches the whole school anew."""


def search_words(text: str) -> Sequence[str]:
    """Return the words to look for, as `has_words` wants them."""
    return bare(text).split()


def has_words(text: str, words: Sequence[str]) -> bool:
    """Return whether `text` has all `words`, each perhaps as a part of a longer one."""
    return not words or are_in(_kept(text), words)


def are_in(folded: str, words: Sequence[str]) -> bool:
    """Return whether a text has all `words`, as `has_words`; `folded` is what `bare` returns for it."""
    return all(word in folded for word in words)


def bare(text: str) -> str:
    """Return `text` in lower case without diacritics, from any normal form."""
    return fold(unicodedata.normalize("NFC", text))


def phrase(text: str) -> str:
    """Return `text` as `bare` does, with single spaces and without the marks around it."""
    return " ".join(bare(text).split()).strip(_MARKS)


@lru_cache(maxsize=KEPT_TEXTS)
def _kept(text: str) -> str:
    return bare(text)
