"""Messages that tell of the writer and ask nothing: "em tên An, mã số B2012345", "em bị trừ tiền học phí hai lần".

A student who has asked for a person writes them to that person. The words stand in `telling.yml`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.text import clean, fold, words

_IDENTIFYING = re.compile(r"\b[A-Za-z]{0,3}\d{6,}\b|\S+@\S+\.\S+")
"""A student's number, a telephone number or an address of mail."""

WORDS_OF_DETAILS = 30


def tells(text: str) -> bool:
    """Return whether `text` tells of the writer and asks nothing."""
    said, bare = words(text := clean(text)), fold(text) == text.lower()
    known = _words(bare)
    if "?" in text or not said or said[-1] in known.asking_at_the_end or not known.asking.isdisjoint(said):
        return False
    if _IDENTIFYING.search(text) and len(said) <= WORDS_OF_DETAILS:
        return True
    while said and said[0] in known.greeting:
        said.pop(0)
    return bool(said) and said[0] in known.writer | known.details


@dataclass(frozen=True, slots=True)
class _Words:
    """Content of telling.yml; without diacritics for a message that has none."""

    greeting: frozenset[str]
    writer: frozenset[str]
    asking: frozenset[str]
    asking_at_the_end: frozenset[str]
    details: frozenset[str]


@lru_cache(maxsize=2)
def _words(bare: bool) -> _Words:
    given = yaml_beside(__file__, "telling.yml")
    return _Words(
        **{name: frozenset(words(fold(listed) if bare else listed)) for name, listed in given.items()}
    )
