"""Grumbling about studying, which asks for nothing and is no distress: "mệt quá, deadline dí".

The classifier takes it for `out_of_scope`; lists of words, which are easily corrected, tell it from the rest. The check
for distress (`actions.dialogue_acts.in_distress`) comes first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.text import MAX_QUESTION_CHARS, clean, fold, words

MOST_WORDS = 14
"""A longer message is more than a grumble."""

_STRETCHED = re.compile(r"([^\W\d_])\1+")

Phrase = tuple[str, ...]


def vents(text: str) -> bool:
    """Return whether `text` only grumbles about studying, exams or deadlines, not about the bot."""
    said = _words(clean(text, MAX_QUESTION_CHARS))
    signs, asking, at_the_end, wondering = _phrases()
    if not said or len(said) > MOST_WORDS or "?" in text:
        return False
    # "lo quá không biết có ra trường nổi không" asks nobody.
    asks = _is_said(said[-1:], at_the_end) and not _is_said(said, wondering)
    return _is_said(said, signs) and not asks and not _is_said(said, asking)


def _is_said(said: Sequence[str], phrases: Sequence[Phrase]) -> bool:
    """Return whether `said` has one of `phrases`, each word as listed or without diacritics."""
    return any(
        all(typed in (meant, fold(meant)) for typed, meant in zip(said[place:], phrase, strict=False))
        for phrase in phrases
        for place in range(len(said) - len(phrase) + 1)
    )


def _words(text: str) -> list[str]:
    """Return the words of `text` without drawn-out letters ("ghêêê")."""
    return words(_STRETCHED.sub(r"\1", text.lower()))


@lru_cache(maxsize=1)
def _phrases() -> Sequence[Sequence[Phrase]]:
    lists = yaml_beside(__file__, "venting.yml")
    names = ("signs", "asking", "asking_at_the_end", "wondering")
    return [[tuple(_words(phrase)) for phrase in lists[name]] for name in names]
