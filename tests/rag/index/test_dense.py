"""The vector index finds the nearest vectors exactly, and tells a damaged file from a whole one."""

from __future__ import annotations

from pathlib import Path

import faiss
import numpy as np
import pytest

from rag.errors import IndexUnusableError
from rag.index.dense import HALVED_FROM, FaissIndex
from school.sentence_embedder import VectorArray


@pytest.fixture
def vectors() -> VectorArray:
    made = np.random.default_rng(7).normal(size=(50, 16)).astype(np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


def test_the_nearest_come_first_with_their_cosines(vectors: VectorArray) -> None:
    index = FaissIndex.build(vectors, 16)

    places, cosines = index.search(vectors[7], 5)

    expected = vectors @ vectors[7]
    assert list(places) == list(np.argsort(-expected)[:5])
    assert np.allclose(cosines, expected[places], atol=1e-5)
    assert places[0] == 7


def test_cosines_of_chosen_places(vectors: VectorArray) -> None:
    index = FaissIndex.build(vectors, 16)
    places = np.array([3, 1, 40])

    assert np.allclose(index.cosines(vectors[3], places), vectors[places] @ vectors[3], atol=1e-5)
    assert index.mean_cosine(vectors[3]) == pytest.approx(float((vectors @ vectors[3]).mean()), abs=1e-5)


def test_asked_for_more_than_there_are(vectors: VectorArray) -> None:
    places, cosines = FaissIndex.build(vectors[:3], 16).search(vectors[0], 10)

    assert sorted(places) == [0, 1, 2]
    assert len(cosines) == 3


@pytest.fixture(scope="module")
def many() -> VectorArray:
    """As many vectors as a large school has, kept to the precision that embeddings are kept with."""
    made = np.random.default_rng(7).normal(size=(HALVED_FROM, 16))
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made.astype(np.float16).astype(np.float32)


def test_a_large_index_finds_the_same_in_half_the_space(many: VectorArray, tmp_path: Path) -> None:
    FaissIndex.build(many, 16).save(tmp_path / "large.faiss")
    index = FaissIndex.load(tmp_path / "large.faiss", 16)
    question = many[11]

    places, cosines = index.search(question, 100)

    expected = many @ question
    assert list(places) == list(np.argsort(-expected, kind="stable")[:100])
    assert np.allclose(cosines, expected[places], atol=1e-5)
    assert np.allclose(index.cosines(question, places), expected[places], atol=1e-5)
    assert index.mean_cosine(question) == pytest.approx(float(expected.mean()), abs=1e-5)
    assert np.array_equal(index.vectors, many)
    assert (tmp_path / "large.faiss").stat().st_size < 0.51 * many.nbytes


def test_an_empty_index_finds_nothing(tmp_path: Path) -> None:
    FaissIndex.build(np.zeros((0, 0), np.float32), 16).save(tmp_path / "a.faiss")
    index = FaissIndex.load(tmp_path / "a.faiss", 16)
    question = np.ones(16, np.float32)

    assert index.count == 0
    assert len(index.search(question, 5)[0]) == 0
    assert len(index.cosines(question, np.zeros(0, np.intp))) == 0
    assert index.mean_cosine(question) == 0


def test_saved_and_loaded_it_finds_the_same(vectors: VectorArray, tmp_path: Path) -> None:
    index = FaissIndex.build(vectors, 16)
    index.save(tmp_path / "a.faiss")

    loaded = FaissIndex.load(tmp_path / "a.faiss", 16)
    (tmp_path / "a.faiss").unlink()

    assert loaded.count == index.count == 50
    assert np.array_equal(loaded.search(vectors[0], 50)[0], index.search(vectors[0], 50)[0])
    assert np.array_equal(loaded.cosines(vectors[0], np.arange(50)), index.cosines(vectors[0], np.arange(50)))


@pytest.mark.parametrize("content", [None, b"", b"no index", b"\0" * 500])
def test_a_damaged_file_is_told(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "a.faiss"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(IndexUnusableError, match=r"a\.faiss.*`covan index`"):
        FaissIndex.load(path, 16)


def test_an_index_of_another_kind_is_told(vectors: VectorArray, tmp_path: Path) -> None:
    other = faiss.IndexFlatL2(16)
    other.add(vectors)
    faiss.write_index(other, str(tmp_path / "a.faiss"))

    with pytest.raises(IndexUnusableError, match=r"a\.faiss.*`covan index`"):
        FaissIndex.load(tmp_path / "a.faiss", 16)


def test_vectors_of_another_size_are_told(vectors: VectorArray, tmp_path: Path) -> None:
    FaissIndex.build(vectors, 16).save(tmp_path / "a.faiss")

    with pytest.raises(IndexUnusableError, match=r"16 numbers.*384.*`covan index`"):
        FaissIndex.load(tmp_path / "a.faiss", 384)
