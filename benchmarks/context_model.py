#!/usr/bin/env python3
"""Fit the shipped model of answers in a conversation (`rag.decide.context`); measure it on unseen conversations.

    .venv/bin/python benchmarks/context_model.py INDEX=FILE[,FILE...] ... [--out rag/decide/context_model.json]
    .venv/bin/python benchmarks/context_model.py --small WHOLE INDEX=FILE[,FILE...] ... [--out ...]

A FILE of conversations (benchmarks/conversations/learn_*.yml) belongs to the school of its INDEX. Every turn names the
entries and articles that answer it rightly. Each turn is asked with the history of right answers before it, and one
that opens a matter behind random matters of other topics besides; so are questions that are nobody's matter
(`out_of_scope` of data/nlu), which nothing answers. A model is fitted on seven eighths of the conversations and judged
on the rest, in eight folds, within the conversations and elsewhere: how often the most probable candidate is right, and
the share of wrong ones among the most probable answers. `--without PREFIX` leaves signals out, for an ablation.
`--judge` measures the shipped models instead, for test_*.yml, from which nothing is learnt. Then one model is fitted on
everything, and written when --out is given.

At a school with follow-ups (`rag.decide.follow_ups`), a turn is asked without those that are messages of its own
conversation, and without those of some entries, as if these were new (NEWCOMERS). `--taught` fits the network of
entries at such schools.

`--small` fits the networks of schools whose FAQ is too small for the entry classifier (`benchmarks/small_schools.py`
makes such schools): WHOLE is the index of the school with all entries, by which is known where the answer of a missing
entry stands.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from covan.network_fit import NetworkRule, fit_network
from covan.project import ROOT
from rag.decide.context import shipped_context_models, with_latest
from rag.decide.network import ProbabilityNetwork
from rag.engine import Engine
from rag.json_file import write_json
from rag.query.applicability import is_applicable
from rag.types import DOCUMENT_SOURCE, FaqEntry, FollowUp, Item, Matter, Passage, Question
from school.dimensions import Profile

NETWORKS = NetworkRule(hidden=16, penalty=0.1, passes=12, members=8, batch=256, rate=0.002)
"""How the networks are fitted (decision 17 has what else was tried)."""
FOLDS = 8
IN_VAIN, SEED = 150, 7
"""How many questions are asked in vain at each school, and which ones."""
PLACES = 2
"""The number of random histories that a turn which opens a matter is put behind."""
NEWCOMERS = 0.08
"""The share of entries that count as new in a turn, without follow-ups: nobody has written any for a new one."""
ELSEWHERE = "elsewhere"
"""Marks the names of such turns."""
TODAY = date(2026, 11, 23)
"""The day on which the conversations were judged."""

Conversation = Mapping[str, Any]


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
    parser.add_argument("--taught", action="store_true", help="fit for schools with follow-ups")
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
            knows_all = whole if whole and is_part else engine
            for labelled in (played, put_elsewhere):
                rows += labelled(engine, conversations, f"{index}/{file.stem}", knows_all)
        rows += asked_in_vain(engine, index)
    by_source = {
        source: [row for row in rows if row.source == source]
        for source in sorted({row.source for row in rows})
    }
    if options.judge:
        for source, some in by_source.items():
            models = shipped_context_models().of_school(
                is_small=whole is not None, has_follow_ups=options.taught
            )
            found = [models[source].probability(row.signals) for row in some]
            print(f"{source}: {summaries(some, found)}")
        return
    if options.taught:
        # Follow-ups name entries: to the clauses they tell nothing.
        del by_source[DOCUMENT_SOURCE]
    left_out = (*options.without, *(() if options.taught else ("follow_ups.",)))
    for source, some in by_source.items():
        print(f"{source}: {report(some, left_out)}", flush=True)
    networks = {source: network(some, left_out) for source, some in by_source.items()}
    if options.out:
        kind = "taught" if options.taught else "networks" if whole is None else "small_faq"
        update = {kind: networks}
        write_json(options.out, shipped_context_models().model_copy(update=update))
        print(f"\nWritten to {options.out}.")


def played(engine: Engine, conversations: Sequence[Conversation], file: str, whole: Engine) -> list[Row]:
    """Return the candidates of every turn after an opening, each turn with the right answers before it.

    `whole` knows the entries that `engine` lacks.
    """
    found: list[Row] = []
    for conversation in conversations:
        name = f"{file}/{conversation['id']}"
        history: tuple[Matter, ...] = ()
        for number, (turn, question) in enumerate(questions(engine, conversation), 1):
            if history and is_asked(question):
                asked = replace(question, history=history)
                found += rows_of(engine, asked, turn, f"{name}/{number}", conversation, name, whole)
            history = after(engine, history, turn, question.profile, whole)
    return found


def put_elsewhere(
    engine: Engine, conversations: Sequence[Conversation], file: str, whole: Engine
) -> list[Row]:
    """Return the candidates of the turns that open a matter, each behind random matters of other topics.

    People change their matter more abruptly than conversations that somebody writes for labels.
    """
    chosen = random.Random(SEED)
    found: list[Row] = []
    for conversation in conversations:
        name = f"{file}/{conversation['id']}"
        for number, (turn, question) in enumerate(questions(engine, conversation), 1):
            opens = (number == 1 or turn.get("refers") == "new") and turn.get("act") != "talk"
            if not opens or not is_asked(question):
                continue
            own = {entry.topic for each in turn.get("entries") or () if (entry := whole.entry(each))}
            others = [entry for entry in engine.index.faq if entry.topic not in own]
            for place in range(PLACES):
                asked = replace(question, history=random_matters(chosen, others))
                put = f"{name}/{number}/{ELSEWHERE}/{place}"
                found += rows_of(engine, asked, turn, put, conversation, name, whole)
    return found


def questions(engine: Engine, conversation: Conversation) -> Iterator[tuple[Mapping[str, Any], Question]]:
    """Yield the turns of a conversation, each with its question and what its student has told until then."""
    stated: dict[str, str] = {}
    for turn in conversation["turns"]:
        reading = engine.reader.read(turn["student"])
        named = reading.values(engine.catalog.dimension_ids)
        yield turn, Question(turn["student"], reading, Profile({**stated, **named}))
        if turn.get("refers") != "person":
            stated |= named


def is_asked(question: Question) -> bool:
    """Return whether a message is looked up at all."""
    reading = question.reading
    return reading is not None and not reading.is_empty and not reading.small_talk


def rows_of(
    engine: Engine,
    question: Question,
    turn: Mapping[str, Any],
    name: str,
    conversation: Conversation,
    label: str,
    whole: Engine,
) -> list[Row]:
    """Return the candidates of a question, each with its signals and whether it answers the labelled turn.

    `name` is the turn's, `label` that of its conversation.
    """
    without = of_conversation(engine, conversation) | of_newcomers(engine, name)
    return [
        Row(name, label, source, signals, is_right(candidate.item, turn, whole))
        for source, some in engine.context_signals(question, without).items()
        for candidate, signals in some
    ]


def of_conversation(engine: Engine, conversation: Conversation) -> set[FollowUp]:
    """Return the follow-ups that stand in a conversation."""
    said = {turn["student"] for turn in conversation["turns"]}
    answers = {answer for turn in conversation["turns"] for answer in turn.get("entries") or ()}
    return {one for one in engine.index.follow_ups if one.said in said and one.after in answers}


def of_newcomers(engine: Engine, name: str) -> set[FollowUp]:
    """Return the follow-ups of the entries that count as new in a turn: others for each name."""
    chosen = random.Random(name)
    family = {entry.id: entry.family for entry in engine.index.faq}
    new = {name for name in sorted(set(family.values())) if chosen.random() < NEWCOMERS}
    return {one for one in engine.index.follow_ups if any(family.get(each) in new for each in one.entries)}


def random_matters(chosen: random.Random, entries: Sequence[FaqEntry]) -> tuple[Matter, ...]:
    """Return one to three random matters of a conversation; one is as likely as several."""
    matters = chosen.sample(list(entries), chosen.choice((1, 1, 2, 3)))
    return tuple(Matter(entry.question, entry.id) for entry in matters)


def asked_in_vain(engine: Engine, school: str) -> list[Row]:
    """Return the candidates of questions that are nobody's matter, each within random matters."""
    chosen = random.Random(SEED)
    texts = sorted(out_of_scope())
    found: list[Row] = []
    for number, text in enumerate(chosen.sample(texts, min(IN_VAIN, len(texts)))):
        asked = Question(text, engine.reader.read(text), history=random_matters(chosen, engine.index.faq))
        if is_asked(asked):
            name = f"{school}/in vain/{number}"
            found += rows_of(engine, asked, {}, name, {"turns": ()}, name, engine)
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


