"""`covan topics`: how well topics are told apart, on a labelled test file or by cross-validation."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, track
from rich.table import Table
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support
from sklearn.model_selection import StratifiedKFold

from covan.labelled_lines import LabelledText, read_labelled_lines
from covan.topic_classifier import Embed, TopicClassifier, prepared
from rag.errors import SettingsError
from rag.index.vectors import VectorCache
from rag.retrieve.embedder import Embedder, load_embedder
from rag.settings import settings
from school.sentence_embedder import VectorArray

CACHE = "topic_vectors.sqlite"
LISTED = 10
THREADS = 2
"""Texts embedded side by side: the embedder gives way to other threads."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The topics that texts have and those that they were given; one accuracy for each round of training."""

    true: list[str]
    given: list[str]
    accuracies: tuple[float, ...]


def run(
    train: Annotated[Path, typer.Option(help="Labelled lines to learn from: __label__TOPIC text.")],
    test: Annotated[Path | None, typer.Option(help="Labelled lines to be scored on.")] = None,
    folds: Annotated[
        int | None,
        typer.Option(min=2, max=20, help="Without --test: cross-validate --train in so many parts."),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, max=20, help="With --folds: shuffle and repeat so often, seeds 0, 1, …")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Only the figures, as JSON.")] = False,
) -> None:
    """Train a topic classifier; print its accuracy and macro-F1."""
    if (test is None) == (folds is None):
        raise SettingsError("give either --test FILE, or --folds N to cross-validate --train alone")
    console = Console(stderr=True, highlight=False)
    learnt = read_labelled_lines(train)
    asked = read_labelled_lines(test) if test is not None else []
    _warn(console, train, learnt)
    if test is not None:
        _warn(console, test, asked, {item.label for item in learnt})
    else:
        _check_folds(learnt, folds or 0)
    embed = remembered_embed(
        [item.text for item in (*learnt, *asked)], load_embedder(settings().embedder), console
    )
    scored = (
        scored_on(learnt, asked, embed, console)
        if test is not None
        else cross_validated(learnt, folds or 0, seeds, embed, console)
    )
    if as_json:
        typer.echo(json.dumps(figures(scored), ensure_ascii=False))
    else:
        _print(scored)


def remembered_embed(texts: Sequence[str], embedder: Embedder, console: Console) -> Embed:
    """Embeds `texts` once, shows how far it is, keeps the vectors on disk; then answers from memory."""
    distinct = list(dict.fromkeys(prepared(texts)))
    cache = VectorCache(settings().state_dir / CACHE)
    with ThreadPoolExecutor(THREADS) as pool, Progress(console=console, transient=True) as bar:
        task = bar.add_task("Embedding", total=len(distinct))
        vectors = cache.vectors(
            embedder.name,
            "query",
            distinct,
            lambda some: np.stack(list(pool.map(embedder.query, some))),
            progress=lambda count: bar.advance(task, count),
        )
    rows = {text: row for row, text in enumerate(distinct)}

    def embed(wanted: Sequence[str]) -> VectorArray:
        return np.asarray(vectors[[rows[text] for text in wanted]], np.float32)

    return embed


def scored_on(
    learnt: Sequence[LabelledText], asked: Sequence[LabelledText], embed: Embed, console: Console
) -> Scored:
    """Learn from one file, be scored on the other."""
    with console.status("Learning"):
        given = _learn(learnt, embed)([item.text for item in asked])
    true = [item.label for item in asked]
    return Scored(true, given, (accuracy_score(true, given),))


def cross_validated(
    texts: Sequence[LabelledText], folds: int, seeds: int, embed: Embed, console: Console
) -> Scored:
    """Return every text given a topic by a classifier that has not seen it; shuffled, stratified, once a seed."""
    labels = [item.label for item in texts]
    true: list[str] = []
    given: list[str] = []
    accuracies = []
    splits = [
        (train, test)
        for seed in range(seeds)
        for train, test in StratifiedKFold(folds, shuffle=True, random_state=seed).split(labels, labels)
    ]
    for number, (train, test) in enumerate(_shown(splits, console), start=1):
        given += _learn([texts[row] for row in train], embed)([texts[row].text for row in test])
        true += [labels[row] for row in test]
        if number % folds == 0:
            accuracies.append(accuracy_score(true[-len(texts) :], given[-len(texts) :]))
    return Scored(true, given, tuple(accuracies))


