"""Passages are ranked by a weighted sum of their features; a school's own model only when it fits this installation."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import numpy as np
import pytest

from rag.errors import SettingsError
from rag.json_file import remove_json, write_json
from rag.rerank.features import FEATURES
from rag.rerank.learned import LearnedRerank, LearnedReranker
from rag.rerank.ranking_model import (
    WEIGHED,
    RankingModel,
    ranking_file,
    ranking_in_force,
    read_ranking,
    shipped_ranking,
)
from rag.rerank.reranker import reranker_of
from rag.types import DOCUMENT_SOURCE, Candidate, Passage
from school.reader import Reader
from school.reading import Reading

MODEL = RankingModel(
    embedder="any",
    names=("bigrams", "window"),
    means=(0.5, 0.0),
    scales=(0.5, 1.0),
    weights=(0.2, 0.1),
    bias=0.5,
)


def passage(name: str, score: float, **scores: float) -> Candidate:
    return Candidate(DOCUMENT_SOURCE, Passage(name, "Vậy.", "d", "D", ""), score, scores)


@pytest.fixture
def question(reader: Reader) -> Reading:
    return reader.prepared("hoãn thi")


def own(**changes: object) -> RankingModel:
    return shipped_ranking().model_copy(update={"embedder": "mine-1", "bias": 0.123} | changes)


def test_the_score_is_linear_in_the_standardised_features() -> None:
    scores = MODEL.scores(np.array([[0.5, 0.0], [1.0, 0.0], [0.0, 1.0]]))

    assert scores == pytest.approx([0.5, 0.7, 0.4])


def test_scores_stay_between_0_and_1() -> None:
    high, low = MODEL.scores(np.array([[1.5, 3.0], [-9.0, -9.0]]))

    assert 0.9 < high < 1
    assert low == 0


def test_the_best_are_still_told_apart() -> None:
    scores = MODEL.scores(np.array([[1.5, window] for window in (0.0, 0.5, 1.0, 2.0)]))

    assert (np.diff(scores) > 0).all()


def test_the_order_is_that_of_the_features(question: Reading) -> None:
    found = LearnedReranker(LearnedRerank(rule="learned"), MODEL).rerank(
        question, [passage("a", 0.9, bigrams=0.1, window=0.5), passage("b", 0.8, bigrams=0.9, window=0.5)], {}
    )

    assert [candidate.item.id for candidate in found] == ["b", "a"]
    assert found[0].score == pytest.approx(0.5 + 0.2 * 0.8 + 0.1 * 0.5)
    assert found[0].scores == {"bigrams": 0.9, "window": 0.5, "fused": 0.8}


def test_passages_that_were_not_looked_at_follow_in_their_order(question: Reading) -> None:
    looked_at = [passage("a", 0.9, bigrams=0.1, window=0.0), passage("b", 0.8, bigrams=0.9, window=0.0)]
    others = [passage("c", 0.7, dense=0.3), passage("d", 0.1, dense=0.2)]

    found = LearnedReranker(LearnedRerank(rule="learned"), MODEL).rerank(question, [*looked_at, *others], {})

    assert [candidate.item.id for candidate in found] == ["b", "a", "c", "d"]
    scores = [candidate.score for candidate in found]
    assert scores == sorted(scores, reverse=True)
    assert LearnedReranker(LearnedRerank(rule="learned"), MODEL).rerank(question, others, {}) == others
    assert LearnedReranker(LearnedRerank(rule="learned"), MODEL).rerank(question, [], {}) == []


def test_the_shipped_model_weighs_known_features_and_none_that_depends_on_the_embedder() -> None:
    shipped = shipped_ranking()

    assert shipped.names == WEIGHED
    assert set(shipped.names) < set(FEATURES)
    assert not {"cosine", "lexical_raw"} & set(shipped.names)


def test_the_shipped_model_prefers_what_says_more_of_the_question(question: Reading) -> None:
    """Whatever is learnt: of two passages alike in all else, the one with more of the question is the better."""
    reranker = reranker_of(LearnedRerank(rule="learned"))
    same = dict.fromkeys(FEATURES, 0.5)
    for name in ("dense", "lexical", "article", "coverage", "bigrams", "trigrams", "entity"):
        worse, best = passage("worse", 0.5, **same), passage("best", 0.5, **same | {name: 0.9})

        found = reranker.rerank(question, [worse, best], {})

        assert found[0].item.id == "best", name


def test_without_a_model_of_its_own_a_school_has_the_shipped_one(tmp_path: Path) -> None:
    assert ranking_in_force(tmp_path, "mine-1") == shipped_ranking()


def test_a_schools_own_model_is_in_force_until_it_is_removed(tmp_path: Path) -> None:
    write_json(ranking_file(tmp_path), own())

    assert ranking_in_force(tmp_path, "mine-1") == own()
    assert [path.name for path in tmp_path.iterdir()] == ["reranker.json"]

    assert remove_json(ranking_file(tmp_path))
    assert ranking_in_force(tmp_path, "mine-1") == shipped_ranking()
    assert not remove_json(ranking_file(tmp_path))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (own(embedder="other-1").model_dump_json(), "was made for the embedder other-1, not mine-1"),
        (MODEL.model_copy(update={"embedder": "mine-1"}).model_dump_json(), "was made for other features"),
        ("{", "does not hold a ranking model"),
        (own().model_dump_json().replace("1,", '"x",', 1), "does not hold a ranking model"),
    ],
)
def test_a_model_that_does_not_fit_is_passed_over_and_said_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: str, why: str
) -> None:
    ranking_file(tmp_path).write_text(content, encoding="utf-8")

    with caplog.at_level(logging.WARNING):
        assert ranking_in_force(tmp_path, "mine-1") == shipped_ranking()

    assert why in caplog.text
    assert "covan train-reranker" in caplog.text


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"weights": [1.0]}, "one length"),
        ({"scales": [0.0, 1.0]}, "above 0"),
        ({"bias": "NaN"}, "bias"),
        ({"more": 1}, "more"),
    ],
)
def test_a_damaged_model_is_refused(tmp_path: Path, changes: dict[str, object], why: str) -> None:
    path = tmp_path / "m.json"
    path.write_text(json.dumps(json.loads(MODEL.model_dump_json()) | changes), encoding="utf-8")

    with pytest.raises(SettingsError, match=why):
        read_ranking(path)


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.json cannot be read"):
        read_ranking(tmp_path / "none.json")
