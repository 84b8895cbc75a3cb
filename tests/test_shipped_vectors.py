"""The vectors that come with the project are those of its texts."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from sample_school import SAMPLE

from covan.project import ROOT
from covan.training_data.school_teaching import SchoolTeaching, examples_of_any_school
from rag.index.vectors import Role, ShippedVectors, vector_key
from rag.ingest.build import SHIPPED_VECTORS, texts_to_embed
from rag.retrieve.embedder import E5Embedder

RENEW = "run `make vectors` and commit data/nlu, knowledge and the schools of the tests"

FEWEST_TEXTS = 1_000
"""The passages, the phrasings and the examples of the sample school are more, each."""


def without_vector(embedder: str, role: Role, texts: Iterable[str], shipped: ShippedVectors) -> list[str]:
    """Return the texts that have no shipped vector."""
    return [text for text in dict.fromkeys(texts) if shipped.get(vector_key(embedder, role, text)) is None]


def test_every_example_of_any_school_has_a_vector() -> None:
    shipped = ShippedVectors.load(SchoolTeaching.shipped_vectors)
    texts = [example.embedded for example in examples_of_any_school()]

    assert without_vector(E5Embedder().name, "query", texts, shipped) == [], RENEW


def test_nothing_of_the_sample_school_has_to_be_embedded() -> None:
    shipped = ShippedVectors.load(SAMPLE / SHIPPED_VECTORS, SchoolTeaching.shipped_vectors)

    for model, role, texts in texts_to_embed(SAMPLE, E5Embedder(), SchoolTeaching()):
        assert len(texts) >= FEWEST_TEXTS
        assert without_vector(model.name, role, texts, shipped) == [], RENEW


@pytest.mark.parametrize("school", ["small_school", "second_school"])
def test_nothing_of_the_schools_of_the_tests_has_to_be_embedded(school: str) -> None:
    folder = ROOT / "tests" / school
    shipped = ShippedVectors.load(folder / SHIPPED_VECTORS, SchoolTeaching.shipped_vectors)

    for model, role, texts in texts_to_embed(folder, E5Embedder(), SchoolTeaching()):
        assert without_vector(model.name, role, texts, shipped) == [], RENEW
