#!/usr/bin/env python3
"""Ask whole questions after another matter: are they answered as by themselves?

    .venv/bin/python benchmarks/topic_switches.py INDEX QUESTIONS.csv [--times 2] [--seed 1]

Each question of the file (as for `covan answer`) that is answered when it comes first is asked again with an entry of
another topic as its history, drawn by the seed. Prints the shares that get the same answer, another one, a question
back, and none. Expected with the sample school and benchmarks/sample_school/questions.csv: the same answer in 0.85.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

from rag.engine import Engine
from rag.index.versions import open_index
from rag.retrieve.embedder import load_embedder
from rag.types import DecisionKind, Matter, Question, Reply
from school.dimensions import Profile

TODAY = date(2026, 11, 23)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("index", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--times", type=int, default=2, help="how often each question is asked again")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    engine = Engine.open(options.index, today=lambda: TODAY)
    entries = open_index(options.index, load_embedder()).faq
    drawn = random.Random(options.seed)
    with options.questions.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found: Counter[str] = Counter()
    for row in rows:
        given = {d: row[d] for d in engine.catalog.dimension_ids if row.get(d)}
        question = Question(row["question"], profile=Profile(given))
        first = engine.reply(question)
        if first.decision.kind is not DecisionKind.ANSWER:
            continue
        others = [entry for entry in entries if entry.topic != first.topic]
        for entry in drawn.sample(others, options.times):
            behind = replace(question, history=(Matter(entry.question, entry.id),))
            found[outcome(first, engine.reply(behind))] += 1
    asked = max(found.total(), 1)
    print(f"{asked} times, a question that is answered when it comes first came after another matter:")
    for name, count in found.most_common():
        print(f"  {name:18}{count / asked:7.3f}")


def outcome(first: Reply, behind: Reply) -> str:
    """Return what became of a reply behind another matter."""
    if behind.decision.kind is not DecisionKind.ANSWER:
        return "a question back" if behind.decision.kind is DecisionKind.CLARIFY else "no answer"
    return "the same answer" if behind.answer_id == first.answer_id else "another answer"


if __name__ == "__main__":
    main()
