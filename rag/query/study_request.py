"""Requests for help with studying a course: its reading list, the summary of a chapter, exercises.

The patterns are those of `study_request.yml`. As for the graph, each telling word that nothing explains lowers the
probability that the message means just this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any

from rag.retrieve.entity_lookup import Link, Word
from rag.retrieve.graph_patterns import UNEXPLAINED, filler
from vietnamese.data_files import yaml_beside
from vietnamese.text import fold, words

_SUREST = 0.99
"""The probability of a request whose words are all explained."""

_COURSE = "X"
"""Stands for the course in a message."""


class StudyKind(StrEnum):
    """Kinds of help."""

    EXERCISES = "exercises"
    SUMMARY = "summary"
    READING = "reading"


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """A request: `kind` is None, `chapter` 0 when the message names none.

    `said` are the words beside kind, course and number, in bare letters; `left` are those of them that nothing
    explains. A chapter's title may.
    """

    kind: StudyKind | None
    chapter: int
    said: frozenset[str]
    left: tuple[str, ...]

    def with_chapter(self, number: int, title: frozenset[str]) -> StudyRequest:
        """Return the request with a chapter that it names by its title."""
        return replace(self, chapter=number, left=tuple(word for word in self.left if word not in title))

    def probability(self, link: float) -> float:
        """Return the probability that the message means just this, of a course that is meant with `link`."""
        return float(round(_SUREST * link * UNEXPLAINED ** len(self.left), 6))


def study_request(said: Sequence[Word], course: Link | None, names: Iterable[str] = ()) -> StudyRequest:
    """Return the request in a message; `course` is the place of the course in it, `names` are its names."""
    start, end = (course.start, course.end) if course is not None else (len(said), len(said))
    before, behind = ([word.folded for word in part] for part in (said[:start], said[end:]))
    text = " ".join([*before, _COURSE, *behind] if course is not None else before)
    rules = _rules()
    named = rules.chapter.search(text)
    kind = next((kind for kind, asks in rules.kinds.items() if asks.fits(text)), None)
    rest = text if named is None else f"{text[: named.start()]} {text[named.end() :]}"
    if kind is not None:
        rest = rules.kinds[kind].asks.sub(" ", rest)
    spare = [word for word in rest.split() if word != _COURSE]
    known = rules.words | filler() | {word for name in names for word in bare(name).split()}
    left = tuple(word for word in spare if word not in known)
    number = number_of(named["number"]) if named is not None else 0
    return StudyRequest(kind, number, frozenset(spare), left)


def number_of(written: str) -> int:
    """Return the number of a chapter as it is written in bare letters ("2", "ii", "hai"); 0 for none."""
    return int(written) if written.isdecimal() else _rules().numbers.get(written, 0)


def title_words(heading: str) -> frozenset[str]:
    """Return the telling words of a chapter's heading in bare letters: "Chương 2. Danh sách liên kết"."""
    folded = bare(heading)
    named = heading_of("chapter").match(folded)
    title = folded[named.end() :] if named is not None else folded
    return frozenset(word for word in title.split() if word not in filler())


def bare(text: str) -> str:
    """Return a text in bare letters, its words with blanks between."""
    return " ".join(words(fold(text)))


def heading_of(part: str) -> re.Pattern[str]:
    """Return the pattern of the headings of a `part` of a material: "chapter", "exercises" or "reading"."""
    return _rules().headings[part]


@dataclass(frozen=True, slots=True)
class _Asks:
    asks: re.Pattern[str]
    unless: re.Pattern[str]

    def fits(self, text: str) -> bool:
        return self.asks.search(text) is not None and self.unless.search(text) is None


@dataclass(frozen=True, slots=True)
class _Rules:
    kinds: Mapping[StudyKind, _Asks]
    words: frozenset[str]
    chapter: re.Pattern[str]
    numbers: Mapping[str, int]
    headings: Mapping[str, re.Pattern[str]]


@cache
def _rules() -> _Rules:
    data: Mapping[str, Any] = yaml_beside(__file__, "study_request.yml")
    return _Rules(
        {
            StudyKind(kind): _Asks(_any(own["asks"]), _any(own["unless"]))
            for kind, own in data["kinds"].items()
        },
        frozenset(data["words"].split()),
        re.compile(data["chapter"]),
        data["numbers"],
        {part: re.compile(pattern) for part, pattern in data["headings"].items()},
    )


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns)})\b")
