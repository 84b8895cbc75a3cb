"""Detection of the language of a message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from vietnamese.data_files import yaml_beside
from vietnamese.english import English
from vietnamese.syllables import is_syllable
from vietnamese.text import MAX_QUESTION_CHARS, fold_with_offsets

Language = Literal["vi", "en"]

_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")

_CODE = re.compile(r"[\w.@]*\{.*(?:\}|\Z)|\w*_\w*", re.DOTALL)
"""Data in braces with the name before them, and names with underscores: they are of no language."""

_MOST_WORDS = 60
"""Words at the beginning of a message that are counted."""

_FEWEST = 2
"""Words of one language alone that tell it; fewer do not ("thanks", "ok bye", "scholarship?")."""

_SHORTEST_UNKNOWN = 5
"""Letters from which a word that is neither listed nor a syllable counts half as English."""

_OUTWEIGHS = 1.5
"""English words for each Vietnamese one in an English message: names and terms of the school stay Vietnamese."""


@dataclass(frozen=True)
class _Lists:
    """`english`: words that only English has. `borrowed`: words of both languages. `either`: English words that are
    spelled like a Vietnamese syllable ("can", "the", "me")."""

    english: frozenset[str]
    borrowed: frozenset[str]
    either: frozenset[str]


@dataclass
class _Count:
    """Words of a message by language. `either`: words that could be of both; `unknown`: of none."""

    english: int = 0
    vietnamese: int = 0
    marked: int = 0
    either: int = 0
    unknown: int = 0


def detect_language(text: str) -> Language | None:
    """Return the language of `text`; None when its words are too few or evenly mixed."""
    count = _count(text, frozenset())
    vietnamese = count.vietnamese + count.marked
    if count.english and not vietnamese:
        return "en" if count.english + (count.unknown + count.either) / 2 >= _FEWEST else None
    if count.english >= _FEWEST and count.english + count.unknown / 2 > _OUTWEIGHS * vietnamese:
        return "en"
    return "vi" if vietnamese >= _FEWEST and vietnamese > count.english else None


def is_english(text: str, own: frozenset[str] = frozenset()) -> bool:
    """Return whether to search for `text` as English: a single word may be, a Vietnamese letter excludes it.

    `own`: words of the school that are English, in lower case.
    """
    count = _count(text, own)
    # Names and typos are unknown too: alone they prove nothing.
    return not count.marked and count.english > 0 and count.english + count.unknown / 2 > count.vietnamese


def _count(text: str, own: frozenset[str]) -> _Count:
    lists = _lists()
    seen = fold_with_offsets(_CODE.sub(" ", text[:MAX_QUESTION_CHARS]))
    count = _Count()
    for found in islice(_WORD.finditer(seen.lowered), _MOST_WORDS):
        word, bare = found[0].replace("’", "'"), seen.folded[found.start() : found.end()]
        if word != bare.replace("’", "'"):
            count.marked += 1
        elif word in lists.borrowed:
            continue
        elif word in lists.either:
            count.either += 1
        elif word in lists.english or (word in own and not is_syllable(word)):
            count.english += 1
        elif is_syllable(word):
            count.vietnamese += len(word) > 1
        elif len(word) >= _SHORTEST_UNKNOWN:
            count.unknown += 1
    return count


@lru_cache(maxsize=1)
def _lists() -> _Lists:
    listed = yaml_beside(__file__, "language_detection.yml")["english"].split()
    known = English()
    words = {form for word in (*known.vocabulary, *listed) for form in _inflected(word) if form.isascii()}
    either = {word for word in words if is_syllable(word)} - known.borrowed
    return _Lists(frozenset(words - either - known.borrowed), frozenset(known.borrowed), frozenset(either))


def _inflected(word: str) -> Iterator[str]:
    """Yield a word and its regular forms in -s, -ed and -ing; forms that English lacks do no harm."""
    yield word
    if is_syllable(word) or not word.isalpha():
        return
    yield f"{word[:-1]}ies" if word.endswith("y") else f"{word}es" if word[-1] in "shx" else f"{word}s"
    stem = word.removesuffix("e")
    yield from (f"{stem}ed", f"{stem}ing", f"{stem}{stem[-1]}ed", f"{stem}{stem[-1]}ing")
