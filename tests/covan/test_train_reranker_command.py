"""`covan train-reranker` keeps a school's own ranking only where it is better, and reports the choice."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import Result
from command_line import covan

from rag.rerank.ranking_model import (
    SHIPPED,
    WEIGHED,
    ranking_file,
    ranking_in_force,
    read_ranking,
    shipped_ranking,
)

pytestmark = pytest.mark.e5

DAYS = "Lớp A{} nộp bản sao chứng chỉ trước 30 ngày phải không?"
"""Thirty days are those of cohorts up to 48; the clause of later ones has the same words and another number."""


@pytest.fixture
def index(school_index: Path, tmp_path: Path) -> Path:
    """A copy that a test may train for."""
    return Path(shutil.copytree(school_index, tmp_path / "index"))


def train(index: Path, source: str, *options: object) -> Result:
    """Train with many classes that ask for the days, which all are said to be answered by `source`."""
    questions = index.parent / "q.csv"
    lines = [f"{number},{DAYS.format(number)},answer,{source}" for number in range(1, 101)]
    questions.write_text("id,question,decision,source\n" + "\n".join(lines), encoding="utf-8")
    return covan("train-reranker", "--index", index, "--questions", questions, *options)


def test_what_is_better_on_questions_not_seen_is_kept(index: Path) -> None:
    """The clause with the number ranks first; the labels teach that students mean the other one."""
    result = train(index, "ngoai-ngu-k49")

    assert result.exit_code == 0, result.output
    figures = dict(re.findall(r"^  (shipped model|adapted) +(0\.\d{4})", result.stdout, re.MULTILINE))
    assert float(figures["adapted"]) > float(figures["shipped model"])
    own = read_ranking(ranking_file(index))
    assert own.names == WEIGHED
    assert own.weights != shipped_ranking().weights
    assert ranking_in_force(index, own.embedder) == own
    assert "Written to" in result.stdout


def test_where_the_shipped_model_is_as_good_nothing_changes(index: Path) -> None:
    result = train(index, "ngoai-ngu-k48")

    assert result.exit_code == 1, result.output
    assert "not better by more than chance. Nothing was changed: the shipped model stays" in result.stdout
    assert not ranking_file(index).exists()


def test_remove_goes_back_to_the_shipped_model(index: Path) -> None:
    shutil.copy(SHIPPED, ranking_file(index))

    assert "Back to the shipped model." in covan("train-reranker", "--index", index, "--remove").stdout
    assert not ranking_file(index).exists()
    again = covan("train-reranker", "--index", index, "--remove")
    assert again.exit_code == 0
    assert "There was no model of its own to remove." in again.stdout


def test_too_few_questions_are_counted(index: Path) -> None:
    result = covan("train-reranker", "--index", index)

    assert result.exit_code == 2
    assert "too few questions to learn from: 2 have an answer" in result.stderr
    assert not ranking_file(index).exists()


def test_an_index_that_is_none(tmp_path: Path) -> None:
    for options in ((), ("--remove",)):
        result = covan("train-reranker", "--index", tmp_path / "nowhere", *options)

        assert result.exit_code == 2
        assert "there is no index in" in result.stderr


def test_another_place_leaves_the_index_alone(index: Path, tmp_path: Path) -> None:
    result = train(index, "ngoai-ngu-k49", "--out", tmp_path / "new" / "m.json")

    assert result.exit_code == 0, result.output
    assert read_ranking(tmp_path / "new" / "m.json").names == WEIGHED
    assert not ranking_file(index).exists()
