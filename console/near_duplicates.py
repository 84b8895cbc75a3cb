"""Pairs of FAQ entries that nearly ask the same, for some of the same students: students may get either answer.

Two entries are a pair when a wording of one has a likeness of `console.same_questions.NEAR` to the other, the measure
by which an entry is held back before it is published. That measure takes a lookup in the index a wording, minutes for
a whole school, so that cosines and shared words choose the wordings that can reach it. The pairs of one version of the
index are looked for once, in a thread; lists read the result.
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
from console.same_questions import NEAR, overlap
from rag.engine import Engine
from rag.errors import CovanError
from rag.index.format import Index
from rag.rerank.coverage import Coverage, said_in
from rag.types import FAQ_SOURCE, FaqEntry, Question
from school.sentence_embedder import VectorArray

logger = logging.getLogger(__name__)

LEAST_COSINE = 0.93
LEAST_SUM = 1.69
"""The least cosine, and the least sum of scaled cosine and Dice coefficient, with which a wording may reach `NEAR`.

By the weights of the preset `covan`: with all else at 1, the scaled cosine is 0.697 and the sum 1.697 or more.
"""

COSINE_FLOOR = 0.78
"""The cosine that is scaled to 0, as in the preset."""

MOST_NEIGHBOURS = 40
"""So many wordings near to one are compared with it, the nearest; an entry has some of its own among them."""

MOST_ASKED = 5_000
"""So many wordings are looked up in the index, those of the nearest pairs: some minutes of a processor."""

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


def near_pairs(engine: Engine, go_on: Callable[[], None] = lambda: None) -> Sequence[NearPair]:
    """Return the pairs of the engine's entries, the nearest first. `go_on` may raise to end the search."""
    index = engine.index
    entries = {entry.id: entry for entry in index.faq}
    competes = _competes(index)
    likeness: dict[tuple[str, str], float] = {}

    def note(one: str, other: str, near: float) -> None:
        if one != other and near >= NEAR and competes(entries[one], entries[other]):
            pair = (min(one, other), max(one, other))
            likeness[pair] = max(likeness.get(pair, 0.0), near)

    for rows in _same_letters(index):
        for one, other in _each_two(rows):
            note(index.faq[one].id, index.faq[other].id, 1.0)
    for place in _worth_asking(index, competes, go_on):
        go_on()
        for candidate in engine.candidates(Question(index.faq_texts[place]), FAQ_SOURCE):
            if isinstance(candidate.item, FaqEntry) and candidate.likeness >= NEAR:
                for row in index.faq_rows[place]:
                    note(index.faq[row].id, candidate.item.id, candidate.likeness)
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
            version, engine = self._live.version, self._live.engine()
            pairs = near_pairs(engine, self._go_on)
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


def _worth_asking(
    index: Index, competes: Callable[[FaqEntry, FaqEntry], bool], go_on: Callable[[], None]
) -> Sequence[int]:
    """Return the places of the wordings that may be as near to another entry as `NEAR`, the nearest first."""
    written = np.asarray([place for place in range(len(index.faq_texts)) if place not in index.faq_generated])
    if not len(written):
        return []
    said = cache(lambda place: said_in(index.faq_texts[place]))
    asked = cache(lambda place: Coverage(index.faq_texts[place], index.faq_terms))
    sums: defaultdict[int, float] = defaultdict(float)
    for first, second, cosine in near_places(index.faq_vectors.vectors[written], go_on):
        one, other = int(written[first]), int(written[second])
        rows = ((index.faq[a], index.faq[b]) for a in index.faq_rows[one] for b in index.faq_rows[other])
        if any(a.id != b.id and competes(a, b) for a, b in rows):
            scaled = (cosine - COSINE_FLOOR) / (1 - COSINE_FLOOR)
            for place, to in ((one, other), (other, one)):
                reached = scaled + asked(place).dice(said(to))
                if reached >= LEAST_SUM:
                    sums[place] = max(sums[place], reached)
    return sorted(sums, key=lambda place: (-sums[place], place))[:MOST_ASKED]


def _competes(index: Index) -> Callable[[FaqEntry, FaqEntry], bool]:
    """Return the function that tells whether two entries are for some of the same students."""
    known = cache(partial(overlap, catalog=index.dictionaries.catalog))
    return lambda one, other: known(one.applies_to, other.applies_to)


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