def _shown(splits: Sequence[Any], console: Console) -> Iterable[Any]:
    return track(splits, "Learning", console=console, transient=True)


def _learn(texts: Sequence[LabelledText], embed: Embed) -> Callable[[Sequence[str]], list[str]]:
    classifier = TopicClassifier(embed)
    return classifier.fit([item.text for item in texts], [item.label for item in texts]).predict


def figures(scored: Scored) -> dict[str, Any]:
    """Accuracy, macro-F1 (over every topic that stands in either column), and both by topic, for JSON."""
    topics = sorted({*scored.true, *scored.given})
    precision, recall, f1, count = precision_recall_fscore_support(
        scored.true, scored.given, labels=topics, zero_division=0
    )
    wrong = Counter(pair for pair in zip(scored.true, scored.given, strict=True) if pair[0] != pair[1])
    rounds = len(scored.accuracies)
    return {
        "accuracy": round(float(accuracy_score(scored.true, scored.given)), 4),
        "macro_f1": round(float(f1_score(scored.true, scored.given, average="macro", zero_division=0)), 4),
        "texts": len(scored.true) // rounds,
        "seeds": rounds,
        "accuracy_by_seed": [round(value, 4) for value in scored.accuracies],
        "accuracy_sd": round(float(np.std(scored.accuracies, ddof=1)), 4) if rounds > 1 else 0.0,
        "topics": {
            topic: {
                "texts": int(count[row]) // rounds,
                "precision": round(float(precision[row]), 4),
                "recall": round(float(recall[row]), 4),
                "f1": round(float(f1[row]), 4),
            }
            for row, topic in enumerate(topics)
        },
        "confusion": {
            topic: {given: wrong[topic, given] for given in topics if wrong[topic, given]} for topic in topics
        },
    }


def _print(scored: Scored) -> None:
    measured = figures(scored)
    console = Console(highlight=False)
    table = Table("topic", "texts", "precision", "recall", "F1", "mostly mistaken for")
    for topic, row in measured["topics"].items():
        wrong = measured["confusion"][topic]
        mistaken = max(wrong, key=wrong.__getitem__) if wrong else ""
        shown = (f"{row[name]:.3f}" for name in ("precision", "recall", "f1"))
        table.add_row(escape(topic), str(row["texts"]), *shown, escape(mistaken))
    console.print(table)
    by_seed = measured["accuracy_by_seed"]
    spread = f" (sd {measured['accuracy_sd']:.4f} over {len(by_seed)} seeds)" if len(by_seed) > 1 else ""
    typer.echo(f"accuracy {measured['accuracy']:.4f}{spread}")
    typer.echo(f"macro-F1 {measured['macro_f1']:.4f}")


def _warn(console: Console, path: Path, texts: Sequence[LabelledText], known: set[str] | None = None) -> None:
    """Return warnings: labels without a text, topics without training texts."""
    if empty := [str(item.line) for item in texts if not item.text]:
        console.print(
            f"warning: {path}: {len(empty)} lines have a label and no text (they count): {_some(empty)}",
            markup=False,
            soft_wrap=True,
        )
    if known is not None and (strange := sorted({item.label for item in texts} - known)):
        console.print(
            f"warning: {path}: topics that --train does not have, so they are never right: {_some(strange)}",
            markup=False,
            soft_wrap=True,
        )


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:LISTED]) + (f" and {len(names) - LISTED} more" if len(names) > LISTED else "")


def _check_folds(texts: Sequence[LabelledText], folds: int) -> None:
    """Raises SettingsError when a topic has fewer texts than there are folds."""
    counts = Counter(item.label for item in texts)
    if few := [f"{label} ({count})" for label, count in sorted(counts.items()) if count < folds]:
        raise SettingsError(
            f"every topic needs at least {folds} texts for {folds} folds; fewer have: {_some(few)}"
        )
