"""Presets side by side on the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from covan.evaluation.judged import Judged
from covan.evaluation.measure import Run

SIDE_BY_SIDE = ("accuracy", "answered", "answered.right", "aurc", "nDCG@10", "P@1", "latency_ms.p50")
"""The figures that are compared, with the share right of each label after the first."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Questions that one preset got right and another did not, as pairs (one's, other's)."""

    one: str
    other: str
    gained: tuple[tuple[Judged, Judged], ...]
    lost: tuple[tuple[Judged, Judged], ...]


def compared_figures(runs: Sequence[Run]) -> list[str]:
    """Return the names of the figures worth a column, those that at least one run has."""
    labels = dict.fromkeys(item.labelled.label for run in runs for item in run.judged)
    names = [SIDE_BY_SIDE[0], *(f"{label}.right" for label in labels), *SIDE_BY_SIDE[1:]]
    return [name for name in names if any(name in run.figures for run in runs)]


def difference(one: Run, other: Run) -> Difference:
    """Return the questions that only `one` gets right, and those that only `other` does; both answered the same."""
    pairs = list(zip(one.judged, other.judged, strict=True))
    return Difference(
        one.preset,
        other.preset,
        tuple(pair for pair in pairs if pair[0].right and not pair[1].right),
        tuple(pair for pair in pairs if pair[1].right and not pair[0].right),
    )
