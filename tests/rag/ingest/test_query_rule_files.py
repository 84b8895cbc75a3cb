"""The files `query_rules.yml` and `checked.yml`: what they say, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.errors import KnowledgeError, Problem
from rag.ingest.checked_questions import CheckedQuestion, load_checked
from rag.ingest.load import load_knowledge
from rag.types import QueryRule

RULES = """\
- question: Trường có cho vay tiền không?
  variants: [vay tien truong dc k]
  reply: no_answer
- question: Điều kiện tốt nghiệp là gì?
  reply: ask_back
  dimension: cohort
- question: Làm giấy tờ ở đâu?
  reply: ask_back
  entries: [study-card, study-transcript]
"""


def test_the_rules_of_a_folder_are_read(school: Path) -> None:
    (school / "query_rules.yml").write_text(RULES, encoding="utf-8")

    assert load_knowledge(school).rules == (
        QueryRule("Trường có cho vay tiền không?", ("vay tien truong dc k",)),
        QueryRule("Điều kiện tốt nghiệp là gì?", dimension="cohort"),
        QueryRule("Làm giấy tờ ở đâu?", entries=("study-card", "study-transcript")),
    )


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("reply: answer", r":2: .*reply"),
        ("reply: ask_back", r":1: .*needs either `dimension` or `entries`"),
        ("{reply: ask_back, dimension: cohort, entries: [study-card, study-transcript]}", "needs either"),
        ("{reply: ask_back, entries: [study-card]}", "at least two"),
        ("{reply: no_answer, dimension: cohort}", "without `reply: ask_back`"),
        ("{reply: ask_back, dimension: colour}", r"colour"),
        ("{reply: ask_back, entries: [study-card, study-transcripts]}", "did you mean 'study-transcript'"),
        ("{answer: Có}", "unknown key 'answer'"),
    ],
)
def test_a_faulty_rule_is_told_with_its_place(school: Path, rule: str, says: str) -> None:
    fields = rule.strip("{}").replace(", dim", "\n  dim").replace(", ent", "\n  ent")
    text = f"- question: Làm giấy tờ ở đâu?\n  {fields}\n"
    (school / "query_rules.yml").write_text(text, encoding="utf-8")

    with pytest.raises(KnowledgeError, match=rf"query_rules\.yml.*{says}"):
        load_knowledge(school)


def test_a_question_has_one_rule(school: Path) -> None:
    text = f"{RULES}- question: ad ơi truong co cho vay tien khong ạ\n  reply: no_answer\n"
    (school / "query_rules.yml").write_text(text, encoding="utf-8")

    with pytest.raises(KnowledgeError, match=r"query_rules\.yml:10: .*has a rule already \(line 1\)"):
        load_knowledge(school)


def test_checked_questions_may_want_a_refusal_or_a_question_back(school: Path) -> None:
    path = school / "checked.yml"
    path.write_text(
        "- {question: Cổng đóng lúc nào?, entry: study-card}\n"
        + RULES.replace("  variants: [vay tien truong dc k]\n", ""),
        encoding="utf-8",
    )
    problems: list[Problem] = []

    checked = load_checked(path, None, problems)

    assert problems == []
    assert checked == (
        CheckedQuestion("Cổng đóng lúc nào?", "study-card"),
        CheckedQuestion("Trường có cho vay tiền không?"),
        CheckedQuestion("Điều kiện tốt nghiệp là gì?", dimension="cohort"),
        CheckedQuestion("Làm giấy tờ ở đâu?", entries=("study-card", "study-transcript")),
    )
    load_knowledge(school)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ("", r":1: .*needs either `entry`"),
        ("  entry: study-card\n  reply: no_answer\n", "needs either `entry`"),
        ("  reply: ask_back\n  entries: [study-card, nobody]\n", "nobody"),
        ("  reply: ask_back\n  dimension: colour\n", "colour"),
    ],
)
def test_a_faulty_checked_question_is_told_with_its_place(school: Path, fields: str, says: str) -> None:
    (school / "checked.yml").write_text(f"- question: Hỏi gì?\n{fields}", encoding="utf-8")

    with pytest.raises(KnowledgeError, match=rf"checked\.yml.*{says}"):
        load_knowledge(school)
