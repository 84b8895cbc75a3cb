"""A classifier is learnt once from the same examples, and anew from others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rag.ingest.classifier_cache import MOST_KEPT, ClassifierCache
from school.kernel_classifier import Example, Hyperparameters, KernelClassifier

LABELS = ("fee", "place")
NUMBERS = Hyperparameters()


def examples(last: str = "o dau") -> tuple[list[Example], np.ndarray]:
    texts = ["hoc phi bao nhieu", "gia bao nhieu", "phong nao", last]
    vectors = np.random.default_rng(len(last)).normal(size=(4, 8)).astype(np.float32)
    return [Example(LABELS[place // 2], text, text) for place, text in enumerate(texts)], vectors


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return how often a classifier was learnt."""
    learn, count = KernelClassifier.learn, [0]

    def counted(*arguments: object) -> KernelClassifier:
        count[0] += 1
        return learn(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(KernelClassifier, "learn", counted)
    return lambda: count[0]


def test_from_the_same_it_is_learnt_once(tmp_path: Path, times: Callable[[], int]) -> None:
    some, vectors = examples()

    first = ClassifierCache(tmp_path / "c.sqlite").learn(some, vectors, "e5", NUMBERS)
    again = ClassifierCache(tmp_path / "c.sqlite").learn(some, vectors, "e5", NUMBERS)

    assert times() == 1
    assert again.labels == first.labels
    asked = np.ones((1, 8), np.float32)
    np.testing.assert_array_equal(again.scores(["hoc phi"], asked), first.scores(["hoc phi"], asked))


@pytest.mark.parametrize("other", ["examples", "vectors", "embedder", "numbers"])
def test_from_anything_else_it_is_learnt_anew(tmp_path: Path, times: Callable[[], int], other: str) -> None:
    cache, (some, vectors) = ClassifierCache(tmp_path / "c.sqlite"), examples()
    cache.learn(some, vectors, "e5", NUMBERS)

    cache.learn(
        examples("tai dau")[0] if other == "examples" else some,
        vectors + 1 if other == "vectors" else vectors,
        "e6" if other == "embedder" else "e5",
        Hyperparameters(ridge=0.5) if other == "numbers" else NUMBERS,
    )

    assert times() == 2


def test_a_damaged_file_is_made_again(tmp_path: Path, times: Callable[[], int]) -> None:
    path, (some, vectors) = tmp_path / "c.sqlite", examples()
    path.write_bytes(b"no database" * 500)

    ClassifierCache(path).learn(some, vectors, "e5", NUMBERS)
    ClassifierCache(path).learn(some, vectors, "e5", NUMBERS)

    assert times() == 1


def test_those_that_were_used_last_are_kept(tmp_path: Path, times: Callable[[], int]) -> None:
    cache = ClassifierCache(tmp_path / "c.sqlite")
    first, *others = [examples("x" * length) for length in range(1, MOST_KEPT + 2)]
    cache.learn(*first, "e5", NUMBERS)
    for one in others[:-1]:
        cache.learn(*one, "e5", NUMBERS)
    cache.learn(*first, "e5", NUMBERS)  # used again, it outlives the next one
    cache.learn(*others[-1], "e5", NUMBERS)
    before = times()

    cache.learn(*first, "e5", NUMBERS)
    assert times() == before
    cache.learn(*others[0], "e5", NUMBERS)
    assert times() == before + 1
