#!/usr/bin/env python3
"""Fit the shipped ranking model, and measure it on schools that it has not seen.

    .venv/bin/python benchmarks/ranking_model.py INDEX[=QUESTIONS.csv] ... [--out rag/rerank/models/reranker.json]

Each argument is one school: the questions of its FAQ, or the labelled ones of the file. For each, a model is fitted on
all the others and ranks its passages (`unseen`), beside the first ranking (`fused`) and a model fitted on four fifths
of every school and judged on the rest (`seen`); each at several strengths of the prior, which is the first ranking.
Then one model is fitted on everything, and written when --out is given.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path

import numpy as np

from covan.evaluation.labels import read_labelled
from covan.ranking.collect import collect
from covan.ranking.examples import Example
from covan.ranking.fit import STRENGTH, Quality, fit, folds, quality
from rag.json_file import write_json
from rag.pipeline import RetrievalWeights, load_pipeline
from rag.rerank.ranking_model import WEIGHED, Matrix, RankingModel
from rag.retrieve.embedder import load_embedder

STRENGTHS = (1000.0, 300.0, 100.0, 30.0, 10.0)
DIGITS = 6

Schools = Mapping[str, Sequence[Example]]
Score = Callable[[Example], Matrix]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("schools", nargs="+", metavar="INDEX[=QUESTIONS.csv]")
    parser.add_argument("--out", type=Path, help="where the model fitted on everything goes")
    options = parser.parse_args()
    embedder, weights = load_embedder(), load_pipeline("covan").retrieval
    schools: dict[str, list[Example]] = {}
    for school in options.schools:
        index, _, questions = school.partition("=")
        labelled = read_labelled(Path(questions)) if questions else []
        found = collect(Path(index), embedder, weights, labelled, date.today(), faq=not questions)
        schools[index] = found.examples
    prior = first_ranking(schools, weights, embedder.name)

    print("P@1 and MRR@10 of passages\n")
    for name, examples in schools.items():
        print(f"{name}: {len(examples)} questions, {len({e.group for e in examples})} groups")
        print(f"  {'fused':20}{shown(quality(examples, ranked_by(prior)))}")
    for strength in STRENGTHS:
        for name, examples in schools.items():
            others = [example for other, some in schools.items() if other != name for example in some]
            unseen = quality(examples, ranked_by(fit(others, prior, strength))) if others else None
            seen = quality(examples, _cross_validated(schools, name, prior, strength))
            print(f"{strength:6.0f}  unseen {shown(unseen)}  seen {shown(seen)}  {name}")

    model = fit([example for some in schools.values() for example in some], prior, STRENGTH)
    print("\nscore for one unit more of the feature")
    for feature, weight, scale in zip(model.names, model.weights, model.scales, strict=True):
        print(f"  {weight / scale:+.4f}  {feature}")
    if options.out:
        write_json(options.out, model)
        print(f"\nWritten to {options.out}.")


def first_ranking(schools: Schools, weights: RetrievalWeights, embedder: str) -> RankingModel:
    """Return the fused ranking as a model: its weights, in standard deviations of the features over all schools."""
    values = [np.vstack([example.values for example in examples]) for examples in schools.values()]
    means = np.mean([some.mean(axis=0) for some in values], axis=0)
    scales = np.sqrt(np.mean([((some - means) ** 2).mean(axis=0) for some in values], axis=0))
    # A feature that is the same everywhere weighs nothing here; another school may give it a weight.
    scales = np.where(scales < 1e-6, 1.0, scales)
    given = weights.model_dump(include={"dense", "lexical", "article", "coverage"})
    whole = sum(given.values())
    fused = np.array([given.get(name, 0.0) / whole for name in WEIGHED])
    return RankingModel(
        embedder=embedder,
        names=WEIGHED,
        means=tuple(map(float, means.round(DIGITS))),
        scales=tuple(map(float, scales.round(DIGITS))),
        weights=tuple(map(float, (fused * scales).round(DIGITS))),
        bias=round(float(fused @ means), DIGITS),
    )


def ranked_by(model: RankingModel) -> Score:
    return lambda example: model.scores(example.values)


def _cross_validated(schools: Schools, judged: str, prior: RankingModel, strength: float) -> Score:
    """Scores of the examples of one school, each by a model fitted on the other folds of all schools."""
    scores: dict[int, Matrix] = {}
    for parts in zip(*(folds(examples) for examples in schools.values()), strict=True):
        model = fit([example for learn, _ in parts for example in learn], prior, strength)
        for name, (_, test) in zip(schools, parts, strict=True):
            if name == judged:
                scores |= {id(example): model.scores(example.values) for example in test}
    return lambda example: scores[id(example)]


def shown(found: Quality | None) -> str:
    return f"{found.first:.4f} {found.mrr:.4f}" if found else f"{'':13}"


if __name__ == "__main__":
    main()
