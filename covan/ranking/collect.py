"""All that an index and files of labelled questions have to learn a ranking from, with progress bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from rich.console import Console

from covan.evaluation.labels import Labelled
from covan.progress import progress_bars
from covan.ranking.examples import Example, asked_by_faq, asked_by_label, examples
from rag.index.vectors import VectorCache
from rag.index.versions import open_index
from rag.pipeline import RetrievalWeights
from rag.retrieve.embedder import Embedder
from school.sentence_embedder import VectorArray


@dataclass(frozen=True, slots=True)
class Collected:
    """The examples, and how many questions each source had: the FAQ with its variants, and the labelled ones."""

    examples: list[Example]
    from_faq: int
    from_labels: int


def collect(
    index: Path,
    embedder: Embedder,
    weights: RetrievalWeights,
    labelled: Sequence[Labelled],
    today: date,
    *,
    faq: bool = True,
) -> Collected:
    """Return the passages in `index` for its FAQ and labelled questions; vectors are kept beside those of the index.

    Raises IndexUnusableError.
    """
    opened = open_index(index, embedder)
    of_faq = list(asked_by_faq(opened)) if faq else []
    of_labels = list(asked_by_label(labelled, opened))
    asked = [*of_faq, *of_labels]
    cache = VectorCache(index / "vectors.sqlite")
    with progress_bars(Console(stderr=True), 10) as bars:
        embedding = bars.add_task("Embedding", total=len(asked))
        searching = bars.add_task("Searching", total=len(asked))

        def embed(texts: Sequence[str]) -> VectorArray:
            return cache.vectors(
                embedder.name,
                "query",
                texts,
                lambda some: np.stack([embedder.query(text) for text in some]),
                progress=lambda more: bars.advance(embedding, more),
            )

        made = examples(asked, opened, weights, embed, today, lambda more: bars.advance(searching, more))
    return Collected(made, len(of_faq), len(of_labels))
