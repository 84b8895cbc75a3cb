#!/usr/bin/env python3
"""Measure the groups of the console's gaps (`console/gaps.py`) on labelled questions.

    .venv/bin/python benchmarks/gap_groups.py [--index FOLDER] [--half short_measure] [--show]

`gap_groups/needs.yml` has questions by need. They are read as the bot reads them, with the sample school, and grouped
as the page "Khoảng trống" groups them, all of a half together. A pair of questions that land in one group is right when
both are of one need. Prints precision and recall of pairs, for the hard pairs alone (of one matter) and for all, the
purity of the groups (the share of questions that are of their group's commonest need), and how many needs are split
into several groups; `--show` also prints the groups with two needs. Exits with 1 when a figure is below `LEAST`.
"""

from __future__ import annotations

import argparse
import base64
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from rich.console import Console

from console.gaps import group_gaps
from covan.indexing import build
from covan.project import ROOT
from rag.index.versions import open_index
from rag.question_answering import reader_of
from rag.retrieve.embedder import load_embedder
from school.reader import Reader

NEEDS = Path(__file__).with_name("gap_groups") / "needs.yml"
LEAST: Mapping[str, Mapping[str, float]] = {
    "choose": {"precision": 0.8, "recall": 0.75},
    "measure": {"precision": 0.6, "recall": 0.55},
    "short_choose": {"precision": 0.95, "recall": 0.7},
    "short_measure": {"precision": 0.95, "recall": 0.75},
}
"""The least figures of all pairs, by the half of the questions."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its matter and need."""

    question: str
    matter: str
    need: int


def main() -> int:
    """Measure one half."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--index", type=Path, default=ROOT / ".covan/eval/sample_school")
    parser.add_argument("--half", choices=tuple(LEAST), default="measure")
    parser.add_argument("--show", action="store_true", help="print the groups with two needs")
    options = parser.parse_args()
    build(ROOT / "knowledge", options.index, Console(stderr=True, highlight=False))
    embedder = load_embedder()
    reader = reader_of(open_index(options.index, embedder), embedder)
    asked = list(_asked(yaml.safe_load(NEEDS.read_text(encoding="utf-8"))[options.half]))
    groups = group_gaps([_gap(number, each, reader) for number, each in enumerate(asked)])
    group_of = {trace["id"]: place for place, group in enumerate(groups) for trace in group["traces"]}
    needs = len({each.need for each in asked})
    print(f"{options.half}: {len(asked)} questions, {needs} needs, {len(groups)} groups")
    print(f"purity {_purity(asked, groups):.3f}; {_split(asked, group_of)} needs are split")
    figures: Mapping[str, float] = {}
    for name, of_one_matter in (("pairs of one matter", True), ("all pairs", False)):
        figures = _figures(asked, group_of, of_one_matter)
        print(
            f"{name}: {figures['same']:.0f} need one answer of {figures['pairs']:.0f}; "
            f"precision {figures['precision']:.3f}, recall {figures['recall']:.3f}"
        )
    if options.show:
        for group in groups:
            of = {asked[trace["id"]].need for trace in group["traces"]}
            if len(of) > 1:
                print("  " + " | ".join(trace["question"] for trace in group["traces"]))
    return int(any(figures[name] < least for name, least in LEAST[options.half].items()))


def _asked(matters: Mapping[str, Sequence[Sequence[str]]]) -> Iterator[Asked]:
    need = 0
    for matter, needs in matters.items():
        for questions in needs:
            need += 1
            yield from (Asked(question, matter, need) for question in questions)


def _gap(number: int, asked: Asked, reader: Reader) -> Mapping[str, Any]:
    """Return a question as `console.turns.Turns.gaps` returns its turn."""
    read = reader.read(asked.question)
    vector = b"" if read.vector is None else np.asarray(read.vector, np.float16).tobytes()
    return {
        "id": number,
        "at": float(number),
        "channel": "web",
        "sender": str(number),
        "question": asked.question,
        "topic": "",
        "why": ["no_answer"],
        "vector": base64.b64encode(vector).decode(),
        "normalized": read.normalized,
        "mentions": [[mention.entity, mention.value] for mention in read.mentions],
        "intents": read.intents,
    }


def _purity(asked: Sequence[Asked], groups: Sequence[Mapping[str, Any]]) -> float:
    commonest = (Counter(asked[trace["id"]].need for trace in group["traces"]) for group in groups)
    return sum(counts.most_common(1)[0][1] for counts in commonest) / len(asked)


def _split(asked: Sequence[Asked], group_of: Mapping[int, int]) -> int:
    """Return the number of needs whose questions are in several groups."""
    groups: dict[int, set[int]] = {}
    for number, each in enumerate(asked):
        groups.setdefault(each.need, set()).add(group_of[number])
    return sum(len(each) > 1 for each in groups.values())


def _figures(asked: Sequence[Asked], group_of: Mapping[int, int], of_one_matter: bool) -> Mapping[str, float]:
    """Return the counts of pairs, and precision and recall of those that are together."""
    pairs = [
        (asked[one].need == asked[other].need, group_of[one] == group_of[other])
        for one, other in combinations(range(len(asked)), 2)
        if not of_one_matter or asked[one].matter == asked[other].matter
    ]
    same, together = sum(same for same, _ in pairs), sum(together for _, together in pairs)
    right = sum(same and together for same, together in pairs)
    return {
        "pairs": len(pairs),
        "same": same,
        "precision": right / together if together else 1.0,
        "recall": right / same,
    }


if __name__ == "__main__":
    sys.exit(main())
