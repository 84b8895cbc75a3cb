#!/usr/bin/env python3
"""Fit the shipped model of answers in a conversation (`rag.decide.context`); measure it on unseen conversations.

    .venv/bin/python benchmarks/context_model.py INDEX=FILE[,FILE...] ... [--out rag/decide/context_model.json]

A FILE of conversations (benchmarks/conversations/learn_*.yml) belongs to the school of its INDEX. Every turn names the
entries and articles that answer it rightly. Each turn is asked
with the history of right answers before it. A model is fitted on seven eighths of the conversations and judged on the
rest, in eight folds: how often the most probable candidate is right, and the share of wrong ones among the most
probable answers. `--without PREFIX` leaves signals out, for an ablation.
`--judge` measures the shipped models instead, for test_*.yml, from which nothing is learnt. Then one model is fitted on
everything, and written when --out is given. Entries are weighed by networks, clauses by a linear model; the linear one
of entries at a school without an entry classifier (`unclassified`) is kept as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml
from sklearn.linear_model import LogisticRegression

from covan.network_fit import NetworkRule, fit_network, rounded
from rag.decide.context import BEHIND, shipped_context_models, with_latest
from rag.decide.network import ProbabilityNetwork
from rag.decide.probability import ProbabilityModel
from rag.engine import Engine
from rag.json_file import write_json
from rag.query.applicability import is_applicable
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, FaqEntry, Item, Matter, Passage, Question
from school.dimensions import Profile

STRENGTH = 0.1
"""Inverse strength of the L2 penalty, chosen from .03, .1 and .3 by the folds."""
NETWORKS = NetworkRule(hidden=16, penalty=0.1, passes=12, members=3, batch=256, rate=0.002)
"""How the networks are fitted (decision 17 has what else was tried)."""
FOLDS = 8
TODAY = date(2026, 11, 23)
"""The day on which the conversations were judged."""


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate of a turn with its signals, and whether it answers rightly."""

    turn: str
    conversation: str
    source: str
    signals: Mapping[str, float]
    right: bool


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("schools", nargs="+", metavar="INDEX=FILE[,FILE...]")
    parser.add_argument("--judge", action="store_true", help="judge the shipped models, fit none")
    parser.add_argument("--without", nargs="*", default=(), metavar="PREFIX")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows: list[Row] = []
    for school in options.schools:
        index, _, files = school.partition("=")
        engine = Engine.open(Path(index), today=lambda: TODAY)
        for file in map(Path, files.split(",")):
            rows += played(engine, yaml.safe_load(file.read_text(encoding="utf-8")), file.stem)
    by_source = {
        source: [row for row in rows if row.source == source]
        for source in sorted({row.source for row in rows})
    }
    if options.judge:
        for source, some in by_source.items():
            models = shipped_context_models()
            print(f"{source}: {summary(some, [models.probability(source, row.signals, 0) for row in some])}")
        return
    for source, some in by_source.items():
        print(f"{source}: {report(some, FITTED[source], options.without)}", flush=True)
    fitted = {source: FITTED[source](some, options.without) for source, some in by_source.items()}
    if options.out:
        networks = {s: model for s, model in fitted.items() if isinstance(model, ProbabilityNetwork)}
        by_weights = {s: model for s, model in fitted.items() if isinstance(model, ProbabilityModel)}
        update = {"networks": networks, "by_source": by_weights}
        write_json(options.out, shipped_context_models().model_copy(update=update))
        print(f"\nWritten to {options.out}.")


def played(engine: Engine, conversations: Sequence[Mapping[str, Any]], file: str) -> list[Row]:
    """Return the candidates of every turn after an opening, each turn with the right answers before it."""
    found: list[Row] = []
    for conversation in conversations:
        history: tuple[Matter, ...] = ()
        stated: dict[str, str] = {}
        for number, turn in enumerate(conversation["turns"], 1):
            reading = engine.reader.read(turn["student"])
            named = reading.values(engine.catalog.dimension_ids)
            profile = Profile({**stated, **named})
            if turn.get("refers") != "person":
                stated |= named
            if history and not reading.is_empty and not reading.small_talk:
                question = Question(turn["student"], reading, profile, history)
                for source, some in engine.context_signals(question).items():
                    found += [
                        Row(
                            f"{file}/{conversation['id']}/{number}",
                            f"{file}/{conversation['id']}",
                            source,
                            signals,
                            is_right(candidate.item, turn, engine),
                        )
                        for candidate, signals in some
                    ]
            history = after(engine, history, turn, profile)
    return found


def is_right(item: Item, turn: Mapping[str, Any], engine: Engine) -> bool:
    """Return whether an entry, or a passage of an article that a right entry rests on, answers a turn."""
    if isinstance(item, FaqEntry):
        return item.id in (turn.get("entries") or ())
    if not isinstance(item, Passage):
        return False
    places = [tuple(part.strip() for part in place.split("|")) for place in turn.get("passages") or ()]
    for entry_id in turn.get("entries") or ():
        entry = engine.entry(entry_id)
        places += [(source.document, source.locator) for source in entry.sources] if entry else []
    return any(
        item.document_id == document and f"{item.locator},".startswith(f"{locator},")
        for document, locator in places
    )


