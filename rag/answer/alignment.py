"""How a sentence goes through a passage: for each of its words, the word of the passage that it repeats.

The cheapest way is found (Viterbi): to go on with the next word costs nothing, to skip words more the farther the jump,
to turn back more than that, and to say a word that the passage does not have most.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import inf, log

from rag.answer.comparable_text import word_lists
from vietnamese.text import words

UNSAID_TELLING, UNSAID_OTHER = 2.0, 0.7
"""Costs of a word that the passage does not say."""
SKIP, MOST_SKIP = 0.35, 1.3
BACK, MOST_BACK = 0.6, 1.0
AGAIN = 1.9
OTHER_PLACE = 0.3
MOST_STATES = MOST_OCCURRENCES = 60
"""So many ways are followed at once, so many occurrences of a word looked at: a clause repeats none so often."""

_SEGMENT_END = re.compile(r"[,;:.()](?=\s|$)|[()]")


@dataclass(frozen=True, slots=True)
class Track:
    """The words of a passage's places in order; `places` and `segments` number what each word stands in.

    A segment is what stands between two marks: "nếu có giấy xác nhận".
    """

    tokens: tuple[str, ...]
    places: tuple[int, ...]
    segments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    """For each word of a sentence the number of the word of the track that it repeats, or None; `cost` is the way's."""

    at: tuple[int | None, ...]
    cost: float

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Return the words of the sentence that repeat one of the track, with its number."""
        return [(said, there) for said, there in enumerate(self.at) if there is not None]


@lru_cache(maxsize=256)
def track_of(places: tuple[str, ...]) -> Track:
    """Return the words of places in order; of each the text of a `ComparableText`."""
    tokens: list[str] = []
    numbers: list[int] = []
    segments: list[int] = []
    segment = 0
    for number, place in enumerate(places):
        for piece in _SEGMENT_END.split(place):
            same = [word_lists().same.get(word, word) for word in words(piece)]
            tokens += same
            numbers += [number] * len(same)
            segments += [segment] * len(same)
            segment += bool(same)
    return Track(tuple(tokens), tuple(numbers), tuple(segments))


def aligned(tokens: Sequence[str], telling: frozenset[str], track: Track) -> Alignment:
    """Return the cheapest way of a sentence through a track; words in `telling` cost more when no word says them."""
    at: dict[str, list[int]] = {}
    for number, token in enumerate(track.tokens):
        at.setdefault(token, []).append(number)
    steps: list[dict[int, tuple[float, int, bool]]] = [{-1: (0.0, -1, False)}]
    for token in tokens:
        before = steps[-1]
        unsaid = UNSAID_TELLING if token in telling else UNSAID_OTHER
        here = {last: (cost + unsaid, last, False) for last, (cost, _, _) in before.items()}
        for there in at.get(token, ())[:MOST_OCCURRENCES]:
            cost, last = _cheapest(before, there, track)
            if there not in here or cost < here[there][0]:
                here[there] = (cost, last, True)
        steps.append(dict(sorted(here.items(), key=lambda item: item[1][0])[:MOST_STATES]))
    last = min(steps[-1], key=lambda each: steps[-1][each][0])
    total = steps[-1][last][0]
    way: list[int | None] = []
    for step in reversed(steps[1:]):
        _, before_it, repeats = step[last]
        way.append(last if repeats else None)
        last = before_it
    return Alignment(tuple(reversed(way)), total)


def _cheapest(before: Mapping[int, tuple[float, int, bool]], there: int, track: Track) -> tuple[float, int]:
    """Return the cost of the cheapest way to a word, and the word before it; `before` has the cheapest ways first."""
    best, found = inf, -1
    for last, (cost, _, _) in before.items():
        # A jump costs nothing or more.
        if cost > best:
            break
        with_jump = cost + _jump(last, there, track)
        if with_jump < best or (with_jump == best and last < found):
            best, found = with_jump, last
    return best, found


def _jump(last: int, there: int, track: Track) -> float:
    if last in (-1, there - 1):
        return 0.0
    if last == there:
        return AGAIN
    other = OTHER_PLACE if track.places[last] != track.places[there] else 0.0
    if there > last:
        return _skip(there - last) + other
    return _back(last - there) + other


@cache
def _skip(words_on: int) -> float:
    return min(SKIP * log(words_on), MOST_SKIP)


@cache
def _back(words_back: int) -> float:
    return BACK + min(SKIP * log(words_back + 1), MOST_BACK)


def skipped(alignment: Alignment, track: Track) -> list[int]:
    """Return the words of the track that a sentence jumps over within a place, forwards."""
    return [
        number
        for (_, one), (_, other) in pairwise(alignment.pairs)
        if other > one + 1 and track.places[one] == track.places[other]
        for number in range(one + 1, other)
    ]