def network(rows: Sequence[Row], left_out: Sequence[str]) -> ProbabilityNetwork:
    """Return the networks of rows, over the signals and their distances from the best: products are theirs to find."""
    names, means, scales = scaled(rows, left_out)
    right = [row.right for row in rows]
    return fit_network(names, means, scales, matrix(rows, names), right, NETWORKS)


def scaled(
    rows: Sequence[Row], left_out: Sequence[str]
) -> tuple[list[str], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the names of the signals that differ between rows, their means and standard deviations."""
    every = dict.fromkeys(name for row in rows for name in row.signals)
    names = [name for name in every if not name.startswith(tuple(left_out) or ("-",))]
    values = matrix(rows, names)
    means, scales = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    differs = scales > 1e-9
    return [name for name, kept in zip(names, differs, strict=True) if kept], means[differs], scales[differs]


def report(rows: Sequence[Row], left_out: Sequence[str]) -> str:
    """Return how often the most probable candidate is right on conversations that a model has not seen."""
    conversations = sorted({row.conversation for row in rows})
    judged: list[Row] = []
    probabilities: list[float] = []
    for fold in range(FOLDS):
        held_out = set(conversations[fold::FOLDS])
        model = network([row for row in rows if row.conversation not in held_out], left_out)
        some = [row for row in rows if row.conversation in held_out]
        judged += some
        probabilities += [model.probability(row.signals) for row in some]
    return summaries(judged, probabilities)


def summaries(rows: Sequence[Row], probabilities: Sequence[float]) -> str:
    """Return the summary of the turns where they stand, and of those that are put behind other matters."""
    told = []
    for place, is_elsewhere in (("within", False), (ELSEWHERE, True)):
        some = [
            (r, p) for r, p in zip(rows, probabilities, strict=True) if (ELSEWHERE in r.turn) == is_elsewhere
        ]
        if some:
            told.append(f"{place}: {summary(*zip(*some, strict=True))}")
    return "\n  ".join(["", *told])


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
