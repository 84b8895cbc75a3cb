"""How much a question says in particular: "ngành này có cơ hội gì" leaves open which field, and which chances.

The notion is query specificity of information retrieval (a query is general when its words are: Cronen-Townsend,
Zhou & Croft, 2002), with the words of asking and of every university taken out by a list instead of left to
statistics, which a small collection does not have.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from rag.text import fold, words
from rag.understand.stopwords import STOPWORDS, says_something

_WORDS = Path(__file__).with_name("specificity.yml")


class _Lists(BaseModel):
    """The file's lists."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    referents: list[str]
    pointers: list[str]
    everybody: list[str]
    abstract: list[str]
    everyday: list[str]
    compounds: list[str]
    open: list[str]


@dataclass(frozen=True, slots=True)
class Specificity:
    """`particular`: the words that say what the question is about in particular, in order, in lower case.

    `unnamed`: the kinds of things that it speaks of without saying which ("ngành", "chương trình đào tạo").
    `pointing`: whether one of them is pointed at ("ngành này"), though nothing was said before.
    `open`: whether it wants to be told about something, not to be given one thing.
    """

    particular: tuple[str, ...]
    unnamed: tuple[str, ...]
    pointing: bool
    open: bool


def specificity(question: str) -> Specificity:
    """What a question (NFC, in plain wording) says in particular."""
    tokens = words(question)
    bare = all(token == fold(token) for token in tokens)
    lists = _phrases(bare)
    particular: list[str] = []
    unnamed: list[str] = []
    pointing = False
    place = 0
    referent: str | None = None
    while place < len(tokens):
        kind, length = _longest(tokens, place, lists)
        phrase = " ".join(tokens[place : place + length])
        if kind == "referents":
            if referent is not None:
                unnamed.append(referent)
            referent = phrase
        elif kind in (None, "compounds"):
            particular += tokens[place : place + length]
            referent = None  # what comes after a kind of thing is its name
        else:
            if referent is not None:
                unnamed.append(referent)
                pointing = pointing or kind == "pointers"
            referent = None
        place += length
    if referent is not None:
        unnamed.append(referent)
    said = f" {' '.join(tokens)} "
    is_open = any(f" {phrase} " in said for phrase in _open(bare))
    return Specificity(tuple(particular), tuple(dict.fromkeys(unnamed)), pointing, is_open)


def _longest(tokens: list[str], place: int, lists: dict[str, str]) -> tuple[str | None, int]:
    """The list with the longest phrase that begins at `place`, and how many words it has; one word of no list."""
    for length in range(min(_LONGEST, len(tokens) - place), 0, -1):
        kind = lists.get(" ".join(tokens[place : place + length]))
        if kind is not None:
            return kind, length
    token = tokens[place]
    says = says_something(token) if token == fold(token) else token not in STOPWORDS
    return (None if says else "stopwords"), 1


_LONGEST = 4


@lru_cache(maxsize=2)
def _phrases(bare: bool) -> dict[str, str]:
    """The list that each phrase is in; the first one of the file counts."""
    lists = _lists()
    found: dict[str, str] = {}
    for kind in ("referents", "pointers", "everybody", "abstract", "everyday", "compounds"):
        for phrase in getattr(lists, kind):
            spelled = " ".join(words(phrase))
            found.setdefault(fold(spelled) if bare else spelled, kind)
    return found


@lru_cache(maxsize=2)
def _open(bare: bool) -> tuple[str, ...]:
    return tuple(fold(phrase) if bare else phrase for phrase in _lists().open)


@lru_cache(maxsize=1)
def _lists() -> _Lists:
    return _Lists.model_validate(yaml.safe_load(_WORDS.read_text(encoding="utf-8")))
