"""What a student names and takes back in the same breath. The same rules, applied as in `vietnamese.retraction`."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Protocol, Sequence, TypeVar

NEARBY = 80
"""Characters before and behind a mention that are looked at."""


class Named(Protocol):
    """A stretch of a text that names something: the name itself begins at `name_start`, behind its cue."""

    @property
    def name_start(self) -> int:
        """Where the name begins."""

    @property
    def end(self) -> int:
        """Where the mention ends."""

    @property
    def entity(self) -> str:
        """What kind of thing is named."""


N = TypeVar("N", bound=Named)


class Retraction:
    """Tells which of the mentions of a text are meant.

    `data` has `rules` and `joined`. A rule is about the entities `of` (all when empty): with `drops` "this" about a
    mention by what stands `before` and `after` it, else about two of one entity, by what stands `before` the first,
    directly before the second (`between`) and `after` the second. All are patterns over lower-case text.
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        self._rules = [
            (
                frozenset(rule["of"]),
                rule["drops"],
                re.compile(rule["before"]),
                re.compile(rule["between"]),
                re.compile(rule["after"]),
            )
            for rule in data.get("rules", ())
        ]
        self._joined = re.compile(data.get("joined", ""))

    def kept(self, lowered: str, mentions: Sequence[N]) -> List[N]:
        """`mentions`, in the order of the text and not overlapping, without those that are denied or taken back."""
        dropped = set()
        latest: Dict[str, int] = {}
        corrected = False
        for index, mention in enumerate(mentions):
            first = latest.get(mention.entity)
            gap_start = mentions[index - 1].end if index else 0
            gap = lowered[max(gap_start, mention.name_start - NEARBY) : mention.name_start]
            corrected = corrected and self._joined.fullmatch(gap) is not None
            for of, drops, before, between, after in self._rules:
                if of and mention.entity not in of:
                    continue
                if not after.search(lowered[mention.end : mention.end + NEARBY]):
                    continue
                if drops == "this":
                    if before.search(lowered[max(0, mention.name_start - NEARBY) : mention.name_start]):
                        dropped.add(index)
                elif first is not None and between.search(gap):
                    start = mentions[first].name_start
                    if before.search(lowered[max(0, start - NEARBY) : start]):
                        dropped.add(index if drops == "second" else first)
                        corrected = corrected or drops == "first"
            if corrected and first is not None and index not in dropped:
                dropped.add(first)
            latest[mention.entity] = index
        return [mention for index, mention in enumerate(mentions) if index not in dropped]

    def joins(self, lowered: str) -> bool:
        """Whether a text has no words but those that tie two things of one student together: "em học", "ngành"."""
        return self._joined.fullmatch(lowered) is not None