def after(
    engine: Engine, history: tuple[Matter, ...], turn: Mapping[str, Any], profile: Profile
) -> tuple[Matter, ...]:
    """Return the history after a turn that was answered rightly, or that opened an unanswered matter."""
    entries = [entry for name in turn.get("entries") or () if (entry := engine.entry(name)) is not None]
    fitting = [entry for entry in entries if is_applicable(entry, profile, TODAY)]
    if answer := next(iter(fitting or entries), None):
        latest = Matter(answer.question, answer.id)
    elif turn.get("refers") == "new":
        latest = Matter(turn["student"])
    else:
        return history
    return with_latest(history, latest)


def linear(rows: Sequence[Row], left_out: Sequence[str]) -> ProbabilityModel:
    """Return the logistic model of rows: no products, no distances, which rank clauses no better."""
    names, means, scales = scaled(rows, lambda name: "*" in name or name.endswith(BEHIND), left_out)
    # As `ProbabilityModel` does: a signal that a school does not have counts as its mean.
    standardised = np.nan_to_num((matrix(rows, names) - means) / scales)
    model = LogisticRegression(C=STRENGTH, max_iter=2000).fit(standardised, [row.right for row in rows])
    return ProbabilityModel(
        names=tuple(names),
        means=rounded(means),
        scales=rounded(scales),
        weights=rounded(model.coef_[0]),
        bias=float(model.intercept_[0]),
    )


def network(rows: Sequence[Row], left_out: Sequence[str]) -> ProbabilityNetwork:
    """Return the networks of rows, over the signals and their distances from the best: products are theirs to find."""
    names, means, scales = scaled(rows, lambda name: "*" in name, left_out)
    right = [row.right for row in rows]
    return fit_network(names, means, scales, matrix(rows, names), right, NETWORKS)


FITTED: Mapping[str, Callable[[Sequence[Row], Sequence[str]], ProbabilityModel | ProbabilityNetwork]] = {
    FAQ_SOURCE: network,
    DOCUMENT_SOURCE: linear,
}
"""What weighs the candidates of each source."""


def scaled(
    rows: Sequence[Row], is_unused: Callable[[str], bool], left_out: Sequence[str]
) -> tuple[list[str], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the names of the signals that differ between rows, their means and standard deviations."""
    every = dict.fromkeys(name for row in rows for name in row.signals)
    names = [name for name in every if not is_unused(name) and not name.startswith(tuple(left_out) or ("-",))]
    values = matrix(rows, names)
    means, scales = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    differs = scales > 1e-9
    return [name for name, kept in zip(names, differs, strict=True) if kept], means[differs], scales[differs]


def report(
    rows: Sequence[Row],
    fitted: Callable[[Sequence[Row], Sequence[str]], ProbabilityModel | ProbabilityNetwork],
    left_out: Sequence[str],
) -> str:
    """Return how often the most probable candidate is right on conversations that a model has not seen."""
    conversations = sorted({row.conversation for row in rows})
    judged: list[Row] = []
    probabilities: list[float] = []
    for fold in range(FOLDS):
        held_out = set(conversations[fold::FOLDS])
        model = fitted([row for row in rows if row.conversation not in held_out], left_out)
        some = [row for row in rows if row.conversation in held_out]
        judged += some
        probabilities += [model.probability(row.signals) for row in some]
    return summary(judged, probabilities)


def summary(rows: Sequence[Row], probabilities: Sequence[float]) -> str:
    """Return how often the most probable candidate of a turn is right, and the wrong ones among the most probable."""
    best: dict[str, tuple[float, bool]] = {}
    for row, probability in zip(rows, probabilities, strict=True):
        found = (probability, row.right)
        best[row.turn] = max(best.get(row.turn, found), found, key=lambda one: one[0])
    answerable = {row.turn for row in rows if row.right}
    right = sum(best[turn][1] for turn in answerable) / max(len(answerable), 1)
    ordered = sorted(best.values(), reverse=True)
    shares = []
    for share in (0.4, 0.5, 0.6, 0.7, 0.8):
        answered = ordered[: int(share * len(ordered))]
        wrong = sum(not right for _, right in answered) / max(len(answered), 1)
        shares.append(f"{share:.0%} answered (p > {answered[-1][0]:.2f}): wrong {wrong:.3f}")
    return f"{len(best)} turns, best is right {right:.3f} of {len(answerable)}; " + "; ".join(shares)


def matrix(rows: Sequence[Row], names: Sequence[str]) -> npt.NDArray[np.float64]:
    """Return the signals of rows, shape (rows, names); NaN for one that a row does not have."""
    return np.array([[row.signals.get(name, np.nan) for name in names] for row in rows], np.float64)


if __name__ == "__main__":
    main()
