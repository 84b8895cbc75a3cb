"""How well the classifier knows messages that it has not learned from: cross-validation over the training data.

    .venv/bin/python benchmarks/nlu_report.py [--folds 5] [--set ridge=0.2 ...]     (or: make nlu-report)

A seed and its variants, an entry of the FAQ and its wordings, a template and its fillings are always in one fold.
Every example is tried as it is written, without diacritics, and in the writings that `covan/nlu_variants.yml` makes.
Writes `report.html`, `confusion.png` and `outcome.json` into .covan/reports/nlu.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import yaml
from covan.nlu_spelling import spelling_json

from covan import rasa, training
from covan.nlu_examples import ExampleSet, all_examples
from covan.nlu_templates import read_templates
from covan.nlu_variants import Variants, read_rules
from covan.project import ROOT
from covan.rasa_model import SEEDS
from rag.ingest.load import load_knowledge
from rag.settings import settings
from vietnamese.text import fold

CLASSIFIER = "server.nlu.intents.KernelIntentClassifier"
OUT = ROOT / ".covan" / "reports" / "nlu"
CACHE = ROOT / ".covan" / "cache" / "nlu_folds.npz"
WRITINGS = ("framed", "chat", "slip")
WORST = 40

Outcome = Sequence[Mapping[str, Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument(
        "--set", nargs="*", default=[], metavar="NAME=NUMBER", help="numbers of the classifier"
    )
    chosen = parser.parse_args()
    config = {**_config(), **{name: float(number) for name, number in (one.split("=") for one in chosen.set)}}
    outcome = cross_validated(config, chosen.folds)
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "outcome.json").write_text(json.dumps(outcome, ensure_ascii=False, indent=1), encoding="utf-8")
    draw_confusion(outcome, OUT / "confusion.png")
    summary = summarised(outcome)
    (OUT / "report.html").write_text(page(summary, outcome), encoding="utf-8")
    print("\n".join(f"{name:<52} {figure}" for name, figure in summary))
    print(f"\n{OUT.relative_to(ROOT)}/report.html")


def cross_validated(config: Mapping[str, Any], folds: int) -> Outcome:
    """What every example was taken for by a classifier that had not seen it."""
    knowledge = load_knowledge(ROOT / settings().knowledge_dir)
    seeds = training.seeds(path.read_text(encoding="utf-8") for path in sorted(SEEDS.glob("*.yml")))
    rules = read_rules()
    variants = Variants(rules)
    found = all_examples(seeds, knowledge, read_templates(), variants)
    request = {
        **json.loads(
            spelling_json(
                [*seeds.values(), *knowledge.nlu.values()], knowledge.faq, knowledge.glossary, rules
            )
        ),
        "folds": folds,
        "config": config,
        "cache": str(CACHE),
        "examples": _with_writings(found, variants),
    }
    done = subprocess.run(
        [str(rasa.PYTHON), str(Path(__file__).with_name("nlu_folds.py"))],
        input=json.dumps(request, ensure_ascii=False),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=rasa.environment(settings()),
    )
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    outcome: Outcome = json.loads(done.stdout)
    return outcome


def summarised(outcome: Outcome) -> Sequence[tuple[str, str]]:
    """The figures, and what each is."""
    lines: list[tuple[str, str]] = []
    threshold = next(float(part["threshold"]) for part in _pipeline() if part["name"] == "FallbackClassifier")
    for kind in ("written", "bare", *WRITINGS):
        of_kind = [one for one in outcome if one["kind"] == kind]
        lines.append((f"{kind}: right", f"{_right(of_kind):.3f} of {len(of_kind)}"))
        lines += [
            (f"{kind}: {name}", f"{_right(some):.3f} of {len(some)}")
            for name, some in (
                ("seeds of topics", _from(of_kind, "seed ", topics=True)),
                ("seeds of acts of talk", _from(of_kind, "seed ", topics=False)),
                ("questions of the FAQ", _from(of_kind, "faq ", topics=True)),
            )
        ]
        sure = [one for one in of_kind if one["confidence"] >= threshold]
        lines.append((f"{kind}: at or over the threshold of {threshold}", f"{len(sure) / len(of_kind):.3f}"))
    written = [one for one in outcome if one["kind"] == "written"]
    lines.append(
        ("mean log loss, as written", f"{-np.mean([np.log(one['own'] + 1e-9) for one in written]):.3f}")
    )
    for low in np.arange(0, 1, 0.1):
        some = [one for one in written if low <= one["confidence"] < low + 0.1]
        if some:
            lines.append(
                (f"confidence {low:.1f}-{low + 0.1:.1f}: right", f"{_right(some):.2f} of {len(some)}")
            )
    lost = [one for one in written if one["predicted"] == "out_of_scope" and one["intent"].startswith("ask_")]
    lines.append(("questions of a topic taken for out_of_scope", f"{len(lost)}"))
    return lines


def draw_confusion(outcome: Outcome, path: Path) -> None:
    """The confusion of intents, each row as shares."""
    mpl.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415 - after the backend is chosen

    names = sorted({one["intent"] for one in outcome})
    counts = np.zeros((len(names), len(names)))
    for one in outcome:
        counts[names.index(one["intent"]), names.index(one["predicted"])] += 1
    figure, axes = plt.subplots(figsize=(13, 12))
    axes.imshow(counts / counts.sum(axis=1, keepdims=True), cmap="Blues", vmin=0, vmax=1)
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("taken for")
    axes.set_ylabel("is")
    figure.tight_layout()
    figure.savefig(path, dpi=90)
    plt.close(figure)


def page(summary: Sequence[tuple[str, str]], outcome: Outcome) -> str:
    """The report as one HTML page."""
    wrong = [one for one in outcome if one["intent"] != one["predicted"]]
    pairs = Counter((one["intent"], one["predicted"]) for one in wrong).most_common(WORST)
    sure = sorted((one for one in wrong if one["kind"] == "written"), key=lambda one: -one["confidence"])
    return "".join(
        (
            '<!doctype html><meta charset="utf-8"><title>NLU</title><style>body{font:14px sans-serif;margin:2em}',
            "td{padding:.2em 1em}</style><h1>Cross-validation of the classifier</h1>",
            _table(summary),
            '<img src="confusion.png" alt="Confusion of intents" width="1100"><h2>Most frequent mistakes</h2>',
            _table([(f"{one} → {other}", str(count)) for (one, other), count in pairs]),
            "<h2>Surest mistakes, as written</h2>",
            _table(
                [
                    (one["text"], f"{one['intent']} → {one['predicted']} {one['confidence']:.2f}")
                    for one in sure[: 4 * WORST]
                ]
            ),
        )
    )


def _table(rows: Sequence[tuple[str, str]]) -> str:
    return "<table>" + "".join(f"<tr><td>{escape(a)}<td>{escape(b)}" for a, b in rows) + "</table>"


def _with_writings(found: ExampleSet, variants: Variants) -> Sequence[Mapping[str, Any]]:
    seen: set[str] = set()
    listed = []
    for example in (*found.written, *found.made):
        key = f"{example.origin}\n{example.intent}"
        # The first of an origin is its seed, question or filling; what follows are variants, and only learned from.
        first = example.origin.startswith("faq ") or key not in seen
        seen.add(key)
        kinds = {"written": example.text, "bare": fold(example.text)} if first else {}
        if kinds:
            kinds |= dict(
                zip(WRITINGS, variants.of(example.text, example.intent, len(WRITINGS)), strict=False)
            )
        listed.append(
            {"text": example.text, "intent": example.intent, "origin": example.origin, "kinds": kinds}
        )
    return listed


def _right(some: Outcome) -> float:
    return sum(one["intent"] == one["predicted"] for one in some) / max(len(some), 1)


def _from(some: Outcome, origin: str, *, topics: bool) -> Outcome:
    return [
        one
        for one in some
        if one["origin"].startswith(origin)
        and topics == (one["intent"].startswith("ask_") and one["intent"] != "ask_advisor")
    ]


def _pipeline() -> Sequence[Mapping[str, Any]]:
    pipeline: Sequence[Mapping[str, Any]] = yaml.safe_load((ROOT / "config.yml").read_text(encoding="utf-8"))[
        "pipeline"
    ]
    return pipeline


def _config() -> Mapping[str, Any]:
    return next(part for part in _pipeline() if part["name"] == CLASSIFIER)


if __name__ == "__main__":
    main()
