#!/usr/bin/env python3
"""Fit the shipped model of answers in a conversation (`rag.decide.context`); measure it on unseen conversations.

    .venv/bin/python benchmarks/context_model.py INDEX=FILE[,FILE...] ... [--out rag/decide/context_model.json]
    .venv/bin/python benchmarks/context_model.py --small WHOLE INDEX=FILE[,FILE...] ... [--out ...]

A FILE of conversations (benchmarks/conversations/learn_*.yml) belongs to the school of its INDEX. Every turn names the
entries and articles that answer it rightly. Each turn is asked
with the history of right answers before it. A model is fitted on seven eighths of the conversations and judged on the
rest, in eight folds: how often the most probable candidate is right, and the share of wrong ones among the most
probable answers. `--without PREFIX` leaves signals out, for an ablation.
`--judge` measures the shipped models instead, for test_*.yml, from which nothing is learnt. Then one model is fitted on
everything, and written when --out is given. Entries are weighed by networks, clauses by a linear model.

`--small` fits the networks of schools whose FAQ is too small for the entry classifier (`benchmarks/small_schools.py`
makes such schools): WHOLE is the index of the school with all entries, by which is known where the answer of a missing
entry stands. Questions that are nobody's matter (`out_of_scope` of data/nlu) are asked within random matters besides;
nothing answers them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml
from sklearn.linear_model import LogisticRegression

from covan.network_fit import NetworkRule, fit_network, rounded
from covan.project import ROOT
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
IN_VAIN, SEED = 150, 7
"""How many questions are asked in vain at each small school, and which ones."""
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
    parser.add_argument("--small", type=Path, metavar="WHOLE", help="fit for schools with a small FAQ")
    parser.add_argument("--judge", action="store_true", help="judge the shipped models, fit none")
    parser.add_argument("--without", nargs="*", default=(), metavar="PREFIX")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows: list[Row] = []
    whole = Engine.open(options.small, today=lambda: TODAY) if options.small else None
    for school in options.schools:
        index, _, files = school.partition("=")
        engine = Engine.open(Path(index), today=lambda: TODAY)
        is_part = whole is not None and whole.entry(engine.index.faq[0].id) is not None
        for file in map(Path, files.split(",")):
            conversations = yaml.safe_load(file.read_text(encoding="utf-8"))
            rows += played(
                engine, conversations, f"{index}/{file.stem}", whole if whole and is_part else engine
            )
        if whole is not None:
            rows += asked_in_vain(engine, index)
    by_source = {
        source: [row for row in rows if row.source == source]
        for source in sorted({row.source for row in rows})
    }
    if options.judge:
        for source, some in by_source.items():
            models, is_small = shipped_context_models(), whole is not None
            found = [models.of_candidate(source, row.signals, is_small) for row in some]
            print(f"{source}: {summary(some, found)}")
        return
    fits = dict.fromkeys(by_source, network) if whole else FITTED
    for source, some in by_source.items():
        print(f"{source}: {report(some, fits[source], options.without)}", flush=True)
    fitted = {source: fits[source](some, options.without) for source, some in by_source.items()}
    if options.out:
        networks = {s: model for s, model in fitted.items() if isinstance(model, ProbabilityNetwork)}
        by_weights = {s: model for s, model in fitted.items() if isinstance(model, ProbabilityModel)}
        update: Mapping[str, Any] = {"networks": networks, "by_source": by_weights}
        if whole is not None:
            update = {"small_faq": networks}
        write_json(options.out, shipped_context_models().model_copy(update=update))
        print(f"\nWritten to {options.out}.")


def played(engine: Engine, conversations: Sequence[Mapping[str, Any]], file: str, whole: Engine) -> list[Row]:
    """Return the candidates of every turn after an opening, each turn with the right answers before it.

    `whole` knows the entries that `engine` lacks.
    """
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
                            is_right(candidate.item, turn, whole),
                        )
                        for candidate, signals in some
                    ]
            history = after(engine, history, turn, profile, whole)
    return found


def asked_in_vain(engine: Engine, school: str) -> list[Row]:
    """Return the candidates of questions that are nobody's matter, each within random matters."""
    chosen = random.Random(SEED)
    questions = sorted(out_of_scope())
    found: list[Row] = []
    for number, text in enumerate(chosen.sample(questions, min(IN_VAIN, len(questions)))):
        reading = engine.reader.read(text)
        if reading.is_empty or reading.small_talk:
            continue
        matters = chosen.sample(list(engine.index.faq), chosen.choice((1, 1, 2, 3)))
        history = tuple(Matter(entry.question, entry.id) for entry in matters)
        turn = f"{school}/in vain/{number}"
        for source, some in engine.context_signals(Question(text, reading, history=history)).items():
            found += [Row(turn, turn, source, signals, False) for _, signals in some]
    return found


def out_of_scope() -> Iterator[str]:
    """Yield the shipped examples of questions that are not the school's matter."""
    for path in (ROOT / "data/nlu").glob("*.yml"):
        for intent in yaml.safe_load(path.read_text(encoding="utf-8")).get("nlu", ()):
            if intent.get("intent") == "out_of_scope":
                yield from (line[2:] for line in intent["examples"].splitlines() if line.startswith("- "))


def is_right(item: Item, turn: Mapping[str, Any], whole: Engine) -> bool:
    """Return whether an entry, or a passage of an article that a right entry rests on, answers a turn."""
    if isinstance(item, FaqEntry):
        return item.id in (turn.get("entries") or ())
    if not isinstance(item, Passage):
        return False
    places = [tuple(part.strip() for part in place.split("|")) for place in turn.get("passages") or ()]
    for entry_id in turn.get("entries") or ():
        entry = whole.entry(entry_id)
        places += [(source.document, source.locator) for source in entry.sources] if entry else []
    return any(
        item.document_id == document and f"{item.locator},".startswith(f"{locator},")
        for document, locator in places
    )


def after(
    engine: Engine, history: tuple[Matter, ...], turn: Mapping[str, Any], profile: Profile, whole: Engine
) -> tuple[Matter, ...]:
    """Return the history after a turn that was answered rightly, or that opened an unanswered matter.

    Where the entry is missing, a passage that `whole` tells to be right has answered.
    """
    entries = [entry for name in turn.get("entries") or () if (entry := engine.entry(name)) is not None]
    fitting = [entry for entry in entries if is_applicable(entry, profile, TODAY)]
    if answer := next(iter(fitting or entries), None):
        latest = Matter(answer.question, answer.id)
    elif engine is not whole and (found := [p for p in engine.index.passages if is_right(p, turn, whole)]):
        latest = Matter(turn["student"], found[0].id)
    elif turn.get("refers") == "new":
        latest = Matter(turn["student"])
    else:
        return history
    return with_latest(history, latest)


def linear(rows: Sequence[Row], left_out: Sequence[str]) -> ProbabilityModel:
    """Return the logistic model of rows: no distances, which rank clauses no better."""
    names, means, scales = scaled(rows, lambda name: name.endswith(BEHIND), left_out)
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
    names, means, scales = scaled(rows, lambda _: False, left_out)
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
