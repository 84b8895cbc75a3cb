"""Whether a topic's answers got better or worse than in the days before."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Change = Literal["", "better", "worse"]

FEWEST = 10
"""The fewest questions, or ratings, of each time that are compared."""

BEYOND_CHANCE = 1.645
"""The z of a two-proportion test: chance alone makes a larger difference, to the worse, in 5 % of the cases."""


@dataclass(slots=True)
class Outcomes:
    """Numbers of questions by the decision on them, and of thumbs."""

    answer: int = 0
    clarify: int = 0
    no_answer: int = 0
    up: int = 0
    down: int = 0

    @property
    def questions(self) -> int:
        """How many questions there were."""
        return self.answer + self.clarify + self.no_answer


def compared(rows: Iterable[tuple[str, str, bool, int]]) -> list[Mapping[str, Any]]:
    """Return each topic with its outcomes `now` and `before`, the topic with most questions first.

    A row is a topic, the name of an outcome, whether it is of now, and a number; names that are no outcome are left
    out. `unanswered` and `thumbs` tell how the share of questions without an answer, and that of thumbs down, changed.
    """
    found: dict[str, tuple[Outcomes, Outcomes]] = {}
    for topic, outcome, is_now, count in rows:
        if outcome in Outcomes.__slots__:
            now, before = found.setdefault(topic, (Outcomes(), Outcomes()))
            each = now if is_now else before
            setattr(each, outcome, getattr(each, outcome) + count)
    return [
        {
            "topic": topic,
            "now": asdict(now),
            "before": asdict(before),
            "unanswered": change_of((now.no_answer, now.questions), (before.no_answer, before.questions)),
            "thumbs": change_of((now.down, now.up + now.down), (before.down, before.up + before.down)),
        }
        for topic, (now, before) in sorted(found.items(), key=lambda each: (-each[1][0].questions, each[0]))
    ]


def change_of(now: tuple[int, int], before: tuple[int, int]) -> Change:
    """Return how the share of what is bad changed: (bad ones, all) of now, and of before.

    It is no change where either has fewer than `FEWEST`, or chance makes such a difference.
    """
    (bad, count), (bad_before, count_before) = now, before
    if min(count, count_before) < FEWEST:
        return ""
    pooled = (bad + bad_before) / (count + count_before)
    deviation = math.sqrt(pooled * (1 - pooled) * (1 / count + 1 / count_before))
    difference = bad / count - bad_before / count_before
    if deviation == 0 or abs(difference) < BEYOND_CHANCE * deviation:
        return ""
    return "worse" if difference > 0 else "better"
