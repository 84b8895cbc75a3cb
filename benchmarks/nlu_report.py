"""Cross-validation of the classifier over the training data.

    .venv/bin/python benchmarks/nlu_report.py [--folds 5] [--set ridge=0.2 ...]     (or: make nlu-report)

A seed and its variants, an entry of the FAQ and its wordings, a template and its fillings are always in one fold.
Every example is tried as written, without diacritics, and in the variants of `covan/training_data/variants.yml`.
Writes `report.html`, `confusion.png` and `outcome.json` into .covan/reports/nlu.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import yaml

from covan.project import ROOT
from covan.training_data.examples import ExampleSet
from covan.training_data.school_teaching import SchoolTeaching
from covan.training_data.variants import Variants, read_rules
from rag.index.vectors import ShippedVectors, VectorCache
from rag.ingest.build import SHIPPED_VECTORS
from rag.ingest.document_texts import reading_knowledge
from rag.ingest.load import Knowledge, load_knowledge
from rag.settings import settings
from school.kernel_classifier import Hyperparameters, KernelClassifier
from school.reader import Reader
from school.reading import Reading
from school.sentence_embedder import SentenceEmbedder, VectorArray
from vietnamese.lexicon import Lexicon, spoken
from vietnamese.text import fold

OUT = ROOT / ".covan" / "reports" / "nlu"
CACHE = ROOT / ".covan" / "cache" / "nlu_folds.sqlite"
WRITINGS = ("framed", "chat", "slip")
WORST = 40
NO_INTENT = "no intent"
"""The prediction for a message without a letter: it is not embedded."""

Outcome = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Tried:
    """An example and, unless it is a variant of another, the writings of it that are tried, by the name of each."""

    text: str
    intent: str
    origin: str
    kinds: Mapping[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument(
        "--set", nargs="*", default=[], metavar="NAME=NUMBER", help="numbers of the classifier"
    )
    chosen = parser.parse_args()
    numbers = Hyperparameters(
        **{name: float(number) for name, number in (one.split("=") for one in chosen.set)}
    )
    outcome = cross_validated(numbers, chosen.folds)
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "outcome.json").write_text(json.dumps(outcome, ensure_ascii=False, indent=1), encoding="utf-8")
    draw_confusion(outcome, OUT / "confusion.png")
    summary = summarised(outcome)
    (OUT / "report.html").write_text(page(summary, outcome), encoding="utf-8")
    print("\n".join(f"{name:<52} {figure}" for name, figure in summary))
    print(f"\n{OUT.relative_to(ROOT)}/report.html")


def cross_validated(numbers: Hyperparameters, folds: int) -> Outcome:
    """Return the reading of every example by a classifier that has not seen it."""
    knowledge = load_knowledge(ROOT / settings().knowledge_dir)
    variants = Variants(read_rules())
    examples = _with_writings(SchoolTeaching().examples(knowledge), variants)
    vectors = CachedVectors()
    outcome: list[Mapping[str, Any]] = []
    for number in range(folds):
        held = [example for example in examples if _fold_of(example, folds) == number]
        learnt = [example for example in examples if _fold_of(example, folds) != number]
        texts = {example.text.casefold() for example in held}
        known = reading_knowledge(_without(knowledge, texts))
        assert known.lexicon is not None
        known = replace(known, lexicon=_forgetting(known.lexicon, texts))
        taught = Reader(known).examples((example.text, example.intent) for example in learnt)
        classifier = KernelClassifier.learn(
            taught, vectors.of([example.embedded for example in taught]), vectors.name, numbers
        )
        reader = Reader(known, vectors, classifier)
        asked = [(example, kind, text) for example in held for kind, text in example.kinds.items()]
        vectors.of([reader.prepared(text).embedded for _, _, text in asked])
        outcome += [_tried(example, kind, reader.read(text)) for example, kind, text in asked]
    return outcome


class CachedVectors:
    """The embedder that reads messages, with a memory on disk: every text is embedded once, whatever is tried."""

    name = SentenceEmbedder.name

    def __init__(self) -> None:
        shipped = ShippedVectors.load(
            ROOT / settings().knowledge_dir / SHIPPED_VECTORS, SchoolTeaching.shipped_vectors
        )
        self._cache = VectorCache(CACHE, shipped)
        self._embedder = SentenceEmbedder()
        self._known: dict[str, VectorArray] = {}

    def query(self, text: str) -> VectorArray:
        """Return the vector of one question, shape (384,)."""
        return np.asarray(self.of([text])[0], np.float32)

    def of(self, texts: Sequence[str]) -> VectorArray:
        """Return the vectors of questions, shape (n, 384)."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            self._known.update(
                zip(missing, self._cache.vectors(self.name, "query", missing, self._embed), strict=True)
            )
        return np.asarray(np.stack([self._known[text] for text in texts]), np.float32)

    def _embed(self, texts: Sequence[str]) -> VectorArray:
        # The model works outside Python's lock.
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return np.asarray(np.stack(list(pool.map(self._embedder.query, texts))), np.float32)


