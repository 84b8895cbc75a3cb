"""The follow-ups of a school tell which entries answered messages like this one behind the same matter.

"Nộp ở đâu v" may ask for forty entries; behind the answer that somebody has just read, it asks for one or two. A school
keeps such messages with the entries that answer them (`follow_ups/*.yml`), as it keeps wordings of questions. Each
counts by how like the message it is, a kernel over sentence vectors (Nadaraya, 1964), and more behind the same matter.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rag.index.format import Index
from rag.query.same_words import folded_words
from rag.types import FollowUp, Item, family_of
from school.sentence_embedder import VectorArray

ENOUGH = 3
"""Follow-ups that an entry must have on average: the models learnt from a school that has some ten of them."""

WIDTH = 0.02
"""The difference of cosines that makes a follow-up count less by a factor of e."""
ANYWHERE, SAME_TOPIC, BEFORE, LAST = 0.15, 0.25, 0.5, 1.0
"""The weights of a follow-up, which add up: wherever it stood; behind an answer of the last one's topic ("đóng trễ thì
sao" behind any price); behind a matter of the conversation; behind the last."""
DOUBT = 3 * float(np.exp(-0.1 / WIDTH))
"""The weight of what nobody has written: of three follow-ups with a cosine of 0.9."""
UNLIKE = 0.75
"""The cosine of a message to an entry without follow-ups: the least that any two messages have."""
UNANSWERED = ""
"""Stands for the family of what nothing answers."""


@dataclass(frozen=True, slots=True)
class Likely:
    """The families that follow-ups name for a message: their shares (0..1) of the weights, their nearest cosines."""

    shares: Mapping[str, float]
    cosines: Mapping[str, float]

    def signals(self, family: str) -> dict[str, float]:
        """Return the signals of a candidate of this family; `unanswered` is the same for every one."""
        return {
            "follow_ups.share": self.shares.get(family, 0.0),
            "follow_ups.cosine": self.cosines.get(family, UNLIKE),
            "follow_ups.unanswered": self.shares.get(UNANSWERED, 0.0),
        }


class FollowUps:
    """The follow-ups of an index, without those whose entries are gone. Immutable, so thread-safe."""

    def __init__(self, index: Index) -> None:
        family = {entry.id: entry.family for entry in index.faq}
        kept = [
            (place, one)
            for place, one in enumerate(index.follow_ups)
            if one.after in family and all(each in family for each in one.entries)
        ]
        self._numbers = {name: number for number, name in enumerate(sorted(set(family.values())))}
        topics = {entry.id: entry.topic for entry in index.faq}
        self._topics = {topic: number for number, topic in enumerate(dict.fromkeys(topics.values()))}
        self._topic_after = np.array([self._topics[topics[one.after]] for _, one in kept], np.intp)
        self._after = np.array([self._numbers[family[one.after]] for _, one in kept], np.intp)
        self._kept = [one for _, one in kept]
        rows_of: dict[str, list[int]] = {}
        for row, one in enumerate(self._kept):
            for name in {family[each] for each in one.entries} or {UNANSWERED}:
                rows_of.setdefault(name, []).append(row)
        self._families = tuple(rows_of)
        self._rows = np.array([row for some in rows_of.values() for row in some], np.intp)
        self._starts = np.cumsum([0, *map(len, rows_of.values())], dtype=np.intp)[:-1]
        self._meant: dict[tuple[int, tuple[str, ...]], set[str]] = {}
        for after, one in zip(self._after.tolist(), self._kept, strict=True):
            if said := folded_words(one.said):
                self._meant.setdefault((after, said), set()).add(next(iter(one.entries), ""))
        self._places = np.array([place for place, _ in kept], np.intp)
        self._vectors = index.follow_up_vectors if kept else None
        self.are_enough = len(kept) >= ENOUGH * max(len(self._numbers), 1)

    def meant(self, text: str, last: Item) -> str | None:
        """Return the id of the entry that all follow-ups in the very words of a message have behind the last answer."""
        meant = self._meant.get((self._numbers.get(family_of(last), -1), folded_words(text)), set())
        return (next(iter(meant)) or None) if len(meant) == 1 else None

    def likely(
        self, vector: VectorArray, before: Sequence[Item], without: Collection[FollowUp] = frozenset()
    ) -> Likely | None:
        """Return what follow-ups tell of a message behind the answers `before`, the last first; None without any.

        `vector` is the message's, shape (d,). Those in `without` take no part.
        """
        if self._vectors is None:
            return None
        matters = [self._numbers.get(family_of(item), -1) for item in before]
        cosines = self._vectors.cosines(vector, self._places)
        weights = np.full(len(cosines), ANYWHERE, np.float32)
        weights += BEFORE * np.isin(self._after, matters)
        if before:
            weights += LAST * (self._after == matters[0])
            weights += SAME_TOPIC * (self._topic_after == self._topics.get(before[0].topic or "", -1))
        weights *= np.exp((cosines - 1) / WIDTH)
        if without:
            out = [row for row, one in enumerate(self._kept) if one in without]
            weights[out], cosines[out] = 0.0, UNLIKE
        shares = np.add.reduceat(weights[self._rows], self._starts) / (weights.sum() + DOUBT)
        nearest = np.maximum.reduceat(cosines[self._rows], self._starts)
        return Likely(
            dict(zip(self._families, shares.tolist(), strict=True)),
            dict(zip(self._families, np.maximum(nearest, UNLIKE).tolist(), strict=True)),
        )
