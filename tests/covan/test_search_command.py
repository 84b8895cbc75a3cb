"""`covan search` ranks documents, one line a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import covan

pytestmark = pytest.mark.e5


def ranked(index: Path, folder: Path, questions: str, *options: object) -> list[dict[str, object]]:
    (folder / "q.csv").write_text(questions, encoding="utf-8")
    result = covan(
        "search", "--index", index, "--questions", folder / "q.csv", "--out", folder / "r.jsonl", *options
    )
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in (folder / "r.jsonl").read_text(encoding="utf-8").splitlines()]


def test_documents_are_ranked_by_their_best_passage(school_index: Path, tmp_path: Path) -> None:
    lines = ranked(
        school_index, tmp_path, "id,question\na,nuôi mèo trong ký túc xá\nb,lệ phí phúc khảo bài thi\n"
    )

    assert [line.keys() for line in lines] == [{"id", "ranking"}] * 2
    assert [line["id"] for line in lines] == ["a", "b"]
    assert [line["ranking"][0] for line in lines] == ["noi-quy-ktx", "quy-che-2025"]  # type: ignore[index]
    for line in lines:
        ranking = line["ranking"]
        assert isinstance(ranking, list)
        assert len(ranking) == len(set(ranking)) == 7


def test_k_is_how_many(school_index: Path, tmp_path: Path) -> None:
    (line,) = ranked(school_index, tmp_path, "id,question\na,học phí\n", "-k", 2)

    assert len(line["ranking"]) == 2  # type: ignore[arg-type]


def test_a_question_that_says_nothing_finds_nothing(school_index: Path, tmp_path: Path) -> None:
    assert ranked(school_index, tmp_path, "id,question\na,???\n") == [{"id": "a", "ranking": []}]


@pytest.mark.parametrize("k", ["0", "-1", "x"])
def test_a_bad_k_is_refused(school_index: Path, tmp_path: Path, k: str) -> None:
    (tmp_path / "q.csv").write_text("id,question\na,b\n", encoding="utf-8")
    files = ("--questions", tmp_path / "q.csv", "--out", tmp_path / "r.jsonl")

    result = covan("search", "--index", school_index, *files, "-k", k)

    assert result.exit_code == 2
    assert "Traceback" not in result.output
