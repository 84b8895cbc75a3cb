"""Values of the catalogue that questions with an answer for each group of students have none for."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rag.errors import Problem
from rag.ingest.load import load_knowledge
from rag.messages import Message

KNOWLEDGE = Path(__file__).parents[3] / "knowledge"
NEW = "  - {id: logistics, name: Logistics, programs: [standard], years: 4}\n"


@pytest.fixture
def school(tmp_path: Path) -> Path:
    shutil.copytree(
        KNOWLEDGE, tmp_path / "school", ignore=shutil.ignore_patterns("vectors.npz", "calculators")
    )
    return tmp_path / "school"


def left_out(school: Path) -> list[tuple[Problem, Message]]:
    told = [(each, each.message) for each in load_knowledge(school).warnings]
    return [
        (each, message)
        for each, message in told
        if isinstance(message, Message) and message.key == "value_left_out"
    ]


def test_a_new_major_is_told_with_the_questions_that_have_no_answer_for_it(school: Path) -> None:
    catalog = school / "catalog.yml"
    lines = catalog.read_text(encoding="utf-8").splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if "{id: duoc," in line)
    catalog.write_text("".join([*lines[:place], NEW, *lines[place:]]), encoding="utf-8")

    [(problem, message)] = left_out(school)

    assert (problem.file, problem.line) == ("catalog.yml", place + 1)
    assert message.values["value"] == "Logistics"
    assert int(str(message.values["count"])) >= 10
    assert "Ngành của mình xét những tổ hợp nào?" in str(message.values["questions"])


def test_a_school_whose_questions_have_answers_for_all_is_told_nothing(school: Path) -> None:
    assert left_out(school) == []
