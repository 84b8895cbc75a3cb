#!/usr/bin/env python3
"""Measure answers worded by a language model beside the extracts, on questions that a school covers in part.

    .venv/bin/python benchmarks/local_model.py --url http://127.0.0.1:8080/v1 --model NAME --data DIR [--each 60]

The questions are those of the suite `ctu_regulations`: `--each` that the regulations cover and as many that they do
not. Every reply of the model is kept in the ledger of `--out`: a run that was stopped goes on where it was, and a run
after a change of the verifier asks the model nothing again. A small model on a processor takes half a minute for an
answer. Prints the shares of right answers, of harmful ones and of abstentions for the extracts and for the model, and
the share of the sentences of the model that the verifier did not let through.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from covan.evaluation.labels import Labelled, read_labelled
from covan.evaluation.measure import measure
from covan.evaluation.suite import knowledge_folder, located, read_suite
from covan.indexing import build
from covan.project import ROOT
from rag.engine import Engine
from rag.index.versions import open_index
from rag.language_model.circuit_breaker import CircuitBreaker
from rag.language_model.exchange import ModelAccess
from rag.language_model.ledger import Budget, Ledger
from rag.language_model.openai_chat import OpenAIChat
from rag.retrieve.embedder import load_embedder
from rag.types import DecisionKind, Reply

NEVER = 10**9


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", type=Path, required=True, help="the folder with ctu_regulations/")
    parser.add_argument("--each", type=int, default=60, help="questions of each kind")
    parser.add_argument("--passages", type=int, default=3)
    parser.add_argument("--words", type=int, default=300, help="of all passages together")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for an answer")
    parser.add_argument("--out", type=Path, default=ROOT / ".covan/eval/local_model")
    options = parser.parse_args()
    console = Console(stderr=True, highlight=False)

    written = read_suite("ctu_regulations")
    suite = located(written, options.data)
    labelled = halves(read_labelled(suite.questions, suite.labels), options.each)
    index = options.out / "index"
    with knowledge_folder(suite.knowledge) as folder:
        build(folder, index, console)
    embedder = load_embedder()
    documents = frozenset(passage.document_id for passage in open_index(index, embedder).passages)
    preset = options.out / "covan.yml"
    preset.write_text(shortened(options.passages, options.words), encoding="utf-8")
    access = ModelAccess(
        OpenAIChat(options.url, options.model),
        Ledger(options.out / "language_model.sqlite", Budget()),
        CircuitBreaker(failures=NEVER),
        options.timeout,
        keeps_everything=True,
    )
    for name, model in (("extracts", None), (options.model, access)):
        engine = Engine.open(index, str(preset), embedder, model=model)
        run = measure(engine, name, labelled, documents, progress)
        figures = {key: round(value, 3) for key, value in run.figures.items()}
        replies = [(item.labelled.label, item.right, item.harmful, item.reply) for item in run.judged]
        kinds = Counter((label, reply.decision.kind.value) for label, _, _, reply in replies)
        print(json.dumps({"run": name, "questions": len(replies), "figures": figures}, ensure_ascii=False))
        for label in sorted({label for label, *_ in replies}):
            some = [one for one in replies if one[0] == label]
            print(
                f"{name:>12} {label:<14} right {sum(r for _, r, _, _ in some)} of {len(some)}, "
                f"harmful {sum(h for _, _, h, _ in some)}, "
                + ", ".join(f"{kind.value} {kinds[label, kind.value]}" for kind in DecisionKind)
            )
        if model is not None:
            print_model([reply for *_, reply in replies])


def print_model(replies: Sequence[Reply]) -> None:
    """Print what became of the model's replies."""
    notes = [note for reply in replies for note in reply.trace.notes]
    calls = [call for reply in replies for call in reply.trace.model_calls]
    said = rejected = 0
    reasons: Counter[str] = Counter()
    for note in notes:
        if found := re.search(r"the model's sentences: (\d+) supported, (\d+) not(.*)", note):
            said += int(found[1]) + int(found[2])
            rejected += int(found[2])
            reasons.update({name: int(count) for name, count in re.findall(r"(\w+) (\d+)", found[3])})
    worded = sum("worded by the model" in note for note in notes)
    abstained = sum("the model abstained" in note for note in notes)
    print(
        f"calls {len(calls)}, worded {worded}, abstained {abstained}, outcomes {Counter(c.outcome for c in calls)}"
    )
    share = rejected / said if said else 0.0
    print(
        f"sentences {said}, unsupported before the verifier {rejected} ({share:.1%}), after it 0: {dict(reasons)}"
    )


def halves(labelled: Iterable[Labelled], each: int) -> list[Labelled]:
    """Return the first `each` questions of each label, in turn."""
    by_label: dict[str, list[Labelled]] = {}
    for one in labelled:
        by_label.setdefault(one.label, []).append(one)
    return [
        one
        for some in zip(*(by_label[label][:each] for label in sorted(by_label)), strict=False)
        for one in some
    ]


def shortened(passages: int, words: int) -> str:
    """Return the default preset with fewer passages for the model."""
    text = (ROOT / "rag/presets/covan.yml").read_text(encoding="utf-8")
    text = re.sub(r"passages: \d+", f"passages: {passages}", text)
    return re.sub(r"max_words: 700", f"max_words: {words}", text)


def progress(items: Sequence[Labelled], heading: str) -> Iterable[Labelled]:
    return track(items, f"Answering ({heading})", console=Console(stderr=True), transient=True)


if __name__ == "__main__":
    main()
