"""N-grams of the letters of messages, and how alike messages are by them."""

from __future__ import annotations

import numpy as np
import pytest

from school.ngrams import ANALYZERS, NgramIndex

TEXTS = ("hoc phi", "hoc phi hoc ky 2", "ky tuc xa", "ky tuc xa con cho khong", "hoc", "", "hoc phi")


@pytest.mark.parametrize("analyzer", ANALYZERS)
@pytest.mark.parametrize("times", [1, 100])
def test_the_texts_of_an_index_are_as_alike_as_the_same_texts_from_outside(analyzer: str, times: int) -> None:
    texts = [f"{text} {number}" for number in range(times) for text in TEXTS]
    index = NgramIndex.learn(analyzer, texts)

    own = index.own_cosines()

    assert np.allclose(own, index.cosines(texts), rtol=0, atol=1e-6)
    assert np.allclose(np.diag(own), 1.0)
    assert own.min() < 0.5
