#!/usr/bin/env python3
"""Measure the verifier of generated answers on sentences labelled by hand over the sample school.

    .venv/bin/python benchmarks/verifier.py [--errors PART ...]

`sample_school/generated_sentences.yml` has the sentences. On those of the parts "tune" and "second tune" the word lists
and thresholds were set; each judging part was written when the parts before it had been read. The part "held out" is
`generated_sentences_held_out.yml`: its errors are counted, and not read while anything is tuned. Expected of the
judging parts and the held-out one, without a model: at least 0.98 of the unsupported sentences caught, at most 0.05 of
the supported ones rejected. The exit code is 1 when one of them is outside. Takes seconds: no embedder is loaded.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from covan.project import ROOT
from rag.answer.verify import evidence_of, unsupported
from rag.ingest.load import load_knowledge
from rag.ingest.split import split
from rag.types import Passage

SCHOOL = ROOT / "benchmarks/sample_school"
SENTENCES = SCHOOL / "generated_sentences.yml"
HELD_OUT_SENTENCES = SCHOOL / "generated_sentences_held_out.yml"
LEAST_CAUGHT, MOST_REJECTED = 0.98, 0.05
SUPPORTED = "supported"
ELSEWHERE = "elsewhere"
TUNE = "tune"
SECOND_TUNE = "second tune"
TUNES = (TUNE, SECOND_TUNE)
HELD_OUT = "held out"
JUDGES = ("judge", "second judge", "third judge", HELD_OUT)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence with the passage that it cites; `kind` is a key of the file."""

    text: str
    passage: Passage
    kind: str
    part: str


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--errors",
        nargs="+",
        default=[],
        choices=(*TUNES, *JUDGES),
        metavar="PART",
        help="list the sentences of these parts that the verifier takes for the other",
    )
    options = parser.parse_args()
    labelled = list(read_sentences())
    kept = True
    for part in (*TUNES, *JUDGES):
        some = [one for one in labelled if one.part == part]
        caught, rejected = measured(some, errors=part in options.errors)
        kept &= part in TUNES or (caught >= LEAST_CAUGHT and rejected <= MOST_REJECTED)
    sys.exit(0 if kept else 1)


def measured(labelled: list[Labelled], *, errors: bool) -> tuple[float, float]:
    """Print and return the share of unsupported sentences caught, and of supported ones rejected."""
    counts: Counter[tuple[str, bool]] = Counter()
    for one in labelled:
        reason = unsupported(one.text, [evidence_of(one.passage)])
        counts[one.kind, reason is not None] += 1
        if errors and (reason is None) is not (one.kind == SUPPORTED):
            print(
                f"  {one.part} {one.kind}: {one.text} [{one.passage.document_id}, {one.passage.locator}] {reason}"
            )
    kinds = sorted({kind for kind, _ in counts} - {SUPPORTED})
    wrong, caught = (sum(counts[kind, each] for kind in kinds) for each in (False, True))
    supported = counts[SUPPORTED, False] + counts[SUPPORTED, True]
    shares = caught / (caught + wrong), counts[SUPPORTED, True] / supported
    by_kind = ", ".join(
        f"{kind} {counts[kind, True]}/{counts[kind, True] + counts[kind, False]}" for kind in kinds
    )
    print(
        f"{labelled[0].part}: {len(labelled)} sentences; unsupported caught {shares[0]:.3f} ({by_kind}); "
        f"supported rejected {shares[1]:.3f} of {supported}"
    )
    return shares


def read_sentences() -> Iterator[Labelled]:
    """Yield the labelled sentences. Raises KeyError for a passage that the school does not have."""
    documents = load_knowledge(ROOT / "knowledge").documents
    passages = {(p.document_id, p.locator): p for document in documents for p in split(document)}
    for path, default in ((SENTENCES, TUNE), (HELD_OUT_SENTENCES, HELD_OUT)):
        groups: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
        for group in groups:
            part = group.get("part", default)
            passage = passages[tuple(group["at"])]
            for kind, said in group.items():
                if kind not in ("at", "part", ELSEWHERE):
                    yield from (Labelled(text, passage, kind, part) for text in said)
            other = passages[tuple(group[ELSEWHERE])]
            yield from (Labelled(text, other, ELSEWHERE, part) for text in group[SUPPORTED])


if __name__ == "__main__":
    main()
