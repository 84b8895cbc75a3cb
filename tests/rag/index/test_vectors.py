"""No text is embedded twice, and nothing that was embedded is lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from embedder_stand_in import EmbedderStandIn

from rag.errors import CovanError
from rag.index.vectors import Role, ShippedVectors, VectorCache, vector_key
from school.sentence_embedder import VectorArray

ROLES: tuple[Role, ...] = ("query", "passage")
TEXTS = ["học phí", "học bổng", "ký túc xá"]


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path / "index" / "vectors.sqlite")


def test_what_was_embedded_is_not_embedded_again(cache: VectorCache, counting: EmbedderStandIn) -> None:
    first = cache.vectors("m", "passage", TEXTS, counting.passages)
    counting.forget()

    again = cache.vectors("m", "passage", [*TEXTS, "điểm rèn luyện"], counting.passages)

    assert counting.embedded_passages == ["điểm rèn luyện"]
    assert np.array_equal(again[:3], first)


def test_vectors_come_in_the_order_of_the_texts_and_are_those_of_the_model(
    cache: VectorCache, counting: EmbedderStandIn
) -> None:
    cache.vectors("m", "passage", TEXTS[::-1], counting.passages)

    vectors = cache.vectors("m", "passage", TEXTS, counting.passages)

    assert vectors.shape == (3, counting.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, counting.passages(TEXTS), atol=1e-3)


def test_equal_texts_are_embedded_once(cache: VectorCache, counting: EmbedderStandIn) -> None:
    vectors = cache.vectors("m", "passage", ["a", "b", "a", "a"], counting.passages)

    assert counting.embedded_passages == ["a", "b"]
    assert np.array_equal(vectors[0], vectors[2])


@pytest.mark.parametrize(("model", "role"), [("another", "passage"), ("m", "query")])
def test_another_model_or_role_is_another_vector(
    cache: VectorCache, counting: EmbedderStandIn, model: str, role: Role
) -> None:
    cache.vectors("m", "passage", TEXTS, counting.passages)
    counting.forget()

    cache.vectors(model, role, TEXTS, counting.passages)

    assert counting.embedded_passages == TEXTS


def test_an_interrupted_run_goes_on_where_it_stopped(cache: VectorCache, counting: EmbedderStandIn) -> None:
    texts = [f"văn bản {number}" for number in range(10)]

    def break_off(some: Sequence[str]) -> VectorArray:
        if "văn bản 7" in some:
            raise KeyboardInterrupt
        return counting.passages(some)

    with pytest.raises(KeyboardInterrupt):
        cache.vectors("m", "passage", texts, break_off, batch=3)
    done = list(counting.embedded_passages)
    counting.forget()
    cache.vectors("m", "passage", texts, counting.passages, batch=3)

    assert done == texts[:6]
    assert counting.embedded_passages == texts[6:]


def test_progress_adds_up_to_all_texts(cache: VectorCache, counting: EmbedderStandIn) -> None:
    cache.vectors("m", "passage", TEXTS, counting.passages)
    told: list[int] = []

    cache.vectors(
        "m", "passage", [*TEXTS, *map(str, range(5))], counting.passages, batch=2, progress=told.append
    )

    assert sum(told) == 8
    assert len(told) > 2


def test_no_texts_are_no_vectors(cache: VectorCache, counting: EmbedderStandIn) -> None:
    assert len(cache.vectors("m", "query", [], counting.passages)) == 0
    assert counting.embedded_passages == []


def test_a_damaged_cache_costs_time_only(tmp_path: Path, counting: EmbedderStandIn) -> None:
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"this is no database" * 1000)

    cache = VectorCache(path)

    assert len(cache.vectors("m", "passage", TEXTS, counting.passages)) == 3
    counting.forget()
    VectorCache(path).vectors("m", "passage", TEXTS, counting.passages)
    assert counting.embedded_passages == []


# --- shipped --------------------------------------------------------------------------------------------------------


@pytest.fixture
def shipped_file(tmp_path: Path, counting: EmbedderStandIn) -> Path:
    path = tmp_path / "vectors.npz"
    made = counting.passages(TEXTS)
    ShippedVectors.save(
        path, {vector_key("m", "passage", text): vector for text, vector in zip(TEXTS, made, strict=True)}
    )
    counting.forget()
    return path


def test_shipped_vectors_are_used_instead_of_embedding(
    tmp_path: Path, shipped_file: Path, counting: EmbedderStandIn
) -> None:
    cache = VectorCache(tmp_path / "vectors.sqlite", ShippedVectors.load(shipped_file))

    vectors = cache.vectors("m", "passage", [*TEXTS, "mới"], counting.passages)

    assert counting.embedded_passages == ["mới"]
    assert np.allclose(vectors[:3], counting.passages(TEXTS), atol=1e-3)


def test_vectors_shipped_for_another_model_are_of_no_use(
    tmp_path: Path, shipped_file: Path, counting: EmbedderStandIn
) -> None:
    cache = VectorCache(tmp_path / "vectors.sqlite", ShippedVectors.load(shipped_file))

    cache.vectors("another", "passage", TEXTS, counting.passages)

    assert counting.embedded_passages == TEXTS


def test_without_a_file_nothing_is_shipped(tmp_path: Path) -> None:
    assert ShippedVectors.load(tmp_path / "vectors.npz").get(vector_key("m", "passage", "học phí")) is None


def test_the_same_vectors_make_the_same_file(tmp_path: Path, counting: EmbedderStandIn) -> None:
    made = {vector_key("m", "passage", text): counting.query(text) for text in TEXTS}
    contents = []
    for order in (1, -1):
        path = tmp_path / f"{order}.npz"
        ShippedVectors.save(path, dict(list(made.items())[::order]))
        with np.load(path) as archive:
            contents.append((archive["keys"].tobytes(), archive["vectors"].tobytes()))

    assert contents[0] == contents[1]


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 half an archive"])
def test_a_damaged_shipped_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "vectors.npz"
    path.write_bytes(content)

    with pytest.raises(CovanError, match=r"vectors\.npz"):
        ShippedVectors.load(path)


def test_a_key_stands_for_model_role_and_text() -> None:
    keys = {
        vector_key(model, role, text) for model in ("m", "n") for role in ROLES for text in ("a", "b", "")
    }

    assert len(keys) == 12
    assert {len(key) for key in keys} == {16}