def _fold_of(example: Tried, folds: int) -> int:
    """Return the fold of an example, the same for all of one origin."""
    return int(hashlib.sha256(example.origin.encode()).hexdigest(), 16) % folds


def _without(knowledge: Knowledge, held: Collection[str]) -> Knowledge:
    """Return `knowledge` without the wordings in `held`: their spelling is not known yet."""
    faq = []
    for entry in knowledge.faq:
        left = [text for text in (entry.question, *entry.variants) if text.casefold() not in held]
        if left:
            faq.append(replace(entry, question=left[0], variants=tuple(left[1:])))
    nlu = {
        intent: tuple(text for text in texts if text.casefold() not in held)
        for intent, texts in knowledge.nlu.items()
    }
    return replace(knowledge, faq=tuple(faq), nlu=nlu)


def _forgetting(lexicon: Lexicon, held: Collection[str]) -> Lexicon:
    """Return `lexicon` without the everyday sentences in `held`."""
    sentences = [sentence for sentence in spoken() if sentence.casefold() in held]
    once, twice = Lexicon.learn(()), Lexicon.learn(sentences)
    counts = _less(lexicon.counts, twice.counts, once.counts)
    pairs = {
        before: _less(after, twice.pairs.get(before, {}), once.pairs.get(before, {}))
        for before, after in lexicon.pairs.items()
    }
    forgotten = lexicon.counts.keys() - counts.keys()
    return Lexicon(
        counts, {before: after for before, after in pairs.items() if after}, lexicon.seen - forgotten
    )


def _less(counts: Mapping[str, int], twice: Mapping[str, int], once: Mapping[str, int]) -> dict[str, int]:
    """Return the positive rest of `counts` without the difference of `twice` and `once`."""
    rest = {name: count - twice.get(name, 0) + once.get(name, 0) for name, count in counts.items()}
    return {name: count for name, count in rest.items() if count > 0}


def _tried(example: Tried, kind: str, reading: Reading) -> Mapping[str, Any]:
    """Return the outcome of one writing of an example."""
    predicted, confidence = next(iter(reading.intents.items()), (NO_INTENT, 0.0))
    return {
        "kind": kind,
        "text": reading.text,
        "origin": example.origin,
        "intent": example.intent,
        "predicted": predicted,
        "confidence": round(confidence, 4),
        "own": round(reading.intents.get(example.intent, 0.0), 6),
    }


def summarised(outcome: Outcome) -> Sequence[tuple[str, str]]:
    """Return the figures with their names."""
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

    names = sorted({one[key] for one in outcome for key in ("intent", "predicted")})
    counts = np.zeros((len(names), len(names)))
    for one in outcome:
        counts[names.index(one["intent"]), names.index(one["predicted"])] += 1
    figure, axes = plt.subplots(figsize=(13, 12))
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("taken for")
    axes.set_ylabel("is")
    figure.tight_layout()
    figure.savefig(path, dpi=90)
    plt.close(figure)


def page(summary: Sequence[tuple[str, str]], outcome: Outcome) -> str:
    """Return the report as one HTML page."""
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


def _with_writings(found: ExampleSet, variants: Variants) -> Sequence[Tried]:
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
        listed.append(Tried(example.text, example.intent, example.origin, kinds))
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


if __name__ == "__main__":
    main()
