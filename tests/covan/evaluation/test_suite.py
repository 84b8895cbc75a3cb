"""A suite names its questions and its claims; a claim that cannot be checked fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from covan.evaluation.suite import Suite, claims, index_name, knowledge_folder, located, read_suite
from covan.project import ROOT
from rag.errors import SettingsError
from rag.ingest.load import load_knowledge


def test_an_unknown_suite_is_told_with_those_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    with pytest.raises(SettingsError, match=r"'nothing'.*sample_school"):
        read_suite("nothing")


@pytest.mark.parametrize(
    "content",
    [
        "a: [",
        "title: x\n",
        "just words",
        "title: x\nknowledge: a\nquestions: b\nmore: c\n",
        "title: x\nknowledge: a\nquestions: b\nlabels: stars\n",
    ],
)
def test_a_suite_that_is_wrong_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "own.yml").write_text(content, encoding="utf-8")

    with pytest.raises(SettingsError, match=r"own\.yml"):
        read_suite(str(tmp_path / "own.yml"))


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").glob("*.yml")), ids=lambda path: path.stem)
def test_every_suite_of_the_project_can_be_read_and_claims_something(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)

    suite = read_suite(path.stem)

    assert suite.at_least
    assert suite.command.startswith(f"covan eval {path.stem}")
    assert ("--data" in suite.command) == (suite.origin is not None)
    if suite.origin is None:
        assert suite.questions.is_file()
        assert suite.knowledge.is_dir()


def outside(**changed: object) -> Suite:
    described = {"title": "x", "origin": "a data set", "knowledge": "set/docs", "questions": "set/q.csv"}
    return Suite.model_validate(described | changed)


def test_questions_from_outside_need_to_be_told_where(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"a data set.*--data DIR.*COVAN_EVAL_DATA"):
        located(outside(), None)
    with pytest.raises(SettingsError, match=r"set/docs is not there.*--data"):
        located(outside(), tmp_path)


def test_paths_of_outside_questions_are_inside_the_data(tmp_path: Path) -> None:
    (tmp_path / "set" / "docs").mkdir(parents=True)
    (tmp_path / "set" / "q.csv").touch()

    suite = located(outside(), tmp_path)

    assert suite.knowledge == tmp_path / "set" / "docs"
    assert suite.questions == tmp_path / "set" / "q.csv"


def test_paths_of_own_questions_do_not_depend_on_the_data(tmp_path: Path) -> None:
    (tmp_path / "q.csv").touch()
    suite = outside(origin=None, knowledge=tmp_path, questions=tmp_path / "q.csv")

    assert located(suite, tmp_path / "elsewhere") == suite


def test_a_single_file_of_documents_is_knowledge(tmp_path: Path) -> None:
    passages = tmp_path / "passages.jsonl"
    passages.write_text('{"id": "p1", "text": "Học phí nộp trước ngày 15."}\n', encoding="utf-8")
    (tmp_path / "questions.csv").write_text("id,question\n", encoding="utf-8")

    with knowledge_folder(passages) as folder:
        knowledge = load_knowledge(folder)

    assert [document.meta.id for document in knowledge.documents] == ["p1"]
    assert knowledge.warnings == ()
    assert not folder.exists()


@pytest.mark.parametrize(
    ("knowledge", "name"),
    [
        ("knowledge", "knowledge"),
        ("set/passages.jsonl", "set-passages.jsonl"),
        ("../other/documents", "other-documents"),
        ("/srv/kho dữ liệu", "srv-kho-dữ-liệu"),
        (".", "here"),
    ],
)
def test_suites_over_the_same_knowledge_share_an_index(knowledge: str, name: str) -> None:
    assert index_name(Path(knowledge)) == name


def test_a_folder_is_knowledge_as_it_is(tmp_path: Path) -> None:
    with knowledge_folder(tmp_path) as folder:
        assert folder == tmp_path
    assert tmp_path.is_dir()


@pytest.mark.parametrize(
    ("measured", "kept"),
    [
        ({"accuracy": 0.8, "aurc": 0.1}, [True, True]),
        ({"accuracy": 0.79, "aurc": 0.11}, [False, False]),
        ({"accuracy": 0.9}, [True, False]),
        ({}, [False, False]),
        ({"accuracy": float("nan"), "aurc": float("nan")}, [False, False]),
    ],
)
def test_a_claim_is_kept_at_its_limit_and_broken_without_a_figure(
    measured: dict[str, float], kept: list[bool]
) -> None:
    suite = outside(at_least={"accuracy": 0.8}, at_most={"aurc": 0.1})

    assert [claim.kept for claim in claims(suite, measured)] == kept
