"""Question patterns of the graph (`graph_patterns.yml`), and the patterns that a message fits.

A message is compared with a pattern in bare letters, its entities replaced by X (the one asked about) and by the names
of their types. What a pattern leaves unexplained of the message lowers the probability that it is meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from rag.retrieve.entity_lookup import Link, PlaceNamed, Word
from vietnamese.data_files import yaml_beside
from vietnamese.text import fold, words

UNEXPLAINED = 0.62
"""The factor for each telling word that a pattern does not explain: another matter may be asked about."""

MOST_CHARS = 400
"""The longest message, masked, that is compared: patterns are not tried on more."""

_SYNTAX = re.compile(r"\\[a-z]|\{\d+,\d+\}")
_LITERAL = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A way to ask for something; `graph_patterns.yml` explains each part."""

    id: str
    of: frozenset[str]
    asks: tuple[re.Pattern[str], ...]
    needs: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]
    words: re.Pattern[str] | None
    companions: frozenset[str]
    steps: tuple[tuple[str, ...], ...]
    kinds: frozenset[str]
    stated_property: str
    stated_by: tuple[str, ...]
    related: tuple[str, ...]
    match: frozenset[str]
    second: str
    answer: str
    empty: str
    weight: float
    several: bool
    only_by_code: bool
    also: str
    entry_first: bool
    structural: bool
    vocabulary: frozenset[str]


@dataclass(frozen=True, slots=True)
class Fit:
    """A pattern that a message fits, about the entities `subject`.

    `cues` are the words (places in the message) that were found to ask for it; `explained` all words that it explains.
    """

    pattern: Pattern
    subject: Link
    second: Link | None
    cues: frozenset[int]
    explained: frozenset[int]


@dataclass(slots=True)
class Masked:
    """A message in bare letters with its entities replaced; `places` are the words of the message by character."""

    text: str
    places: list[int] = field(default_factory=list)

    def words_at(self, start: int, end: int) -> frozenset[int]:
        """Return the words of the message behind the characters from `start` to `end`."""
        return frozenset(place for place in self.places[start:end] if place >= 0)


def masked(said: Sequence[Word], links: Sequence[Link], subject: Link, place: PlaceNamed | None) -> Masked:
    """Return a message in which `subject` is X, and each other link the name of its type in capitals."""
    result = Masked("")
    number = 0
    spans = {(link.start, link.end): link.kind.upper() for link in links}
    if place is not None and (place.start, place.end) != (subject.start, subject.end):
        spans[place.start, place.end] = "PLACE"
    spans[subject.start, subject.end] = "X"
    starts = {start: (end, name) for (start, end), name in spans.items()}
    while number < len(said):
        end, token = number + 1, said[number].folded
        if number in starts:
            end, token = starts[number]
        result.text += f"{token} "
        result.places += [number] * len(token) + [-1]
        number = end
    # "$" of a pattern is the end of the last word.
    return Masked(result.text.rstrip(), result.places)


def fits(
    said: Sequence[Word], links: Sequence[Link], subject: Link, place: PlaceNamed | None = None
) -> list[Fit]:
    """Return the patterns about `subject` that a message fits."""
    others = [
        link
        for link in links
        if link.start >= subject.end or subject.start >= link.end
        if place is None or link.start >= place.end or place.start >= link.end
    ]
    seen = masked(said, others, subject, place)
    if len(seen.text) > MOST_CHARS:
        return []
    found = (_fit(pattern, said, others, subject, seen, place) for pattern in patterns())
    return [fit for fit in found if fit is not None]


