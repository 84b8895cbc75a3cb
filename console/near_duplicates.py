"""Pairs of FAQ entries that nearly ask the same, for some of the same students: students may get either answer.

Two entries are a pair when the question of one and a wording of the other ask the same (`QuestionLikeness`), or when a
wording of each has the same letters. Wordings of students are not compared with each other: many of them say little of
their matter, or belong to several. The pairs of one version of the index are looked for once, in a thread; lists read
the result.
"""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from console.live_index import LiveIndex
from console.loose_search import phrase
from console.question_likeness import LEAST_COSINE, QuestionLikeness
from console.same_questions import overlap
from rag.errors import CovanError
from rag.index.format import Index
from rag.types import FaqEntry
from school.dimensions import AppliesTo
from school.reader import Reader
from school.sentence_embedder import VectorArray

logger = logging.getLogger(__name__)

MOST_NEIGHBOURS = 40
"""So many wordings near to one are compared with it, the nearest; an entry has some of its own among them."""

_AT_ONCE = 512
"""Wordings that are compared with all others at once: with 120,000, their cosines take 250 MB."""


class _StoppedError(Exception):
    """The console ends."""


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two entries by their ids, in order, and the likeness in 0..1 of their nearest wordings."""

    one: str
    other: str
    likeness: float


def near_pairs(index: Index, go_on: Callable[[], None] = lambda: None) -> Sequence[NearPair]:
    """Return the pairs of the index's entries, the nearest first. `go_on` may raise to end the search."""
    reader = Reader(index.reading)
    competes = _competes(index, reader)
    likeness: dict[tuple[str, str], float] = {}

    def note(one: int, other: int, near: float) -> None:
        first, second = index.faq[one], index.faq[other]
        if first.id != second.id and competes(first, second):
            pair = (min(first.id, second.id), max(first.id, second.id))
            likeness[pair] = max(likeness.get(pair, 0.0), near)

    for rows in _same_letters(index):
        for one, other in _each_two(rows):
            note(one, other, 1.0)
    for first, second, near in _alike(index, reader, go_on):
        for one in index.faq_rows[first]:
            for other in index.faq_rows[second]:
                note(one, other, near)
    found = (NearPair(*pair, near) for pair, near in likeness.items())
    return sorted(found, key=lambda pair: (-pair.likeness, pair.one, pair.other))


class NearDuplicates:
    """The pairs of the index that is live, looked for once a version."""

    def __init__(self, live: LiveIndex) -> None:
        self._live = live
        self._lock = threading.Lock()
        self._version = ""
        self._pairs: Sequence[NearPair] = ()
        self._thread: threading.Thread | None = None
        self._is_closed = threading.Event()

    def found(self) -> tuple[Sequence[NearPair], bool]:
        """Return the pairs, and whether they are those of the current version.

        Otherwise they are those of an earlier one, and the search of the current one begins, unless it runs.
        """
        with self._lock:
            is_current = self._version == self._live.version
            runs = self._thread is not None and self._thread.is_alive()
            if not is_current and not runs and not self._is_closed.is_set():
                self._thread = threading.Thread(target=self._look, name="near duplicates", daemon=True)
                self._thread.start()
            return self._pairs, is_current

    def close(self) -> None:
        """End the search that runs."""
        self._is_closed.set()
        if self._thread is not None:
            self._thread.join()

    def _look(self) -> None:
        try:
            version, index = self._live.version, self._live.index()
            pairs = near_pairs(index, self._go_on)
        except _StoppedError:
            return
        except CovanError as error:
            logger.error("Entries that ask the same cannot be looked for: %s", error)
            return
        with self._lock:
            self._version, self._pairs = version, pairs

    def _go_on(self) -> None:
        """Raises _StoppedError when the console ends."""
        if self._is_closed.is_set():
            raise _StoppedError


def near_places(
    vectors: VectorArray, go_on: Callable[[], None] = lambda: None
) -> Iterator[tuple[int, int, float]]:
    """Yield each two rows whose cosine is `LEAST_COSINE` or more, the first one before the second, and the cosine.

    `vectors` (n, d) have the length 1. Of more than `MOST_NEIGHBOURS` of a row, these are the nearest.
    """
    for start in range(0, len(vectors), _AT_ONCE):
        go_on()
        cosines = vectors[start : start + _AT_ONCE] @ vectors.T
        is_near = cosines >= LEAST_COSINE
        for own in np.flatnonzero(is_near.sum(axis=1) > 1):
            row = start + int(own)
            near = np.flatnonzero(is_near[own])
            near = near[np.argsort(-cosines[own][near], kind="stable")][: MOST_NEIGHBOURS + 1]
            yield from ((row, int(other), float(cosines[own, other])) for other in near if other > row)


def _alike(index: Index, reader: Reader, go_on: Callable[[], None]) -> Iterator[tuple[int, int, float]]:
    """Yield the places of two wordings, one an entry's question, that ask the same, and their likeness."""
    written = np.asarray([place for place in range(len(index.faq_texts)) if place not in index.faq_generated])
    if not len(written):
        return
    questions, likeness = _questions(index, reader, go_on), QuestionLikeness(index)
    for first, second, cosine in near_places(index.faq_vectors.vectors[written], go_on):
        one, other = int(written[first]), int(written[second])
        are_told = index.faq_texts[one] in questions or index.faq_texts[other] in questions
        if are_told and (near := likeness.of(one, other, cosine)):
            yield one, other, near


def _questions(index: Index, reader: Reader, go_on: Callable[[], None]) -> Set[str]:
    """Return the questions of the entries as the index has them."""
    found = set[str]()
    for entry in index.faq:
        go_on()
        found.add(reader.searched(entry.question).asked)
    return found


def _competes(index: Index, reader: Reader) -> Callable[[FaqEntry, FaqEntry], bool]:
    """Return the function that tells whether two entries are for some of the same students.

    A question may name whom it is for ("chuẩn ngoại ngữ của khóa 50") instead of `applies_to`.
    """
    catalog = index.dictionaries.catalog
    known = cache(partial(overlap, catalog=catalog))
    link = reader.wording.link

    @cache
    def named(question: str) -> AppliesTo:
        values: defaultdict[str, list[str]] = defaultdict(list)
        for mention in link(question):
            if mention.entity in catalog.dimension_ids:
                values[mention.entity].append(mention.value)
        return AppliesTo({dimension: tuple(each) for dimension, each in values.items()})

    return lambda one, other: (
        known(one.applies_to, other.applies_to) and known(named(one.question), named(other.question))
    )


def _same_letters(index: Index) -> Iterator[Set[int]]:
    """Yield the rows of the entries that have a wording in the same letters, where these are several."""
    rows: defaultdict[str, set[int]] = defaultdict(set)
    for place, text in enumerate(index.faq_texts):
        if place not in index.faq_generated:
            rows[phrase(text)].update(index.faq_rows[place])
    return (each for each in rows.values() if len(each) > 1)


def _each_two(rows: Set[int]) -> Iterator[tuple[int, int]]:
    ordered = sorted(rows)
    return ((one, other) for place, one in enumerate(ordered) for other in ordered[place + 1 :])
