"""The searched text of a passage has more words than the shown text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag.ingest.enrich import MAX_HEADING_WORDS, article_terms, embedded_text, passage_terms
from rag.types import Passage
from school.abbreviations import Abbreviations

SHORT = Abbreviations({"KTX": "ký túc xá", "CVHT": "cố vấn học tập"})
PASSAGE = Passage(
    id="a#0",
    text="1. Hỏi CVHT.",
    document_id="a",
    title="Quy định",
    locator="Điều 1, khoản 1",
    context=("QUY ĐỊNH", "Chương I. CHUNG", "Điều 1. Ở KTX"),
)


def test_a_passage_is_embedded_behind_its_nearest_heading() -> None:
    assert embedded_text(PASSAGE, SHORT) == "Điều 1. Ở ký túc xá\n1. Hỏi cố vấn học tập."


def test_a_heading_that_is_a_page_long_is_not_embedded() -> None:
    long = " ".join(["dài"] * (MAX_HEADING_WORDS + 1))

    assert embedded_text(replace(PASSAGE, context=("Ngắn", long)), SHORT).startswith("Ngắn\n")
    assert embedded_text(replace(PASSAGE, context=(long,)), SHORT) == "1. Hỏi cố vấn học tập."


def test_a_heading_is_not_said_twice() -> None:
    passage = replace(PASSAGE, text="Nộp hồ sơ:\na) Đơn", context=("Nộp hồ sơ:",))

    assert embedded_text(passage, SHORT) == "Nộp hồ sơ:\na) Đơn"


@pytest.mark.parametrize("said", ["QUY ĐỊNH", "Chương I", "ký túc xá", "cố vấn học tập"])
def test_the_terms_of_a_passage_have_all_its_headings(said: str) -> None:
    assert said in passage_terms(PASSAGE, SHORT)


def test_the_terms_of_an_article_have_its_headings_once() -> None:
    other = replace(PASSAGE, id="a#1", text="2. Hỏi phòng.", context=(*PASSAGE.context, "Riêng"))

    terms = article_terms([PASSAGE, other], SHORT)

    assert terms.count("Chương I. CHUNG") == 1
    for said in ("Quy định", "Riêng", "1. Hỏi cố vấn học tập.", "2. Hỏi phòng."):
        assert said in terms


def test_what_is_shown_is_left_as_it_stands() -> None:
    embedded_text(PASSAGE, SHORT)
    passage_terms(PASSAGE, SHORT)

    assert PASSAGE.text == "1. Hỏi CVHT."
