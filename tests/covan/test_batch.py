"""Questions are read from CSV, every bad line named; answers appear when they are whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from covan.batch import Row, read_questions, write_lines
from rag.errors import CovanError, QuestionsError
from rag.types import Question


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    return tmp_path / "questions.csv"


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def problems(path: Path) -> list[tuple[int | None, str]]:
    with pytest.raises(QuestionsError) as caught:
        read_questions(path)
    assert all(problem.file == str(path) for problem in caught.value.problems)
    return [(problem.line, problem.message) for problem in caught.value.problems]


def test_questions_with_all_their_columns(csv: Path) -> None:
    write(csv, 'id,question,cohort,major,program,note\n1,"Học phí, bao nhiêu?",47,,clc,xem\n2, Ở đâu? ,,,,\n')

    first, second = read_questions(csv)

    assert first.id == "1"
    assert first.question == Question("Học phí, bao nhiêu?")
    assert {name: first.fields[name] for name in ("cohort", "major", "program", "note")} == {
        "cohort": "47",
        "major": "",
        "program": "clc",
        "note": "xem",
    }
    assert second.question == Question("Ở đâu?")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("id,question\r\n1,Gì?\r\n", "utf-8"),
        ("id,question\n1,Gì?\n", "utf-8-sig"),
        ("question,id\nGì?,1", "utf-8"),
        ("id,question\n\n1,Gì?\n\n", "utf-8"),
    ],
    ids=["Windows lines", "byte-order mark", "other order", "empty lines"],
)
def test_files_as_spreadsheets_write_them(csv: Path, text: str, encoding: str) -> None:
    assert [(row.id, row.question.text) for row in read_questions(write(csv, text, encoding))] == [
        ("1", "Gì?")
    ]


def test_every_bad_line_is_named(csv: Path) -> None:
    write(csv, 'id,question\n1,Gì?\n,Không có id?\n1,Trùng?\n4,\n5,"hai\ndòng?"\n6,  \n')

    found = problems(csv)

    assert [line for line, _ in found] == [3, 4, 5, 8]
    assert "'1'" in found[1][1]


def test_a_comma_outside_quotes_is_not_passed_over(csv: Path) -> None:
    """The rest of the question would be lost without a word."""
    ((line, message),) = problems(write(csv, "id,question\n1,Học phí?\n2,Học phí, bao nhiêu?\n"))

    assert line == 3
    assert "quotes" in message


@pytest.mark.parametrize("text", ["", "1,Gì?\n", "id;question\n1;Gì?\n", "id,text\n1,Gì?\n"])
def test_missing_columns_are_named(csv: Path, text: str) -> None:
    ((line, message),) = problems(write(csv, text))

    assert line == 1
    assert "question" in message


@pytest.mark.parametrize("content", ["Học phí?".encode("utf-16"), b"id,question\n1,\xff\xfe\n"])
def test_what_is_no_text_is_named(csv: Path, content: bytes) -> None:
    csv.write_bytes(content)

    with pytest.raises(CovanError, match=r"questions\.csv"):
        read_questions(csv)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CovanError, match=r"gone\.csv"):
        read_questions(tmp_path / "gone.csv")


def test_a_folder_is_no_file_of_questions(tmp_path: Path) -> None:
    with pytest.raises(CovanError, match=str(tmp_path)):
        read_questions(tmp_path)


def test_hostile_questions_are_read_as_they_are(csv: Path) -> None:
    long = "a" * 100_000
    write(csv, f'id,question\n1,{long}\n2,\U0001f600\n3,=HYPERLINK("x")\n4,"/restart"\n')

    assert [row.question.text for row in read_questions(csv)] == [
        *(long, "\U0001f600", '=HYPERLINK("x")', "/restart"),
    ]


# --- lines ----------------------------------------------------------------------------------------------------------

ROWS = [Row(str(number), Question("Gì?"), {}) for number in range(3)]


def test_one_json_object_a_row_in_order(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl"

    write_lines(ROWS, 3, out, lambda row: {"id": row.id, "answer": "Học phí\nlà \u2028"}, "Answering")

    lines = out.read_text(encoding="utf-8").split("\n")
    assert [json.loads(line)["id"] for line in lines[:-1]] == ["0", "1", "2"]
    assert lines[-1] == ""
    assert "Học phí" in lines[0]
    assert list(tmp_path.iterdir()) == [out]


def test_an_interrupted_run_leaves_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl"
    out.write_text("before\n")

    def break_off(row: Row) -> dict[str, str]:
        if row.id == "2":
            raise KeyboardInterrupt
        return {"id": row.id}

    with pytest.raises(KeyboardInterrupt):
        write_lines(ROWS, 3, out, break_off, "Answering")
    assert out.read_text() == "before\n"


def test_a_folder_to_write_into_is_made(tmp_path: Path) -> None:
    out = tmp_path / "runs" / "today" / "a.jsonl"

    write_lines(ROWS, 3, out, lambda row: {"id": row.id}, "Answering")

    assert len(out.read_text().splitlines()) == 3
