"""The answer to the question whether to erase everything that is stored of a student.

It consists of words, because what is erased cannot be had back: no probability consents.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.text import fold, words

WORDS_OF_A_REFUSAL = 5


def consents(typed: str) -> bool:
    """Return whether a message that answers the question clearly consents."""
    said, known = {fold(word) for word in words(typed)}, _words()
    return bool(said & known["consent"]) and said <= known["consent"] | known["beside"]


def refuses(typed: str) -> bool:
    """Return whether a short message that answers the question refuses."""
    said = words(typed)
    return len(said) <= WORDS_OF_A_REFUSAL and any(fold(word) in _words()["refusal"] for word in said)


@lru_cache(maxsize=1)
def _words() -> Mapping[str, frozenset[str]]:
    lists = yaml_beside(__file__, "erasure_answer.yml")
    return {name: frozenset(lists[name]) for name in ("consent", "beside", "refusal")}
