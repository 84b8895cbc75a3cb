"""Bare names of values, in everyday spelling."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.ingest.load import load_knowledge
from rag.query.bare_names import BareNames

KNOWLEDGE = Path(__file__).parents[3] / "knowledge"


@pytest.fixture(scope="module")
def names() -> BareNames:
    return BareNames(load_knowledge(KNOWLEDGE).catalog)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("xây dựng", "ngành Kỹ thuật xây dựng"),
        ("con xây dựng", "còn ngành Kỹ thuật xây dựng"),
        ("luật thì sao", "ngành Luật thì sao"),
        ("e ngành dược", "e ngành Dược học"),
        ("thế còn thú y", "thế còn ngành Thú y"),
        ("dược?", "ngành Dược học"),
        ("sinh học", "ngành Công nghệ sinh học"),
    ],
)
def test_a_bare_name_is_written_in_full(names: BareNames, typed: str, written: str) -> None:
    assert names.written_out(typed, "major") == written


@pytest.mark.parametrize(
    "typed",
    [
        "được",  # with its diacritics it is another word
        "có khi nào",
        "thông tin",  # the end of two names
        "học phí xây dựng",  # names a matter of its own
        "em muốn biết thêm về chuyện nộp hồ sơ ngành luật ở đâu",  # too long to be bare
        "cảm ơn",
        "",
    ],
)
def test_other_words_name_no_value(names: BareNames, typed: str) -> None:
    assert names.written_out(typed, "major") is None


def test_a_dimension_that_the_school_does_not_have_has_no_names(names: BareNames) -> None:
    assert names.written_out("luật", "campus") is None
