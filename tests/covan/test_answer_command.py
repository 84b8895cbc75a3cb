"""`covan answer` keeps the batch contract of the architecture, so that anybody can score it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import covan

pytestmark = pytest.mark.e5

CONTRACT = {"id", "decision", "tier", "answer", "citations", "options", "confidence", "latency_ms"}

QUESTIONS = """\
id,question,cohort,major,program
faq,Xin bảng điểm ở đâu?,,,
document,Lệ phí phúc khảo một bài thi là bao nhiêu?,,,
asks,Chuẩn ngoại ngữ để tốt nghiệp là gì?,,,
known,Chuẩn ngoại ngữ để tốt nghiệp là gì?,49,,
none,Thời tiết hôm nay thế nào?,,,
foreign,Học phí Đại học Bách khoa Hà Nội là bao nhiêu?,,,
emoji,😀,,,
command,/restart,,,
"""


@pytest.fixture(scope="module")
def lines(school_index: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("answer")
    (folder / "q.csv").write_text(QUESTIONS, encoding="utf-8")
    result = covan(
        *("answer", "--index", school_index, "--questions", folder / "q.csv", "--out", folder / "a.jsonl")
    )
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    read = [json.loads(line) for line in (folder / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in read] == [row.split(",")[0] for row in QUESTIONS.splitlines()[1:]]
    return {line["id"]: line for line in read}


def test_every_line_has_the_keys_of_the_contract_in_their_types(lines: dict[str, dict[str, Any]]) -> None:
    for line in lines.values():
        assert line.keys() >= CONTRACT
        assert line["decision"] in ("answer", "clarify", "no_answer")
        assert line["tier"] in ("faq", "graph", "document", "none")
        assert isinstance(line["answer"], str)
        assert 0 <= line["confidence"] <= 1
        assert line["latency_ms"] >= 0
        for citation in line["citations"]:
            assert citation.keys() >= {"document_id", "title", "locator", "quote"}
        for option in line["options"]:
            assert option.keys() >= {"title", "payload"}


def test_decisions(lines: dict[str, dict[str, Any]]) -> None:
    assert {name: line["decision"] for name, line in lines.items() if name != "command"} == {
        "faq": "answer",
        "document": "answer",
        "asks": "clarify",
        "known": "answer",
        "none": "no_answer",
        "foreign": "no_answer",
        "emoji": "no_answer",
    }


def test_answers_and_where_they_stand(lines: dict[str, dict[str, Any]]) -> None:
    assert (lines["faq"]["tier"], lines["document"]["tier"]) == ("faq", "document")
    assert "30.000 đồng" in lines["document"]["answer"]
    assert lines["document"]["citations"][0]["document_id"] == "quy-che-2025"
    assert "TOEIC 600" in lines["known"]["answer"]
    assert {option["payload"]["cohort"] for option in lines["asks"]["options"]} == {"46", "47", "48", "49"}
    for name in ("asks", "none", "foreign", "emoji"):
        assert (lines[name]["answer"], lines[name]["citations"]) == ("", [])


def test_a_bad_line_is_named_and_nothing_written(school_index: Path, tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("id,question\n1,Gì?\n1,Gì nữa?\n,Sao?\n", encoding="utf-8")

    result = covan(
        *("answer", "--index", school_index, "--questions", tmp_path / "q.csv", "--out", tmp_path / "a.jsonl")
    )

    assert result.exit_code == 2
    assert "q.csv:3" in result.stderr
    assert "q.csv:4" in result.stderr
    assert "Traceback" not in result.output
    assert not (tmp_path / "a.jsonl").exists()


def test_every_profile_that_the_school_does_not_have_is_named(school_index: Path, tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text(
        "id,question,cohort,major\none,Học phí?,K99,\ntwo,Học phí?,K49,\nthree,Học phí?,,xyz\n",
        encoding="utf-8",
    )
    result = covan(
        *("answer", "--index", school_index, "--questions", tmp_path / "q.csv", "--out", tmp_path / "a.jsonl")
    )

    assert result.exit_code == 2
    told = " ".join(result.stderr.split())
    assert "question one: there is no cohort 'K99'" in told
    assert "question three: there is no major 'xyz'" in told
    assert "question two" not in told
    assert not (tmp_path / "a.jsonl").exists()
