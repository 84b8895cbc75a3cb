"""Rankings are fused by reciprocal ranks."""

from __future__ import annotations

import numpy as np
import pytest

from rag.retrieve.fusion import RRF_K, reciprocal_ranks


def scores(*values: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.asarray(values, np.float32)


def test_k_is_that_of_cormack_et_al() -> None:
    assert RRF_K == 60


def test_each_ranking_adds_the_reciprocal_of_k_and_the_rank() -> None:
    fused = reciprocal_ranks([scores(0.9, 0.8, 0.7), scores(1, 3, 2)])

    assert fused == pytest.approx([1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 63 + 1 / 62])


def test_only_the_order_of_scores_counts() -> None:
    assert (reciprocal_ranks([scores(0.9, 0.1)]) == reciprocal_ranks([scores(100, 99)])).all()


def test_what_a_ranking_has_not_found_gets_nothing_from_it() -> None:
    assert reciprocal_ranks([scores(0, 2, 0)]).tolist() == pytest.approx([0, 1 / 61, 0])


def test_ties_keep_the_order_of_the_items() -> None:
    assert reciprocal_ranks([scores(1, 1)]) == pytest.approx([1 / 61, 1 / 62])
