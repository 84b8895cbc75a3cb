"""Risk and coverage: how wrong the answers are when only the surest are given.

Replies are ranked by confidence; after each, coverage is the share answered so far and risk the share of those that
is wrong (El-Yaniv & Wiener, 2010). The area under the curve (AURC; Geifman & El-Yaniv, 2017) is small when the
confidence puts right answers before wrong ones: 0 is perfect.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

Answered = tuple[float, bool]
"""The confidence of an answer, and whether it is right."""


def curve(answers: Iterable[Answered], questions: int) -> list[tuple[float, float]]:
    """Points (coverage, risk) from the surest answer on; coverage is of all `questions`.

    Answers of the same confidence cannot be told apart: they come in together, as one point.
    """
    points, seen, wrong = [], 0, 0
    for group in _by_confidence(answers):
        seen += len(group)
        wrong += group.count(False)
        points.append((seen / questions, wrong / seen))
    return points


def area(answers: Iterable[Answered]) -> float | None:
    """Return the mean risk over all numbers of answers, or None when there are none.

    Within a group of the same confidence the expected risk over all orders of the group is taken, so that the order
    of the questions in their file has no say.
    """
    seen, wrong, total = 0, 0.0, 0.0
    for group in _by_confidence(answers):
        share = group.count(False) / len(group)
        for _ in group:
            seen += 1
            wrong += share
            total += wrong / seen
    return total / seen if seen else None


def _by_confidence(answers: Iterable[Answered]) -> Iterable[Sequence[bool]]:
    ranked = sorted(answers, key=lambda answer: -answer[0])
    for _, group in groupby(ranked, key=lambda answer: answer[0]):
        yield [right for _, right in group]
