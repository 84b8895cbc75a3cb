"""The vectors that come with the project are those of its texts."""

from __future__ import annotations

from collections.abc import Sequence

from covan.project import ROOT
from covan.training_data.school_teaching import SchoolTeaching, examples_of_any_school
from rag.index.vectors import ShippedVectors, vector_key
from rag.ingest.build import SHIPPED_VECTORS, reading_knowledge
from rag.ingest.load import load_knowledge
from rag.retrieve.embedder import E5Embedder
from school.kernel_classifier import Example
from school.reader import Reader

RENEW = "run `make vectors` and commit data/nlu/vectors.npz and knowledge/vectors.npz"


def without_vector(examples: Sequence[Example], shipped: ShippedVectors) -> list[str]:
    """Return the embedded texts of `examples` that have no shipped vector."""
    texts = dict.fromkeys(example.embedded for example in examples)
    return [text for text in texts if shipped.get(vector_key(E5Embedder().name, "query", text)) is None]


def test_every_example_of_any_school_has_a_vector() -> None:
    shipped = ShippedVectors.load(SchoolTeaching.shipped_vectors)

    assert without_vector(examples_of_any_school(), shipped) == [], RENEW


def test_every_example_of_the_sample_school_has_a_vector() -> None:
    knowledge = load_knowledge(ROOT / "knowledge")
    shipped = ShippedVectors.load(ROOT / "knowledge" / SHIPPED_VECTORS, SchoolTeaching.shipped_vectors)
    examples = Reader(reading_knowledge(knowledge)).examples(SchoolTeaching().messages(knowledge))

    assert without_vector(examples, shipped) == [], RENEW
