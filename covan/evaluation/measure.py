"""Putting a suite's questions to a preset: every question asked and judged, and the figures that come of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from covan.evaluation.diacritics import without_diacritics
from covan.evaluation.figures import measures
from covan.evaluation.judged import Judged, ask
from covan.evaluation.labels import Labelled
from covan.evaluation.ranking import DEPTH
from covan.profile_arguments import all_resolved
from rag.engine import Engine

Progress = Callable[[Sequence[Labelled], str], Iterable[Labelled]]
"""Hands the questions on one by one, and shows how far it is under a heading."""


@dataclass(frozen=True, slots=True)
class Run:
    """A preset's replies to all questions, with its figures."""

    preset: str
    index_version: str
    judged: tuple[Judged, ...]
    figures: dict[str, float]


def resolved(labelled: Sequence[Labelled], engine: Engine, file: str) -> list[Labelled]:
    """Return the questions with profiles of the engine's catalogue. Raises QuestionsError for those without one."""
    rows = all_resolved([item.row for item in labelled], engine, file)
    return [replace(item, row=row) for item, row in zip(labelled, rows, strict=True)]


def measure(
    engine: Engine,
    preset: str,
    labelled: Sequence[Labelled],
    documents: frozenset[str],
    progress: Progress = lambda items, _: items,
) -> Run:
    """Ask every question; rank documents for those whose sources are among `documents`."""
    judged = []
    for item in progress(labelled, preset):
        asked = ask(engine, item)
        if item.sources & documents:
            asked = replace(asked, ranking=tuple(engine.search(item.question.text, DEPTH)))
        judged.append(asked)
    return Run(preset, engine.index_version, tuple(judged), measures(judged, documents))


def undiacritised(
    engine: Engine,
    run: Run,
    documents: frozenset[str],
    progress: Progress = lambda items, _: items,
) -> Run:
    """`run` with what becomes of its figures when the same questions come without diacritics.

    `undiacritised.FIGURE` is the figure then and `undiacritised.loss` what is lost of the first of nDCG@10 and accuracy
    that the run has.
    """
    bare = [
        replace(
            item.labelled,
            row=replace(
                item.labelled.row,
                question=replace(
                    item.labelled.question, text=without_diacritics(item.labelled.question.text)
                ),
            ),
        )
        for item in run.judged
    ]
    again = measure(engine, f"{run.preset}, without diacritics", bare, documents, progress)
    main = next(name for name in ("nDCG@10", "accuracy") if name in run.figures)
    return replace(
        run,
        figures={
            **run.figures,
            f"undiacritised.{main}": again.figures[main],
            "undiacritised.loss": run.figures[main] - again.figures[main],
        },
    )