def _fit(
    pattern: Pattern,
    said: Sequence[Word],
    others: Sequence[Link],
    subject: Link,
    seen: Masked,
    place: PlaceNamed | None,
) -> Fit | None:
    """Return how a message fits a pattern; None when it does not."""
    if subject.kind not in pattern.of or any(each.search(seen.text) for each in pattern.unless):
        return None
    if pattern.only_by_code and not _is_code(said[subject.start : subject.end]):
        return None
    second = next((link for link in others if link.kind == pattern.second), None)
    if pattern.second and second is None:
        return None
    if pattern.needs and not any(each.search(seen.text) for each in pattern.needs):
        return None
    if not any(each.search(seen.text) for each in pattern.asks):
        return None
    cues: frozenset[int] = frozenset()
    for each in (*pattern.asks, *pattern.needs):
        for match in each.finditer(seen.text):
            cues |= seen.words_at(*match.span())
    # A word in a gap of a pattern is not explained by it.
    cues = frozenset(place for place in cues if said[place].folded in pattern.vocabulary)
    explained = cues
    if pattern.words is not None:
        for match in pattern.words.finditer(seen.text):
            explained |= seen.words_at(*match.span())
    of_subject = frozenset(range(subject.start, subject.end))
    for link in others:
        if link.kind in pattern.companions:
            explained |= frozenset(range(link.start, link.end))
    if place is not None:
        explained |= frozenset(range(place.start, place.end))
    return Fit(pattern, subject, second, cues - of_subject, explained | of_subject)


def unexplained(said: Sequence[Word], explained: frozenset[int]) -> list[str]:
    """Return the telling words of a message that are not explained."""
    return [
        word.folded
        for number, word in enumerate(said)
        if number not in explained and word.folded not in filler()
    ]


def _is_code(name: Sequence[Word]) -> bool:
    return any(char.isdigit() for word in name for char in word.folded) and len(name) == 1


@lru_cache(maxsize=1)
def filler() -> frozenset[str]:
    """Return the words, in bare letters, that stand in any question."""
    return frozenset(map(fold, words(yaml_beside(__file__, "graph_patterns.yml")["filler"])))


@lru_cache(maxsize=1)
def frequent() -> frozenset[str]:
    """Return the words, in bare letters, that stand in questions of any kind."""
    return filler().union(*(pattern.vocabulary for pattern in patterns()))


@lru_cache(maxsize=1)
def patterns() -> tuple[Pattern, ...]:
    """Return all patterns, in the order of the file."""
    data = yaml_beside(__file__, "graph_patterns.yml")
    macros: Mapping[str, str] = data["macros"]
    return tuple(_pattern(each, macros) for each in data["patterns"])


def of_id(pattern: str) -> Pattern:
    """Return the pattern with an id. Raises StopIteration when there is none."""
    return next(each for each in patterns() if each.id == pattern)


def _pattern(data: Mapping[str, Any], macros: Mapping[str, str]) -> Pattern:
    def expanded(text: str) -> str:
        for _ in range(3):
            for name, macro in macros.items():
                text = text.replace(f"{{{name}}}", macro)
        return text

    def compiled(text: str) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{expanded(text)})(?:(?!\w)|(?<=\s))")

    literal = " ".join(expanded(text) for text in (*data["asks"], *data.get("needs", ())))
    return Pattern(
        id=data["id"],
        of=frozenset(data["of"]),
        asks=tuple(map(compiled, data["asks"])),
        needs=tuple(map(compiled, data.get("needs", ()))),
        unless=tuple(map(compiled, data.get("unless", ()))),
        words=compiled(data["words"]) if data.get("words") else None,
        companions=frozenset(data.get("with", ())),
        steps=tuple(tuple(step.split("|")) for step in data.get("steps", ())),
        kinds=frozenset(data.get("kinds", ())),
        stated_property=data.get("property", ""),
        stated_by=tuple(data.get("stated_by", [data.get("property", "")])),
        related=tuple(data.get("related", ())),
        match=frozenset(data.get("match", ())),
        second=data.get("second", ""),
        answer=data.get("answer", data["id"]),
        empty=data.get("empty", ""),
        weight=data.get("weight", 0.99),
        several=bool(data.get("several")),
        only_by_code=bool(data.get("only_by_code")),
        also=data.get("also", ""),
        entry_first=bool(data.get("entry_first")),
        structural=bool(data.get("structural")),
        vocabulary=frozenset(_LITERAL.findall(_SYNTAX.sub(" ", literal))),
    )
