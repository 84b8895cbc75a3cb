"""`covan ask` prints a readable answer with its source, or names the missing values."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
import yaml
from campus_school import write_campus_school
from command_line import covan
from pydantic_core import to_json
from rich.console import Console

from covan.commands.ask import LOCALES, show
from rag.types import DOCUMENT_SOURCE, Decision, DecisionKind, Option, Reason, Reply, Trace
from school.catalog import Catalog

pytestmark = pytest.mark.e5


def test_an_answer_with_its_source(school_index: Path) -> None:
    result = covan("ask", "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?", "--index", school_index)

    assert result.exit_code == 0
    told = " ".join(result.stdout.split())
    assert "tối đa 25 tín chỉ" in told
    assert "Quy chế học vụ năm 2025 (số 45/QĐ-ĐHSM), Điều 1, khoản 1" in told


def test_a_question_back_with_what_to_add(school_index: Path) -> None:
    result = covan("ask", "Chuẩn ngoại ngữ để tốt nghiệp là gì?", "--index", school_index)

    assert result.exit_code == 0
    for cohort in range(46, 50):
        assert f"Khóa {cohort}  (--cohort {cohort})" in result.stdout


def test_with_it_the_question_is_answered(school_index: Path) -> None:
    result = covan("ask", "Chuẩn ngoại ngữ để tốt nghiệp là gì?", "--cohort", "49", "--index", school_index)

    assert "TOEIC 600" in result.stdout


@pytest.mark.parametrize("typed", ["K49", "khóa 49", "49"])
def test_a_cohort_may_be_given_as_people_write_it(school_index: Path, typed: str) -> None:
    result = covan("ask", "Chuẩn ngoại ngữ để tốt nghiệp là gì?", "--cohort", typed, "--index", school_index)

    assert "TOEIC 600" in result.stdout


def test_a_cohort_that_the_school_does_not_have_is_named(school_index: Path) -> None:
    result = covan("ask", "Chuẩn ngoại ngữ?", "--cohort", "K99", "--index", school_index)

    assert result.exit_code == 2
    assert "there is no cohort 'K99'; there are: 46, 47, 48, 49" in " ".join(result.stderr.split())


def test_a_dimension_that_the_school_does_not_have_is_named(school_index: Path) -> None:
    result = covan("ask", "Chuẩn ngoại ngữ?", "--campus", "1", "--index", school_index)

    assert result.exit_code == 2
    assert "the school has no dimension 'campus'; there are: cohort, program, major" in " ".join(
        result.stderr.split()
    )


@pytest.mark.parametrize("words", [("Học phí?", "--cohort"), ("Học phí?", "Ở đâu?"), ("--cohort", "47")])
def test_other_words_than_one_question_and_values_are_refused(
    school_index: Path, words: tuple[str, ...]
) -> None:
    result = covan("ask", "--index", school_index, *words)

    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_no_answer_is_said_plainly(school_index: Path) -> None:
    result = covan("ask", "Thời tiết hôm nay thế nào?", "--index", school_index)

    assert result.exit_code == 0
    assert result.stdout.strip()
    assert "TOEIC" not in result.stdout


def test_every_question_of_a_message_has_its_own_answer(school_index: Path) -> None:
    both = "Xin bảng điểm ở đâu? Trời hôm nay nắng hay mưa vậy?"
    result = covan("ask", both, "--index", school_index)

    first, _, second = result.stdout.partition("Trời hôm nay nắng hay mưa vậy?\n")
    assert first.startswith("Xin bảng điểm ở đâu?\n")
    assert "nhận sau hai ngày" in first
    assert "Mình chưa tìm thấy câu trả lời" in second

    reply = json.loads(covan("ask", both, "--json", "--index", school_index).stdout)
    assert [part["decision"]["kind"] for part in reply["parts"]] == ["answer", "no_answer"]


@pytest.mark.parametrize(
    ("reason", "unnamed", "said"),
    [
        (Reason.UNDERSPECIFIED, ("ngành",), "Bạn muốn hỏi về ngành nào?"),
        (Reason.TOO_BROAD, (), "Câu hỏi hơi rộng"),
        (Reason.SEVERAL_READINGS, (), "Bạn muốn hỏi điều nào dưới đây?"),
    ],
)
def test_what_is_asked_back_is_said_with_what_it_may_be(
    reason: Reason, unnamed: tuple[str, ...], said: str
) -> None:
    asked = Reply(
        decision=Decision(DecisionKind.CLARIFY, (reason,), unnamed=unnamed),
        source=DOCUMENT_SOURCE,
        text="",
        citations=(),
        options=(Option("Điều 3. Rút học phần", {"passage": "a#1"}), Option("Học phí?", {"faq": "b"})),
        confidence=0.9,
        trace=Trace("?", "covan", "1"),
    )
    console = Console(record=True, width=200, file=StringIO())
    say = yaml.safe_load((LOCALES / "vi.yml").read_text(encoding="utf-8"))["ask"]
    show(asked, console, say, Catalog())

    told = console.export_text()
    assert said in told
    assert "  • Điều 3. Rút học phần\n  • Học phí?\n" in told
    decision = json.loads(to_json(asked))["decision"]
    assert (decision["kind"], decision["unnamed"]) == ("clarify", list(unnamed))


def test_small_talk_is_no_failed_search(school_index: Path) -> None:
    result = covan("ask", "bạn là ai vậy", "--index", school_index)

    assert "trợ lý tự động" in result.stdout
    assert "Mình chưa tìm thấy" not in result.stdout


def test_json_has_the_whole_reply(school_index: Path) -> None:
    result = covan("ask", "Xin bảng điểm ở đâu?", "--json", "--index", school_index)

    reply = json.loads(result.stdout)
    assert reply["decision"]["kind"] == "answer"
    assert reply["source"] == "faq"
    assert reply["text"] == "Bạn xin bảng điểm ở Phòng Đào tạo, nhận sau hai ngày."
    assert {"signals", "thresholds", "candidates", "stages_ms", "index_version"} <= reply["trace"].keys()
    assert reply["trace"]["candidates"][0]["item"]["id"] == "study-transcript"


@pytest.mark.parametrize("text", ["", "😀", "a" * 50_000, "[bold]x[/nope]", "\ufdfa" * 1000])
def test_any_text_is_answered_without_a_traceback(school_index: Path, text: str) -> None:
    for extra in ([], ["--json"]):
        result = covan("ask", text, "--index", school_index, *extra)

        assert result.exit_code == 0, result.output
        assert "Traceback" not in result.output


def test_without_an_index_it_says_what_to_run(tmp_path: Path) -> None:
    result = covan("ask", "Học phí?", "--index", tmp_path / "gone")

    assert result.exit_code == 2
    assert "covan index" in result.stderr
    assert "Traceback" not in result.output


def test_an_unknown_preset_is_named(school_index: Path) -> None:
    result = covan("ask", "Học phí?", "--index", school_index, "--preset", "covann")

    assert result.exit_code == 2
    assert "'covann'" in result.stderr


def test_a_dimension_of_the_school_is_an_option(tmp_path: Path) -> None:
    folder, index = write_campus_school(tmp_path / "school"), tmp_path / "index"
    assert covan("index", folder, "--out", index).exit_code == 0
    question = "Thư viện mở cửa lúc mấy giờ?"

    asked = covan("ask", question, "--index", index)
    assert "Giờ giấc mỗi cơ sở một khác. Bạn học ở cơ sở nào?" in asked.stdout
    assert "Khu Trung Tâm  (--campus trung-tam)" in asked.stdout

    for given in (["--campus", "trung-tam"], ["--campus=Trung Tâm"]):
        assert "lúc 9 giờ" in covan("ask", *given, question, "--index", index).stdout
