"""The school's own example messages, in Rasa's NLU format."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.errors import KnowledgeError
from rag.ingest.load import load_knowledge

GOOD = """
version: "3.1"
nlu:
  - intent: ask_study
    examples: |
      - cảnh báo học vụ là gì
      - "em [k47](cohort) đăng ký môn"
      - {cohort} đăng ký môn khi nào
  - intent: greet
    examples: |
      - hế lô
"""


def write(school: Path, text: str, name: str = "own.yml") -> None:
    (school / "nlu").mkdir(exist_ok=True)
    (school / "nlu" / name).write_text(text, encoding="utf-8")


def test_examples_are_read_by_intent_without_marks_of_entities(school: Path) -> None:
    write(school, GOOD)

    assert load_knowledge(school).nlu == {
        "ask_study": ("cảnh báo học vụ là gì", "em k47 đăng ký môn", "{cohort} đăng ký môn khi nào"),
        "greet": ("hế lô",),
    }


def test_files_are_read_together(school: Path) -> None:
    write(school, "nlu:\n- intent: greet\n  examples: |\n    - a lô\n", "a.yml")
    write(school, "nlu:\n- intent: greet\n  examples: |\n    - hế lô\n    - a lô\n", "b.yml")

    assert load_knowledge(school).nlu == {"greet": ("a lô", "hế lô")}


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("nlu:\n- intent: ask_stdy\n  examples: |\n    - a\n", 2, "did you mean 'ask_study'"),
        ("nlu:\n- intent: hand_over\n  examples: |\n    - a\n", 2, "no intent 'hand_over'"),
        ("nlu:\n- intent: greet\n  examples: |\n    - a\n    b\n", 5, "begins with '- '"),
        ("nlu:\n- intent: greet\n", 2, "'nlu[1].examples' is missing"),
        ("nlu:\n- intent: greet\n  examples: [a]\n", 3, "must be text"),
        ("nlu: [\n", 2, "broken YAML"),
    ],
)
def test_a_fault_is_told_with_its_line(school: Path, text: str, line: int, said: str) -> None:
    write(school, text)

    with pytest.raises(KnowledgeError) as told:
        load_knowledge(school)

    [problem] = told.value.problems
    assert (problem.file, problem.line) == ("nlu/own.yml", line)
    assert said in problem.message


def test_a_place_for_no_dimension_is_a_warning_with_its_line(school: Path) -> None:
    write(school, "nlu:\n- intent: greet\n  examples: |\n    - em {major} {bot}\n    - em {majr2}\n")

    [warning] = [each for each in load_knowledge(school).warnings if each.file == "nlu/own.yml"]
    assert warning.line == 5
    assert "'majr'; did you mean 'major'" in str(warning)
