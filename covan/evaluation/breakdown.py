"""Breakdown of the figures: the judged questions counted by topic, by source, by reason and by decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import mean

from covan.evaluation.judged import Judged
from rag.types import Reason

NO_TOPIC = "-"


class Outcome(StrEnum):
    """A decision; an answer is told apart by whether it is right."""

    ANSWERED_RIGHT = "answered_right"
    ANSWERED_WRONG = "answered_wrong"
    CLARIFY = "clarify"
    NO_ANSWER = "no_answer"

    @classmethod
    def of(cls, item: Judged) -> Outcome:
        if item.answered:
            return cls.ANSWERED_RIGHT if item.right else cls.ANSWERED_WRONG
        return cls(item.decision.value)


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the questions: how many, and which share (0..1) is right, is answered, is answered wrongly."""

    questions: int
    right: float
    answered: float
    harmful: float


@dataclass(frozen=True, slots=True)
class Turned:
    """Counts of a reason: the answers that it kept back, and those that it kept back wrongly."""

    count: int
    wrong: int


def by_topic(judged: Iterable[Judged]) -> dict[str, Part]:
    """By labelled topic, in alphabetical order."""
    topics: dict[str, list[Judged]] = {}
    for item in judged:
        topics.setdefault(item.labelled.topic or NO_TOPIC, []).append(item)
    return {topic: _part(items) for topic, items in sorted(topics.items())}


def by_source(judged: Sequence[Judged]) -> dict[str, Part]:
    """Return the answers by source; sources without answers are left out."""
    answered = {
        source: [item for item in judged if item.answered and item.reply.source == source]
        for source in sorted({item.reply.source for item in judged})
    }
    return {source: _part(items) for source, items in answered.items() if items}


def by_reason(judged: Iterable[Judged]) -> dict[Reason, Turned]:
    """Return the reasons for no answer, the most frequent first; a reply may have several."""
    count, wrong = Counter[Reason](), Counter[Reason]()
    for item in judged:
        if not item.answered:
            count.update(item.reply.decision.reasons)
            if not item.right:
                wrong.update(item.reply.decision.reasons)
    return {reason: Turned(number, wrong[reason]) for reason, number in count.most_common()}


def confusion(judged: Iterable[Judged]) -> dict[str, Mapping[Outcome, int]]:
    """Return the outcomes of the questions by their label, those that never occurred as 0."""
    counted: dict[str, Counter[Outcome]] = {}
    for item in judged:
        counted.setdefault(item.labelled.label, Counter())[Outcome.of(item)] += 1
    return {label: {outcome: counts[outcome] for outcome in Outcome} for label, counts in counted.items()}


def _part(items: Sequence[Judged]) -> Part:
    return Part(
        len(items),
        mean(item.right for item in items),
        mean(item.answered for item in items),
        mean(item.harmful for item in items),
    )
