"""A table's row about one value of the student answers whoever has named that value, or asks which one it is."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from rag.engine import Engine
from rag.ingest.build import build_index
from rag.retrieve.embedder import load_embedder
from rag.types import DecisionKind, Question, Reply
from school.dimensions import Profile

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
TABLE = """---
title: "Quy định về số chỗ trong phòng thí nghiệm thực hành"
---

# Điều 1. Số chỗ trong phòng thí nghiệm thực hành

Số chỗ trong phòng thí nghiệm thực hành của từng ngành như sau:

| Ngành | Số chỗ trong phòng thí nghiệm thực hành |
|---|---|
| Công nghệ thông tin | 45 chỗ |
| Kế toán | 20 chỗ |
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("rows")
    school = Path(shutil.copytree(SMALL_SCHOOL, folder / "school"))
    (school / "documents" / "labs.md").write_text(TABLE, encoding="utf-8")
    embedder = load_embedder()
    build_index(school, folder / "index", embedder)
    return Engine.open(folder / "index", embedder=embedder, today=lambda: date(2026, 11, 1))


def reply(engine: Engine, text: str, **profile: str) -> Reply:
    return engine.reply(Question(text, profile=Profile(profile)))


def test_who_has_named_no_major_is_asked_for_it(engine: Engine) -> None:
    asked = reply(engine, "phòng thí nghiệm thực hành có bao nhiêu chỗ")

    assert (asked.decision.kind, asked.decision.missing) == (DecisionKind.CLARIFY, ("major",))


def test_whose_major_is_known_gets_its_row(engine: Engine) -> None:
    answer = reply(engine, "phòng thí nghiệm thực hành có bao nhiêu chỗ", major="cntt")

    assert answer.decision.kind is DecisionKind.ANSWER
    assert "Ngành: Công nghệ thông tin; Số chỗ trong phòng thí nghiệm thực hành: 45 chỗ" in answer.text


def test_who_asks_which_major_gets_the_rows(engine: Engine) -> None:
    answer = reply(engine, "phòng thí nghiệm thực hành của ngành nào có 45 chỗ")

    assert answer.decision.missing == ()
