"""`covan calibrate`: labelled questions in, a threshold that keeps the chosen risk out, and a report that says why."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command_line import covan

from covan.calibrating.observe import read_observations
from rag.decide.calibration import calibration_file, load_calibration

pytestmark = pytest.mark.e5

HOSTILE = "<script>alert(1)</script> Xin bảng điểm ở đâu?"

QUESTIONS = f"""\
id,question,cohort,topic,decision,source
1,Xin bảng điểm ở đâu?,,study,answer,study-transcript
2,Chuẩn ngoại ngữ để tốt nghiệp là gì?,,language,clarify,cohort
3,Thời tiết hôm nay thế nào?,,,no_answer,
4,đóng tiền học trễ nhất hôm nào vậy,,tuition,answer,study-card
5,{HOSTILE},,study,answer,study-transcript
6,Mất thẻ sinh viên thì làm lại ở đâu?,,study,answer,study-card
7,Giá phòng ký túc xá là bao nhiêu?,,dormitory,answer,dormitory-fee
"""
LENIENT = ("--risk", 0.5, "--delta", 0.5)
"""With these, the few questions of a test can certify something."""


@pytest.fixture
def index(school_index: Path, tmp_path: Path) -> Path:
    """A copy that a test may calibrate."""
    return Path(shutil.copytree(school_index, tmp_path / "index"))


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "q.csv"
    path.write_text(QUESTIONS, encoding="utf-8")
    return path


def test_a_threshold_is_chosen_kept_and_explained(index: Path, questions: Path, tmp_path: Path) -> None:
    result = covan("calibrate", "--questions", questions, "--index", index, *LENIENT, "--out", tmp_path / "r")

    assert result.exit_code == 0, result.output
    kept = load_calibration(index, "covan")
    assert kept is not None
    assert kept.threshold is not None
    assert (kept.risk, kept.delta, kept.counts.questions) == (0.5, 0.5, 7)
    assert "of those at most 50 % wrong with 50 % confidence" in result.stdout
    record = json.loads((tmp_path / "r" / "calibration-covan.json").read_text(encoding="utf-8"))
    assert record["calibration"] == json.loads(kept.model_dump_json())
    assert record["coverage"] == kept.counts.answered / 7


def test_the_report_can_be_looked_at_safely(index: Path, questions: Path, tmp_path: Path) -> None:
    """A labelled question is text of a stranger."""
    covan("calibrate", "--questions", questions, "--index", index, *LENIENT, "--out", tmp_path / "r")

    page = (tmp_path / "r" / "calibration-covan.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "<script" not in page
    assert "đóng tiền học trễ nhất hôm nào vậy" in page


def test_what_was_seen_can_be_read_again(index: Path, questions: Path, tmp_path: Path) -> None:
    covan("calibrate", "--questions", questions, "--index", index, *LENIENT, "--out", tmp_path / "r")

    observations = {o.id: o for o in read_observations([tmp_path / "r" / "observations-covan.jsonl"])}
    assert observations["1"].right
    assert observations["1"].source is not None
    assert observations["1"].signals
    assert not observations["4"].right
    assert not observations["3"].right, "to answer what should be refused is wrong"
    assert observations["2"].source is None, "it asks back, whatever the gate says"


def test_too_few_questions_are_told_and_the_bot_is_silent(
    index: Path, questions: Path, tmp_path: Path
) -> None:
    result = covan("calibrate", "--questions", questions, "--index", index, "--out", tmp_path)

    assert result.exit_code == 1
    assert "answers nothing on its own" in result.stdout
    assert "at least 45" in result.stdout
    kept = load_calibration(index, "covan")
    assert kept is not None
    assert kept.threshold is None


def test_trying_out_changes_nothing(index: Path, questions: Path, tmp_path: Path) -> None:
    result = covan(
        "calibrate", "--questions", questions, "--index", index, *LENIENT, "--out", tmp_path, "--dry-run"
    )

    assert result.exit_code == 0, result.output
    assert "Nothing was changed" in result.stdout
    assert load_calibration(index, "covan") is None


def test_removing_goes_back_to_the_shipped_threshold(index: Path, questions: Path, tmp_path: Path) -> None:
    covan("calibrate", "--questions", questions, "--index", index, *LENIENT, "--out", tmp_path)

    result = covan("calibrate", "--index", index, "--remove")

    assert result.exit_code == 0
    assert "shipped threshold" in result.stdout
    assert load_calibration(index, "covan") is None
    assert "no calibration to remove" in covan("calibrate", "--index", index, "--remove").stdout


def test_a_damaged_calibration_can_be_removed(index: Path) -> None:
    """The command that mends a damaged file works beside it."""
    path = calibration_file(index, "covan")
    path.parent.mkdir()
    path.write_text("{", encoding="utf-8")

    assert covan("calibrate", "--index", index, "--remove").exit_code == 0
    assert load_calibration(index, "covan") is None


def test_repeated_questions_are_warned_of(index: Path, questions: Path, tmp_path: Path) -> None:
    questions.write_text(
        QUESTIONS + "8,xin bang diem o dau,,study,answer,study-transcript\n", encoding="utf-8"
    )

    result = covan("calibrate", "--questions", questions, "--index", index, *LENIENT, "--out", tmp_path)

    assert "Warning: 1 of the questions repeat" in result.stdout


def test_labels_of_nothing_are_warned_of(index: Path, questions: Path) -> None:
    questions.write_text(QUESTIONS.replace("answer,study-card", "answer,study-crad"), encoding="utf-8")

    result = covan("calibrate", "--questions", questions, "--index", index, *LENIENT, "--dry-run")

    assert "Warning: q.csv:5: source 'study-crad': the school has nothing of that name" in result.stdout
    assert "Warning: q.csv:7: source 'study-crad'" in result.stdout
    assert result.stdout.count("Warning") == 2


def test_too_little_to_fit_is_told(index: Path, questions: Path, tmp_path: Path) -> None:
    result = covan("calibrate", "--questions", questions, "--index", index, "--fit", "--out", tmp_path)

    assert result.exit_code == 2
    assert "too few answers to fit" in result.stderr
    assert load_calibration(index, "covan") is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "--questions"),
        (("--questions", "none.csv"), "none.csv"),
        (("--remove", "--index", "nowhere"), "no index"),
        (("--questions", "q.csv", "--risk", 0), "--risk"),
    ],
)
def test_what_cannot_be_done_is_told(
    arguments: tuple[object, ...], told: str, questions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(questions.parent)

    result = covan("calibrate", *arguments)

    assert result.exit_code == 2
    assert told in result.stderr


def test_probabilities_fitted_anew_are_kept_with_the_threshold(index: Path, tmp_path: Path) -> None:
    asked = [
        "Xin bảng điểm ở đâu?",
        "Giá phòng ký túc xá là bao nhiêu?",
        "Mất thẻ sinh viên thì làm lại ở đâu?",
    ]
    rows = [
        f"{n},em hỏi lần {n}: {asked[n % 3]},,,answer,{'study-transcript' if n % 2 else 'dormitory-fee'}"
        for n in range(150)
    ]
    path = tmp_path / "many.csv"
    path.write_text("\n".join(["id,question,cohort,topic,decision,source", *rows]) + "\n", encoding="utf-8")

    result = covan("calibrate", "--questions", path, "--index", index, "--fit", "--out", tmp_path)

    assert result.exit_code in (0, 1), result.output
    kept = load_calibration(index, "covan")
    assert kept is not None
    assert kept.fitted
    assert kept.models.by_source
    assert 40 < kept.counts.questions < 110, "the other half was fitted on"
