"""Retraction: a student names a value and takes it back ("không phải k47, k48 cơ"), or would only change to it.

The rules stand in `retraction.yml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol, TypeVar

from vietnamese.data_files import yaml_beside
from vietnamese.patterns import either

_NAME = re.compile(r"\{([a-z]+)\}")

NEARBY = 80
"""Characters before and behind a mention that the rules apply to."""


class Named(Protocol):
    """A stretch of a text that names something: the name itself begins at `name_start`, behind its cue."""

    @property
    def name_start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def entity(self) -> str: ...


N = TypeVar("N", bound=Named)

Kind = Literal["lasting", "changing"]
"""A student keeps a lasting value, such as the cohort, and may change the others, such as the major."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Regular expressions over lower-case text; an empty one always matches.

    `of` lists the entities, or the kinds of a student's values, of the rule; empty means all.
    """

    of: tuple[str, ...]
    before: str
    between: str
    after: str
    drops: Literal["this", "first", "second"]


class Retraction:
    """Removes the mentions that a text denies or takes back."""

    def __init__(
        self,
        rules: Sequence[Rule],
        joined: str,
        moved: str,
        roles: Iterable[tuple[str, str, str]] = (),
        dimensions: Mapping[str, Kind] | None = None,
    ) -> None:
        self._rules = [
            (rule, re.compile(rule.before), re.compile(rule.between), re.compile(rule.after))
            for rule in rules
        ]
        self._joined = re.compile(joined)
        self._moved = re.compile(moved)
        self._roles = [(name, re.compile(before), re.compile(after)) for name, before, after in roles]
        self._kinds: Mapping[str, str] = dimensions or {}

    @classmethod
    def of_school(cls, dimensions: Mapping[str, Kind], cues: Iterable[str] = ()) -> Retraction:
        """Return the rules of `retraction.yml` for a school.

        Args:
            dimensions: the entities that a student has one value of, with their kinds.
            cues: the school's words for them, such as "cơ sở", beside those of the rules.
        """
        return cls(*_rules(tuple(cues)), dimensions)

    def joins(self, lowered: str) -> bool:
        """Return whether a text has only words that join two values of one student: "em học"."""
        return self._joined.fullmatch(lowered) is not None

    def role(self, lowered: str, mention: N) -> str:
        """Return "target" or "origin" of a value that the student would change to or from, "asked" of one of which the
        message asks whether there is such a thing, "former" of one studied before, else an empty text."""
        if self._kinds.get(mention.entity) != "changing":
            return ""
        before, after = lowered[: mention.name_start], lowered[mention.end :]
        found = (name for name, *sides in self._roles if sides[0].search(before) and sides[1].search(after))
        return next(found, "")

    def moves(self, lowered: str, first: Named, second: Named) -> bool:
        """Return whether a text leads from one value to the next of the same dimension: "clc về đại trà thì sao"."""
        if first.entity != second.entity or self._kinds.get(first.entity) != "changing":
            return False
        return self._moved.fullmatch(lowered[first.end : second.name_start]) is not None

    def kept(self, lowered: str, mentions: Sequence[N]) -> list[N]:
        """Return `mentions` without those that are denied or taken back.

        `lowered` is the text in lower case, character for character; the mentions are in its order and do not
        overlap. A correction goes on with the next value: "luật k47, à nhầm, kế toán k48".
        """
        dropped: set[int] = set()
        latest: dict[str, int] = {}
        corrected = False
        for index, mention in enumerate(mentions):
            first = latest.get(mention.entity)
            gap_start = mentions[index - 1].end if index else 0
            gap = lowered[max(gap_start, mention.name_start - NEARBY) : mention.name_start]
            corrected = corrected and self._joined.fullmatch(gap) is not None
            for rule, before, between, after in self._rules:
                if rule.of and self._kinds.get(mention.entity, mention.entity) not in rule.of:
                    continue
                if not after.search(lowered[mention.end : mention.end + NEARBY]):
                    continue
                if rule.drops == "this":
                    if before.search(lowered[max(0, mention.name_start - NEARBY) : mention.name_start]):
                        dropped.add(index)
                elif first is not None and between.search(gap):
                    start = mentions[first].name_start
                    if before.search(lowered[max(0, start - NEARBY) : start]):
                        dropped.add(index if rule.drops == "second" else first)
                        corrected = corrected or rule.drops == "first"
            if corrected and first is not None and index not in dropped:
                dropped.add(first)
            latest[mention.entity] = index
        return [mention for index, mention in enumerate(mentions) if index not in dropped]


@lru_cache(maxsize=8)
def _rules(cues: tuple[str, ...]) -> tuple[tuple[Rule, ...], str, str, tuple[tuple[str, str, str], ...]]:
    """Return the rules in their order, the patterns of words that join two values and that lead from one to the other,
    and the rules of roles."""
    lists = yaml_beside(__file__, "retraction.yml")
    kinds = "|".join((lists["words"]["kind"], *(re.escape(cue.lower()) for cue in cues)))
    words: Mapping[str, str] = {**lists["words"], "kind": f"(?:{kinds})"}

    def pattern(written: str) -> str:
        while _NAME.search(written):
            written = _NAME.sub(lambda name: words[name[1]], written)
        return either(written)

    rules = tuple(
        Rule(
            of=tuple(rule.get("of", ())),
            before=pattern(rule.get("before", "")),
            between=pattern(rule.get("between", "")),
            after=pattern(rule.get("after", "")),
            drops=rule.get("drops", "this"),
        )
        for rule in lists["rules"]
    )
    roles = tuple((rule["as"], pattern(rule["before"]), pattern(rule["after"])) for rule in lists["roles"])
    return rules, pattern(lists["joined"]), pattern(lists["moved"]), roles
