"""`covan eval` measures what is claimed, and fails when a claim is not kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from command_line import SMALL_SCHOOL, covan

from covan.commands.eval import read_suite
from covan.project import ROOT
from rag.errors import SettingsError

QUESTIONS = """\
id,question,cohort,major,program,topic,decision,source
1,Xin bảng điểm ở đâu?,,,,study,answer,study-transcript
2,Chuẩn ngoại ngữ để tốt nghiệp là gì?,,,,language,clarify,cohort
3,Thời tiết hôm nay thế nào?,,,,,no_answer,
4,Hạn đóng học phí là ngày nào?,,,,tuition,answer,study-card
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "q.csv").write_text(QUESTIONS, encoding="utf-8")
    return describe(tmp_path / "suite.yml", at_least={"accuracy": 0.7})


def describe(path: Path, **changed: object) -> Path:
    described = {"title": "Small", "knowledge": str(SMALL_SCHOOL), "questions": str(path.parent / "q.csv")}
    path.write_text(yaml.safe_dump(described | changed), encoding="utf-8")
    return path


@pytest.mark.e5
def test_figures_as_json(suite: Path, school_index: Path) -> None:
    result = covan("eval", suite, "--index", school_index, "--json")

    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert figures["accuracy"] == 0.75
    assert figures["answer.right"] == 0.5
    assert figures["clarify.right"] == figures["no_answer.right"] == 1


@pytest.mark.e5
def test_a_claim_that_is_not_kept_fails(suite: Path, school_index: Path) -> None:
    describe(suite, at_least={"accuracy": 0.76, "clarify.right": 1}, at_most={"latency_ratio.p50": 1000})

    result = covan("eval", suite, "--index", school_index)

    assert result.exit_code == 1
    verdicts = {line.split("│")[1].strip(): line for line in result.stdout.splitlines() if "│" in line}
    assert "FAIL" in verdicts["accuracy"]
    assert "OK" in verdicts["clarify.right"]
    assert "OK" in verdicts["latency_ratio.p50"]


@pytest.mark.e5
def test_a_claim_about_a_figure_that_there_is_not_fails(suite: Path, school_index: Path) -> None:
    """A misspelt name must not pass as a limit that was kept."""
    describe(suite, at_most={"latency_ratio.p55": 3})

    result = covan("eval", suite, "--index", school_index)

    assert result.exit_code == 1
    assert "latency_ratio.p55" in result.stderr


@pytest.mark.e5
def test_what_went_wrong_is_listed_with_its_harm(suite: Path, school_index: Path) -> None:
    result = covan("eval", suite, "--index", school_index, "--errors")

    assert "tuition-deadline" in result.stdout
    assert "yes" in result.stdout


@pytest.mark.e5
def test_a_decision_that_is_none_is_told(suite: Path, school_index: Path) -> None:
    (suite.parent / "q.csv").write_text("id,question,decision\n7,Gì?,maybe\n", encoding="utf-8")

    result = covan("eval", suite, "--index", school_index)

    assert result.exit_code == 2
    assert "question 7" in result.stderr
    assert "Traceback" not in result.output


def test_an_unknown_suite_is_told_with_those_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    with pytest.raises(SettingsError, match=r"'nothing'.*sample_school"):
        read_suite("nothing")


@pytest.mark.parametrize(
    "content", ["a: [", "title: x\n", "just words", "title: x\nknowledge: a\nquestions: b\nmore: c\n"]
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
    assert suite.questions.is_file()
    assert suite.knowledge.is_dir()
