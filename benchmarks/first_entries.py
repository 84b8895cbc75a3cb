#!/usr/bin/env python3
"""Observe the first entry that small schools find for a first message, for `gate_model.py --small`.

    .venv/bin/python benchmarks/first_entries.py WHOLE INDEX... --out OBSERVATIONS.jsonl [--asked 900]

`small_schools.py` makes the schools; WHOLE is the index of the one with all entries. Each school is asked wordings of
all entries that it does not have, the openings of `benchmarks/conversations/learn_*.yml`, and questions that are
nobody's matter, and the names of matters alone ("học phí"). The first entry is right when it is of the family that the
question is written for, so most are wrong where most entries are missing. Some of them count as if they named no
source, as an office may write them. Some three minutes a school.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml
from context_model import TODAY, out_of_scope
from faq_gaps import KNOWLEDGE
from rich.progress import track

from covan.calibrating.observe import Observation, write_observations
from covan.project import ROOT
from rag.engine import Engine
from rag.errors import CovanError
from rag.types import FAQ_SOURCE, FaqEntry, Question
from vietnamese.ellipsis import matter_name
from vietnamese.text import fold, words

Asked = tuple[str, frozenset[str]]
"""A message, and the families that answer it."""

SEED = 3
IN_VAIN = 300
"""How many questions that are nobody's matter a school is asked."""
LONGEST_NAME = 5
"""Words of the longest name of a matter that is asked alone."""
SOURCELESS = 0.3
"""The share of the entries found that count as if they named no source."""
WITHOUT_SOURCE = {"faq.support": 0.0, "faq.same_article": 0.0}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("whole", type=Path)
    parser.add_argument("indexes", nargs="+", type=Path, metavar="INDEX")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--asked", type=int, default=900, help="wordings that a school is asked")
    options = parser.parse_args()

    known_entries = Engine.open(options.whole).index.faq
    families = {entry.id: entry.family for entry in known_entries}
    observations: list[Observation] = []
    for index in options.indexes:
        engine = Engine.open(index, today=lambda: TODAY)
        known = {said for entry in engine.index.faq for said in (entry.question, *entry.variants)}
        unseen = [one for one in wordings(families) if one[0] not in known]
        chosen = random.Random(SEED)
        asked = chosen.sample(unseen, min(options.asked, len(unseen))) + list(openings(families))
        asked += [(said, frozenset()) for said in chosen.sample(sorted(out_of_scope()), IN_VAIN)]
        asked += names(known_entries)
        for text, right in track(asked, f"{index.name} is asked"):
            if (one := observed(engine, text, right, f"{index}/{len(observations)}")) is not None:
                changed = WITHOUT_SOURCE if chosen.random() < SOURCELESS else {}
                observations.append(one.model_copy(update={"signals": one.signals | changed}))
    write_observations(options.out, observations)
    print(f"{len(observations)} first entries, {sum(one.right for one in observations)} of them right.")


def wordings(families: dict[str, str]) -> Iterator[Asked]:
    """Yield the variants of all entries."""
    for path in sorted((KNOWLEDGE / "faq").glob("*.yml")):
        for entry in yaml.safe_load(path.read_text(encoding="utf-8")):
            for said in entry.get("variants") or ():
                yield said, frozenset((families[entry["id"]],))


def openings(families: dict[str, str]) -> Iterator[Asked]:
    """Yield the first messages of conversations that are answered or refused."""
    for path in sorted((ROOT / "benchmarks/conversations").glob("learn_[0-9].yml")):
        for conversation in yaml.safe_load(path.read_text(encoding="utf-8")):
            first = conversation["turns"][0]
            if first["act"] in ("answer", "no_answer"):
                yield first["student"], frozenset(families[name] for name in first.get("entries") or ())


def names(entries: Sequence[FaqEntry]) -> list[Asked]:
    """Return the short names of the matters of all entries, every other one without diacritics."""
    named: dict[str, set[str]] = {}
    for entry in entries:
        name = matter_name(entry.question)
        if name is not None and len(words(name)) <= LONGEST_NAME:
            named.setdefault(name, set()).add(entry.family)
    return [
        (fold(name) if place % 2 else name, frozenset(right))
        for place, (name, right) in enumerate(named.items())
    ]


def observed(engine: Engine, text: str, right: frozenset[str], name: str) -> Observation | None:
    """Return the observation of the first entry that a message finds; None without one."""
    reply = engine.reply(Question(text))
    found = (one.item for one in reply.trace.candidates if isinstance(one.item, FaqEntry))
    first = next(found, None)
    if first is None or reply.parts:
        return None
    return Observation(
        id=name,
        question=text,
        expected="answer" if right else "no_answer",
        topic=reply.topic,
        source=FAQ_SOURCE,
        right=first.family in right,
        confidence=reply.confidence,
        signals=dict(reply.trace.signals),
        reasons=(),
    )


if __name__ == "__main__":
    try:
        main()
    except CovanError as error:
        sys.exit(str(error))
