"""`covan eval` measures the claims of a suite, and fails when one does not hold."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from command_line import SMALL_SCHOOL, covan

from covan.commands.eval import called, presets_to_run
from covan.project import ROOT
from rag.pipeline import PRESETS
from rag.settings import settings

QUESTIONS = """\
id,question,cohort,major,program,topic,decision,source
1,Xin bảng điểm ở đâu?,,,,study,answer,study-transcript
2,Chuẩn ngoại ngữ để tốt nghiệp là gì?,,,,language,clarify,cohort
3,Thời tiết hôm nay thế nào?,,,,,no_answer,
4,Hạn đóng học phí là ngày nào?,,,,tuition,answer,study-card
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports go where the command is called."""
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")


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
    assert "câu hỏi 7" in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.e5
def test_presets_are_set_side_by_side_in_the_terminal_the_json_and_the_report(
    suite: Path, school_index: Path, tmp_path: Path
) -> None:
    compare = ("--compare", "urag", "--compare", "covan", "--out", tmp_path / "reports")

    result = covan("eval", suite, "--index", school_index, "--json", *compare)

    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert list(figures["presets"]) == ["covan", "urag"]
    assert figures["presets"]["covan"]["accuracy"] == figures["accuracy"] == 0.75
    written = [path.name for path in sorted((tmp_path / "reports").iterdir())]
    assert written == ["suite-covan-compared.html", "suite-covan-compared.json"]

    result = covan("eval", suite, "--index", school_index, *compare)

    assert "Side by side" in result.stdout
    assert "covan alone is right on" in result.stdout


@pytest.mark.e5
def test_another_preset_can_be_measured_and_one_that_is_none_is_told(
    suite: Path, school_index: Path, tmp_path: Path
) -> None:
    described = yaml.safe_load((PRESETS / "covan.yml").read_text(encoding="utf-8"))
    for rule in described["sources"]:
        rule["gate"] = {"rule": "thresholds", "similarity": 1.0, "margin": 1.0, "topic": 0.0}
    (tmp_path / "strict.yml").write_text(yaml.safe_dump(described), encoding="utf-8")

    strict = ("--preset", tmp_path / "strict.yml", "--out", tmp_path)
    result = covan("eval", suite, "--index", school_index, "--json", *strict)

    assert result.exit_code == 1
    assert json.loads(result.stdout)["answered"] == 0
    assert (tmp_path / "suite-strict.html").is_file()

    result = covan("eval", suite, "--index", school_index, "--compare", "urgg", "--out", tmp_path)

    assert result.exit_code == 2
    assert "'urgg'" in result.stderr


@pytest.mark.e5
def test_questions_from_outside_with_an_index_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, here = tmp_path / "data", tmp_path / "here"
    (data / "set").mkdir(parents=True)
    here.mkdir()
    passages = [
        {"id": "p1", "text": "Học phí nộp trước ngày 15 tháng 9."},
        {"id": "p2", "text": "Thư viện mở cửa từ 7 giờ đến 21 giờ mỗi ngày."},
    ]
    lines = "\n".join(json.dumps(passage, ensure_ascii=False) for passage in passages)
    (data / "set" / "passages.jsonl").write_text(lines, encoding="utf-8")
    (data / "set" / "q.csv").write_text("id,question,passage_id\n1,Thư viện mở cửa mấy giờ?,p2\n", "utf-8")
    described = {
        "title": "Outside",
        "origin": "somebody's",
        "knowledge": "set/passages.jsonl",
        "questions": "set/q.csv",
        "undiacritised": True,
        "at_least": {"P@1": 1},
        "at_most": {"undiacritised.loss": 0},
    }
    (here / "outside.yml").write_text(yaml.safe_dump(described), encoding="utf-8")
    monkeypatch.chdir(here)
    monkeypatch.setenv("COVAN_EVAL_DATA", str(data))
    settings.cache_clear()

    result = covan("eval", "outside.yml")

    assert result.exit_code == 0, result.output
    assert (here / ".covan" / "eval" / "set-passages.jsonl" / "CURRENT").is_file()
    assert (here / ".covan" / "reports" / "outside-covan.html").is_file()
    assert "current" in covan("eval", "outside.yml").stderr


def test_questions_from_outside_without_their_place_are_told(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COVAN_EVAL_DATA", raising=False)
    describe(suite, origin="somebody's")

    result = covan("eval", suite)

    assert result.exit_code == 2
    assert "--data DIR" in result.stderr


def test_the_suites_preset_comes_first_and_none_twice() -> None:
    every = sorted(file.stem for file in PRESETS.glob("*.yml"))

    assert presets_to_run("covan", []) == ["covan"]
    assert presets_to_run("covan", ["urag", "covan", "urag"]) == ["covan", "urag"]
    assert presets_to_run("own.yml", ["all"]) == ["own.yml", *every]
    assert {"covan", "urag", "urasys"} <= set(every)


def test_presets_are_called_by_name_unless_two_would_be_one() -> None:
    assert called(["covan", "made/strict.yml"]) == ["covan", "strict"]
    assert called(["covan", "made/covan.yml", "urag"]) == ["covan", "made/covan.yml", "urag"]


def test_help_needs_neither_plots_nor_models() -> None:
    code = (
        "import sys; from covan.commands import eval; "
        "print([n for n in ('matplotlib', 'lightgbm', 'sklearn', 'jinja2') if n in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)

    assert done.stdout.strip() == "[]"
