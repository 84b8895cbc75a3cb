#!/usr/bin/env python3
"""Measure the verifier of generated answers on sentences labelled by hand over the sample school; fit its model.

    .venv/bin/python benchmarks/verifier.py [--errors PART ...] [--folds] [--fit]

`sample_school/generated_sentences*.yml` have the sentences. On those of the parts "tune" and "second tune" the word
lists and thresholds of the rules were set; each judging part was written when the parts before it had been read. The
parts "held out" and "blind" have files of their own: their errors are counted, and not read while anything is tuned.
The model (`rag/answer/support_model.json`) is learned from all other parts, most of it from "learn"; `--fit` fits and
writes it. `--folds` tells what a model does with sentences of passages that it has not seen: eight models, each without
an eighth of the passages. Expected of the judging parts, "held out" and "blind": at least 0.98 of the unsupported
sentences caught, at most 0.05 of the supported ones rejected. The exit code is 1 when one of them is outside. Takes
seconds, with `--fit` and `--folds` minutes: no embedder is loaded.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import yaml

from covan.network_fit import NetworkRule, fit_network
from covan.project import ROOT
from rag.answer.support import MODEL
from rag.answer.verify import Comparison, compared, decided, evidence_of, unsupported
from rag.decide.network import ProbabilityNetwork
from rag.ingest.load import load_knowledge
from rag.ingest.split import split
from rag.json_file import write_json
from rag.types import Passage

SCHOOL = ROOT / "benchmarks/sample_school"
LEAST_CAUGHT, MOST_REJECTED = 0.98, 0.05
SUPPORTED = "supported"
ELSEWHERE = "elsewhere"
TUNE = "tune"
SECOND_TUNE = "second tune"
TUNES = (TUNE, SECOND_TUNE)
LEARN = "learn"
UNREAD = ("held out", "blind", "a", "b")
JUDGES = ("judge", "second judge", "third judge", *UNREAD)
FILES = {
    "generated_sentences.yml": TUNE,
    "generated_sentences_held_out.yml": "held out",
    "generated_sentences_blind.yml": "blind",
    "generated_sentences_learned.yml": LEARN,
    "generated_sentences_a.yml": "a",
    "generated_sentences_b.yml": "b",
}
"""The files with the part of a group that names none."""

NETWORKS = NetworkRule(hidden=16, penalty=0.1, passes=12, members=5, batch=64, rate=0.003)
WEIGHTS = {LEARN: 2.0, SECOND_TUNE: 2.0}
"""The weights of sentences by part: the rules were set on the others, so that they seem surer there than they are."""
ELSEWHERE_WEIGHT = 0.4
"""Sentences with another passage as their citation are many, and few of them are hard."""
FOLDS = 8


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence with the passage that it cites; `kind` is a key of the file, `at` where it was written from."""

    text: str
    passage: Passage
    kind: str
    part: str
    at: tuple[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--errors",
        nargs="+",
        default=[],
        choices=(LEARN, *TUNES, *JUDGES),
        metavar="PART",
        help="list the sentences of these parts that the verifier takes for the other",
    )
    parser.add_argument("--folds", action="store_true", help="measure models on passages they have not seen")
    parser.add_argument("--fit", action="store_true", help=f"write {MODEL.name}, fitted on all but {UNREAD}")
    options = parser.parse_args()
    labelled = list(read_sentences())
    learned = [one for one in labelled if one.part not in UNREAD]
    if options.folds:
        report_folds(learned)
    if options.fit:
        write_json(MODEL, fitted(learned, [comparison_of(one) for one in learned]))
    kept = True
    for part in (LEARN, *TUNES, *JUDGES):
        some = [one for one in labelled if one.part == part]
        caught, rejected = measured(some, errors=part in options.errors)
        kept &= part not in JUDGES or (caught >= LEAST_CAUGHT and rejected <= MOST_REJECTED)
    sys.exit(0 if kept else 1)


def measured(labelled: Sequence[Labelled], *, errors: bool) -> tuple[float, float]:
    """Print and return the share of unsupported sentences caught, and of supported ones rejected."""
    reasons = [unsupported(one.text, [evidence_of(one.passage)]) for one in labelled]
    for one, reason in zip(labelled, reasons, strict=True):
        if errors and (reason is None) is not (one.kind == SUPPORTED):
            print(
                f"  {one.part} {one.kind}: {one.text} [{one.passage.document_id}, {one.passage.locator}] {reason}"
            )
    return summed(labelled, [reason is not None for reason in reasons])


