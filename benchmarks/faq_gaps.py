#!/usr/bin/env python3
"""Measure the replies of a school whose FAQ lacks the entry that is asked for; every school lacks many.

    .venv/bin/python benchmarks/faq_gaps.py [--folds 5] [--index FOLDER] [--out OBSERVATIONS.jsonl]

Each fold is the sample school without the n-th part of its entries (an entry goes with all those of its family), as if
nobody had written them yet, indexed anew. It is asked those labelled questions of `benchmarks/sample_school` that the
missing entries answer. No other entry is right then: the right replies are an extract of the document that the label
names, a question back, or no answer. Prints what the shipped pipeline replies. `--out` writes one observation for each
question, of the best remaining entry, for `gate_model.py`. Some ten minutes; the indexes are kept in `--index`.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import yaml
from rich.console import Console

from covan.calibrating.observe import Observation, observe, write_observations
from covan.evaluation.labels import Labelled, read_labelled
from covan.evaluation.measure import resolved
from covan.indexing import build
from covan.project import ROOT
from rag.engine import Engine
from rag.errors import CovanError
from rag.index.versions import open_index
from rag.retrieve.embedder import load_embedder
from rag.types import FAQ_SOURCE, DecisionKind, Reply

KNOWLEDGE = ROOT / "knowledge"
QUESTIONS = (
    ROOT / "benchmarks/sample_school/questions.csv",
    ROOT / "benchmarks/sample_school/english.csv",
    ROOT / "benchmarks/sample_school/wordings.csv",
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--index", type=Path, default=ROOT / ".covan/eval/faq_gaps")
    parser.add_argument("--out", type=Path, help="where the observations go")
    options = parser.parse_args()
    console = Console(stderr=True, highlight=False)

    build(KNOWLEDGE, options.index / "whole", console)
    embedder = load_embedder()
    families = {entry.id: entry.family for entry in open_index(options.index / "whole", embedder).faq}
    counted: Counter[str] = Counter()
    observations = []
    for fold in range(options.folds):
        missing = set(sorted(set(families.values()))[fold :: options.folds])
        school = options.index / f"school-{fold}"
        write_school(school, {entry for entry, family in families.items() if family in missing})
        build(school, options.index / f"without-{fold}", console)
        engine = Engine.open(options.index / f"without-{fold}")
        for labelled in about(missing, families, engine):
            reply = engine.reply(labelled.question)
            counted[outcome(labelled, reply)] += 1
            observations.append(entry_observed(labelled, engine))

    asked = sum(counted.values())
    print(f"{asked} questions whose entry is missing")
    for name, count in counted.most_common():
        print(f"{count:>6} {count / asked:>7.1%}  {name}")
    if options.out:
        write_observations(options.out, [seen for seen in observations if "faq.similarity" in seen.signals])


def write_school(folder: Path, missing: set[str]) -> None:
    """Write the sample school without the entries `missing` (ids)."""
    shutil.rmtree(folder, ignore_errors=True)
    # Checked questions name entries that may be missing.
    shutil.copytree(KNOWLEDGE, folder, ignore=shutil.ignore_patterns("checked.yml"))
    for path in (folder / "faq").glob("*.yml"):
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
        kept = [entry for entry in entries if entry["id"] not in missing]
        path.write_text(yaml.safe_dump(kept, allow_unicode=True), encoding="utf-8")
    for path in (folder / "calculators").glob("*.yml"):
        calculators = yaml.safe_load(path.read_text(encoding="utf-8"))
        for calculator in calculators:
            calculator["follows"] = [entry for entry in calculator.get("follows", ()) if entry not in missing]
        path.write_text(yaml.safe_dump(calculators, allow_unicode=True, sort_keys=False), encoding="utf-8")


def about(missing: set[str], families: dict[str, str], engine: Engine) -> Iterator[Labelled]:
    """Yield the labelled questions that only entries of the families `missing` answer."""
    for path in QUESTIONS:
        for labelled in resolved(read_labelled(path), engine, str(path)):
            answering = {families[source] for source in labelled.sources if source in families}
            if labelled.expected is DecisionKind.ANSWER and answering and answering <= missing:
                yield labelled


def outcome(labelled: Labelled, reply: Reply) -> str:
    """Return the name of what a student gets."""
    if reply.decision.kind is not DecisionKind.ANSWER:
        return reply.decision.kind.value
    if reply.source == FAQ_SOURCE:
        return "answer of another entry: wrong"
    right = labelled.sources & {citation.document_id for citation in reply.citations}
    return "extract of the right document" if right else "extract of another document: wrong"


def entry_observed(labelled: Labelled, engine: Engine) -> Observation:
    """Return the observation of the best entry, whichever source would answer: it is wrong."""
    seen = observe(labelled, engine.propose)
    return seen.model_copy(update={"source": FAQ_SOURCE, "right": False})


if __name__ == "__main__":
    try:
        main()
    except CovanError as error:
        sys.exit(str(error))
