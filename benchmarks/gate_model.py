#!/usr/bin/env python3
"""Fit the shipped probability model, and measure it on schools that it has not seen.

    .venv/bin/covan calibrate --dry-run --questions Q.csv --index INDEX --out DIR      (for each school)
    .venv/bin/python benchmarks/gate_model.py DIR/observations-covan.jsonl=3 ... [--out rag/decide/models/covan.json]
    .venv/bin/python benchmarks/gate_model.py --small FIRST.jsonl ... [--out rag/decide/models/covan.json]

Each file is one school; it counts as much as another, however many questions it has, or as many times as is written
behind it. For each, a model is fitted on all the others and judged on it: AURC (area under the
risk-coverage curve, 0 is best) beside that of the engine's own confidence, and the log loss beside that of always
saying the share that is right. With one file only, five folds of it take the place of schools. Then one model is
fitted on everything, and written when --out is given. `--small` fits the model of entries at schools whose FAQ is too
small for the entry classifier, on what `first_entries.py` writes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from math import log
from pathlib import Path

from covan.calibrating.fit import fit_models
from covan.calibrating.observe import Observation, read_observations
from covan.evaluation.risk import area
from rag.decide.probability import ProbabilityModels, read_models
from rag.errors import CovanError, SettingsError
from rag.json_file import write_json

FOLDS = 5

Answers = list[tuple[float, bool]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("observations", nargs="+", metavar="FILE[=WEIGHT]")
    parser.add_argument(
        "--only", metavar="SOURCE", help="write this source's model; keep the others that --out has"
    )
    parser.add_argument("--out", type=Path, help="where the model fitted on everything goes")
    parser.add_argument("--small", action="store_true", help="write the model for schools with a small FAQ")
    options = parser.parse_args()
    named = [name.partition("=") for name in options.observations]
    parts = {path: answered(read_observations([Path(path)])) for path, _, _ in named}
    weights = {path: float(weight or 1) for path, _, weight in named}
    if len(parts) == 1:
        (some,) = parts.values()
        parts = {f"fold {fold + 1}": some[fold::FOLDS] for fold in range(FOLDS)}
        weights = dict.fromkeys(parts, 1.0)

    print(f"{'':16}{'AURC':>16}{'log loss':>25}")
    print(f"{'answers':>8}{'right':>8}{'model':>8}{'own':>8}{'model':>16}{'constant':>9}  judged on")
    for name, held_out in parts.items():
        try:
            others = {other: some for other, some in parts.items() if other != name}
            models = fitted(others, weights)
        except SettingsError as error:
            print(f"{name}: {error}")
            continue
        print(row(name, held_out, models))

    models = fitted(parts, weights)
    for source, model in models.by_source.items():
        print(f"\n{source}: log-odds for one standard deviation more")
        for weight, signal in sorted(zip(model.weights, model.names, strict=True), reverse=True):
            print(f"  {weight:+.3f}  {signal}")
    if options.out:
        write_json(options.out, written(models, options.only, options.out, is_small=options.small))
        print(f"\nWritten to {options.out}.")


def written(models: ProbabilityModels, only: str | None, out: Path, *, is_small: bool) -> ProbabilityModels:
    """Return the models to write: those in `out` with the new ones, or with that of the source `only`."""
    kept = read_models(out) if out.is_file() else ProbabilityModels()
    if is_small:
        return kept.model_copy(update={"unclassified": models.by_source})
    by_source = models.by_source if only is None else {**kept.by_source, only: models.by_source[only]}
    return kept.model_copy(update={"by_source": by_source})


def fitted(parts: Mapping[str, Sequence[Observation]], weights: Mapping[str, float]) -> ProbabilityModels:
    """Return one model for several schools; the weights of all answers are 1 on average."""
    answers = sum(map(len, parts.values()))
    whole = sum(weights[name] for name in parts)
    counted = [answers * weights[name] / whole / len(some) for name, some in parts.items() for _ in some]
    return fit_models([observation for some in parts.values() for observation in some], counted)


def answered(observations: Sequence[Observation]) -> list[Observation]:
    return [observation for observation in observations if observation.source is not None]


def row(name: str, held_out: Sequence[Observation], models: ProbabilityModels) -> str:
    weighed: Answers = [
        (models.probability(o.source, o.signals, o.confidence), o.right)
        for o in held_out
        if o.source is not None
    ]
    own: Answers = [(o.confidence, o.right) for o in held_out]
    share = sum(right for _, right in weighed) / len(weighed)
    constant: Answers = [(share, right) for _, right in weighed]
    return (
        f"{len(weighed):>8}{share:>8.3f}{area(weighed) or 0:>8.3f}{area(own) or 0:>8.3f}"
        f"{log_loss(weighed):>16.3f}{log_loss(constant):>9.3f}  {name}"
    )


def log_loss(answers: Answers) -> float:
    least = 1e-6
    chances = [min(max(p if right else 1 - p, least), 1 - least) for p, right in answers]
    return -sum(map(log, chances)) / len(chances)


if __name__ == "__main__":
    try:
        main()
    except CovanError as error:
        sys.exit(str(error))
