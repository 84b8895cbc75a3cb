"""Figures of a ranking of documents for questions with known relevant documents, by `ir-measures`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import ir_measures
from ir_measures import RR, P, R, nDCG

DEPTH = 10
"""Documents of a ranking that count."""

MEASURES = (nDCG @ DEPTH, P @ 1, R @ DEPTH, RR @ DEPTH)


def retrieval(
    relevant: Mapping[str, frozenset[str]], rankings: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """nDCG@10, P@1, R@10 and RR@10 as means over the questions, each in 0..1.

    `relevant` are ids of documents by the id of the question, `rankings` ids of documents found, best first. A
    question without a ranking counts as one for which nothing was found. Empty when there are no questions.
    """
    if not relevant:
        return {}
    judgements = {question: dict.fromkeys(documents, 1) for question, documents in relevant.items()}
    run = {
        question: {document: 1 / place for place, document in enumerate(rankings.get(question, ()), 1)}
        for question in relevant
    }
    found = ir_measures.calc_aggregate(MEASURES, judgements, run)
    return {str(measure): float(found[measure]) for measure in MEASURES}
