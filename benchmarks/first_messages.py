#!/usr/bin/env python3
"""Judge what students get on a first message, half of them about things that no school has written down.

    .venv/bin/python benchmarks/first_messages.py [--index .covan/index]

The messages are those of `benchmarks/first_messages/*.yml`; the index is that of the sample school. Prints for each
file what answers its messages (an entry, a clause, nothing) and what is replied. An entry that is not sure stands
under the question that it answers. Half a minute.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Set
from pathlib import Path

import yaml

from actions.response_builder import SURE_OF_THE_ENTRY
from covan.project import ROOT
from rag.engine import Engine
from rag.errors import CovanError
from rag.types import FAQ_SOURCE, DecisionKind, Question, Reply

MESSAGES = ROOT / "benchmarks/first_messages"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--index", type=Path, default=ROOT / ".covan/index")
    engine = Engine.open(parser.parse_args().index)
    families = {entry.id: entry.family for entry in engine.index.faq}
    for path in sorted(MESSAGES.glob("*.yml")):
        counted: Counter[tuple[str, str]] = Counter()
        for one in yaml.safe_load(path.read_text(encoding="utf-8")):
            right = {families[entry] for entry in one.get("entries", ())}
            wants = "an entry" if right else "a clause" if one.get("documents") else "nothing"
            counted[wants, outcome(engine.reply(Question(one["text"])), right, families)] += 1
        print(f"{path.name}: what answers, what is replied")
        for (wants, got), number in sorted(counted.items()):
            print(f"{number:>6}  {wants}: {got}")


def outcome(reply: Reply, right: Set[str], families: Mapping[str, str]) -> str:
    """Return the name of what a student gets."""
    if reply.decision.kind is not DecisionKind.ANSWER:
        return reply.decision.kind.value
    if reply.source != FAQ_SOURCE:
        return f"answer of the source {reply.source}"
    is_right = families.get(reply.answer_id or "") in right
    got = "answer of the right entry" if is_right else "answer of another entry: wrong"
    return f"{got}, under its question" if reply.confidence < SURE_OF_THE_ENTRY else got


if __name__ == "__main__":
    try:
        main()
    except CovanError as error:
        sys.exit(str(error))
