#!/usr/bin/env python3
"""Measure the classifier of aspects (`school/aspects.py`), or fit it.

    .venv/bin/python benchmarks/aspects.py            (the shipped classifier, on benchmarks/aspects/test.yml)
    .venv/bin/python benchmarks/aspects.py --folds 5  (while tuning: cross-validation over learn.yml; slower)
    .venv/bin/python benchmarks/aspects.py --entries  (entries of the sample FAQ, learnt without them)
    .venv/bin/python benchmarks/aspects.py --fit      (fit on learn.yml and the sample FAQ, write the shipped one)

Prints accuracy and macro-F1 of the questions as they are typed and without their diacritics, F1 by aspect, and the
wrong ones. Exits with 1 when macro-F1 is below `LEAST`. An entry of the FAQ with several aspects counts for each of
them, in parts.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

import numpy as np
import yaml
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

from rag.ingest.load import load_knowledge
from rag.types import FaqEntry
from school.aspects import (
    ASPECTS,
    MODEL,
    Aspect,
    AspectClassifier,
    aspects_of,
    plain_words,
    shipped_classifier,
    terms_of,
    weighed,
)
from vietnamese.text import fold

ROOT = Path(__file__).parents[1]
QUESTIONS = Path(__file__).with_name("aspects")

LEAST = {"as typed": 0.85, "without diacritics": 0.80}
"""The least macro-F1."""

FAQ_WEIGHT = 0.3
"""The weight of a phrasing of the FAQ, of that of a question of learn.yml: its variants may ask for another aspect."""

STRENGTH = 3.0
"""Inverse strength of the L2 penalty, chosen as FAQ_WEIGHT was by `--folds`."""

FEWEST_TEXTS = 3
"""Texts that must have a word or piece of one for it to be a feature."""

Weighted = tuple[str, Aspect, float]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folds", type=int)
    parser.add_argument("--entries", action="store_true")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()

    if options.folds:
        questions = labelled("learn")
        report(questions, across_folds(questions, options.folds))
        return
    if options.entries:
        report_entries(learnt([(text, aspect, 1.0) for text, aspect in labelled("learn")]))
        return
    if options.fit:
        learnt([*((text, aspect, 1.0) for text, aspect in labelled("learn")), *phrasings()]).save(MODEL)
        shipped_classifier.cache_clear()
        print(f"Written to {MODEL.relative_to(ROOT)}: {MODEL.stat().st_size // 1024} KB.")
    questions = labelled("test")
    figures = report(
        questions,
        {
            "as typed": [first(aspects_of(text)) for text, _ in questions],
            "without diacritics": [first(aspects_of(fold(text))) for text, _ in questions],
        },
    )
    sys.exit(any(figures[name] < least for name, least in LEAST.items()))


def labelled(name: str) -> list[tuple[str, Aspect]]:
    """Return the questions of a file, each with its aspect."""
    by_aspect = yaml.safe_load((QUESTIONS / f"{name}.yml").read_text(encoding="utf-8"))
    return [(text, aspect) for aspect in ASPECTS for text in by_aspect[aspect]]


def entries() -> list[FaqEntry]:
    """Return one entry of each family of the sample school's FAQ."""
    return list({entry.family: entry for entry in load_knowledge(ROOT / "knowledge").faq}.values())


def phrasings() -> Iterator[Weighted]:
    """Yield the phrasings of the sample school's FAQ once, with each aspect that their entries say."""
    seen = set[str]()
    for entry in load_knowledge(ROOT / "knowledge").faq:
        for text in (entry.question, *entry.variants):
            if text not in seen:
                seen.add(text)
                yield from ((text, aspect, FAQ_WEIGHT / len(entry.aspects)) for aspect in entry.aspects)


def learnt(examples: Sequence[Weighted]) -> AspectClassifier:
    """Return the classifier of examples (text, aspect, weight). Deterministic."""
    plain = [plain_words(text) for text, _, _ in examples]
    counts = Counter(term for text in plain for term in terms_of(text))
    names = sorted(t for t, n in counts.items() if n >= FEWEST_TEXTS or not t.startswith(("w:", "c:")))
    terms = {name: place for place, name in enumerate(names)}
    frequency = np.array([counts[name] for name in names], np.float32)
    idf = (np.log((1 + len(plain)) / (1 + frequency)) + 1).astype(np.float16).astype(np.float32)
    rows = [weighed(text, terms, idf) for text in plain]
    matrix = csr_matrix(
        (
            np.concatenate([values for _, values in rows]),
            np.concatenate([places for places, _ in rows]),
            np.cumsum([0, *(len(places) for places, _ in rows)]),
        ),
        shape=(len(rows), len(names)),
    )
    wanted = [ASPECTS.index(aspect) for _, aspect, _ in examples]
    model = LogisticRegression(C=STRENGTH, max_iter=1000)
    model.fit(matrix, wanted, [weight for _, _, weight in examples])
    return AspectClassifier(terms, idf, model.coef_.T.astype(np.float32), model.intercept_.astype(np.float32))


def across_folds(questions: Sequence[tuple[str, Aspect]], folds: int) -> dict[str, list[Aspect]]:
    """Return the aspects that are found when each question is in a fold that was not learnt from."""
    others = list(phrasings())
    found: dict[str, list[Aspect]] = {name: ["other"] * len(questions) for name in LEAST}
    for fold_number in range(folds):
        known = [
            (text, aspect, 1.0) for i, (text, aspect) in enumerate(questions) if i % folds != fold_number
        ]
        classifier = learnt([*known, *others])
        for place in range(fold_number, len(questions), folds):
            text = questions[place][0]
            found["as typed"][place] = first(classifier.ranking(plain_words(text)))
            found["without diacritics"][place] = first(classifier.ranking(plain_words(fold(text))))
    return found


def report_entries(classifier: AspectClassifier) -> None:
    """Print how many entries have the aspect that their question most probably asks for."""
    found = [(first(classifier.ranking(plain_words(entry.question))), entry) for entry in entries()]
    right = sum(aspect in entry.aspects for aspect, entry in found)
    print(f"entries: {right / len(found):.3f} of {len(found)}")
    for aspect, entry in found:
        if aspect not in entry.aspects:
            print(f"  {', '.join(entry.aspects):>24} taken for {aspect:12} {entry.question}")


def first(ranking: dict[Aspect, float]) -> Aspect:
    return next(iter(ranking), "other")


def report(questions: Sequence[tuple[str, Aspect]], found: dict[str, list[Aspect]]) -> dict[str, float]:
    """Print the figures of each way of typing; return macro-F1 by its name."""
    right = [aspect for _, aspect in questions]
    score: Callable[..., object] = f1_score
    figures = {}
    for name, aspects in found.items():
        figures[name] = float(cast(float, score(right, aspects, labels=ASPECTS, average="macro")))
        accuracy = sum(map(str.__eq__, right, aspects)) / len(right)
        print(f"{name}: macro-F1 {figures[name]:.3f}, accuracy {accuracy:.3f} of {len(right)}")
    name, aspects = next(iter(found.items()))
    by_aspect = cast("list[float]", score(right, aspects, labels=ASPECTS, average=None))
    print(f"\nF1, {name}:", ", ".join(f"{a} {f1:.2f}" for a, f1 in zip(ASPECTS, by_aspect, strict=True)))
    for (text, aspect), seen in zip(questions, aspects, strict=True):
        if seen != aspect:
            print(f"  {aspect:>12} taken for {seen:12} {text}")
    return figures


if __name__ == "__main__":
    main()
