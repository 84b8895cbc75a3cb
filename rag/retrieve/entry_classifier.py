"""The entry classifier: the family of FAQ entries that a question asks for, learnt from all their phrasings.

The nearest phrasing alone is a poor witness: wordings of other entries share its everyday words. Learnt against each
other, the phrasings of an entry tell which words and meanings are its own (docs/decisions/0021-entry-classifier.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, zip_longest

from rag.types import FaqEntry
from school.kernel_classifier import Example, Hyperparameters, KernelClassifier
from school.sentence_embedder import VectorArray

NUMBERS = Hyperparameters(width=0.8, letters=0.0, ridge=0.2)
"""Chosen on wordings of the sample school that nothing was learnt from; letters gained nothing (decision 21)."""

LEAST_PHRASINGS = 8
"""Phrasings that an entry must have on average: two or three do not tell what is its own."""

MOST_PHRASINGS = 10_000
"""The number of phrasings that are learnt from: the kernel is a square matrix of them. In a larger FAQ, the first
phrasings of every entry are taken."""


Learn = Callable[[Sequence[Example], VectorArray, str, Hyperparameters], KernelClassifier]


def learnt(
    faq: Sequence[FaqEntry],
    texts: Sequence[str],
    rows: Sequence[Sequence[int]],
    vectors: VectorArray,
    embedder: str,
    learn: Learn = KernelClassifier.learn,
) -> KernelClassifier | None:
    """Return the classifier of the families of `faq`; None when they have too few phrasings to learn from.

    `texts` are the phrasings, `rows[i]` the entries of phrasing i, `vectors` the phrasings' sentence vectors, shape
    (phrasings, d), made by `embedder`. `learn` stands for `KernelClassifier.learn`.
    """
    families: dict[str, list[int]] = {}
    for place, some in enumerate(rows):
        for family in dict.fromkeys(faq[row].family for row in some):
            families.setdefault(family, []).append(place)
    if len(families) < 2 or sum(map(len, families.values())) < LEAST_PHRASINGS * len(families):
        return None
    chosen = list(islice(_in_turns(families), MOST_PHRASINGS))
    examples = [Example(family, "", texts[place]) for family, place in chosen]
    return learn(examples, vectors[[place for _, place in chosen]], embedder, NUMBERS)


def _in_turns(families: dict[str, list[int]]) -> Iterator[tuple[str, int]]:
    """Yield the phrasings with their families: the first of every family before the second of any."""
    for turn in zip_longest(*families.values()):
        yield from (
            (family, place) for family, place in zip(families, turn, strict=True) if place is not None
        )