def summed(labelled: Sequence[Labelled], rejected: Sequence[bool]) -> tuple[float, float]:
    """Print and return the share of unsupported sentences caught, and of supported ones rejected."""
    counts = Counter((one.kind, each) for one, each in zip(labelled, rejected, strict=True))
    kinds = sorted({kind for kind, _ in counts} - {SUPPORTED})
    wrong, caught = (sum(counts[kind, each] for kind in kinds) for each in (False, True))
    supported = counts[SUPPORTED, False] + counts[SUPPORTED, True]
    shares = caught / (caught + wrong), counts[SUPPORTED, True] / supported
    by_kind = ", ".join(
        f"{kind} {counts[kind, True]}/{counts[kind, True] + counts[kind, False]}" for kind in kinds
    )
    print(
        f"{labelled[0].part}: {len(labelled)} sentences; unsupported caught {shares[0]:.3f} of {caught + wrong} "
        f"({by_kind}); supported rejected {shares[1]:.3f} of {supported}",
        flush=True,
    )
    return shares


def report_folds(labelled: Sequence[Labelled]) -> None:
    """Print what models do with the sentences of passages that they have not seen."""
    found = [comparison_of(one) for one in labelled]
    passages = list(dict.fromkeys(one.at for one in labelled))
    fold_of = {at: number % FOLDS for number, at in enumerate(passages)}
    rejected = [False] * len(labelled)
    for fold in range(FOLDS):
        seen = [number for number, one in enumerate(labelled) if fold_of[one.at] != fold]
        model = fitted([labelled[number] for number in seen], [found[number] for number in seen])
        for number, one in enumerate(labelled):
            if fold_of[one.at] == fold:
                rejected[number] = decided(found[number], model) is not None
    print("Each sentence by a model that has not seen its passage:")
    for part in dict.fromkeys(one.part for one in labelled):
        numbers = [number for number, one in enumerate(labelled) if one.part == part]
        summed([labelled[number] for number in numbers], [rejected[number] for number in numbers])


def comparison_of(one: Labelled) -> Comparison:
    return compared(one.text, [evidence_of(one.passage)])


def fitted(labelled: Sequence[Labelled], found: Sequence[Comparison]) -> ProbabilityNetwork:
    """Return the model of labelled sentences; those that are refused in any case take no part."""
    used = [(one, each.signals) for one, each in zip(labelled, found, strict=True) if each.signals]
    names = list(used[0][1])
    values = np.array([[signals[name] for name in names] for _, signals in used], np.float64)
    scales = values.std(axis=0)
    differs = scales > 1e-9
    kept = [name for name, each in zip(names, differs, strict=True) if each]
    weights = [
        WEIGHTS.get(one.part, 1.0) * (ELSEWHERE_WEIGHT if one.kind == ELSEWHERE else 1.0) for one, _ in used
    ]
    return fit_network(
        kept,
        values[:, differs].mean(axis=0),
        scales[differs],
        values[:, differs],
        [one.kind == SUPPORTED for one, _ in used],
        NETWORKS,
        np.array(weights),
    )


def read_sentences() -> Iterator[Labelled]:
    """Yield the labelled sentences. Raises KeyError for a passage that the school does not have."""
    documents = load_knowledge(ROOT / "knowledge").documents
    passages = {(p.document_id, p.locator): p for document in documents for p in split(document)}
    for name, default in FILES.items():
        groups: list[dict[str, Any]] = yaml.safe_load((SCHOOL / name).read_text(encoding="utf-8"))
        for group in groups:
            part, at = group.get("part", default), _place(group["at"])
            for kind, said in group.items():
                if kind not in ("at", "part", ELSEWHERE):
                    yield from (Labelled(text, passages[at], kind, part, at) for text in said)
            if ELSEWHERE in group:
                other = passages[_place(group[ELSEWHERE])]
                yield from (Labelled(text, other, ELSEWHERE, part, at) for text in group[SUPPORTED])


def _place(written: Sequence[str]) -> tuple[str, str]:
    document, locator = written
    return document, locator


if __name__ == "__main__":
    main()
