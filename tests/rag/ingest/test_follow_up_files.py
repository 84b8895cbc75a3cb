"""The files `follow_ups/*.yml`: what they say, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.errors import KnowledgeError
from rag.ingest.load import load_knowledge
from rag.types import FollowUp

FOLLOW_UPS = """\
- after: study-card
  said: [bao lau co, "mất phí ko"]
  entries: [study-card]
- after: study-card
  said: in màu hồng dc ko
"""


def write(school: Path, text: str) -> None:
    for file in (school / "follow_ups").iterdir():
        file.unlink()
    (school / "follow_ups/study.yml").write_text(text, encoding="utf-8")


def test_each_message_counts_by_itself_and_once(school: Path) -> None:
    write(school, f"{FOLLOW_UPS}{FOLLOW_UPS}")

    assert load_knowledge(school).follow_ups == (
        FollowUp("study-card", "bao lau co", ("study-card",)),
        FollowUp("study-card", "mất phí ko", ("study-card",)),
        FollowUp("study-card", "in màu hồng dc ko"),
    )


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ("{after: study-card}", r":1: .*said"),
        ("{after: study-card, said: [], entries: []}", r"said"),
        ("{said: [bao lau]}", r":1: .*after"),
        ("{after: study-card, said: [a b], entry: study-card}", "unknown key 'entry'"),
        ("just text", "study.yml"),
    ],
)
def test_a_faulty_one_is_told_with_its_place(school: Path, record: str, says: str) -> None:
    write(school, f"- {record}\n")

    with pytest.raises(KnowledgeError, match=rf"follow_ups/study\.yml.*{says}|follow_ups/{says}"):
        load_knowledge(school)


@pytest.mark.parametrize(
    "fields", ["after: study-crad, said: [a b]", "after: study-card, said: [a b], entries: [study-crad]"]
)
def test_one_whose_entry_is_gone_is_left_out_with_a_warning(school: Path, fields: str) -> None:
    write(school, f"- {{{fields}}}\n")
    knowledge = load_knowledge(school)

    assert knowledge.follow_ups == ()
    (warning,) = (one for one in knowledge.warnings if one.file == "follow_ups/study.yml")
    assert "study-card" in str(warning)
