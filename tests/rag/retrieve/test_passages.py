"""Passages are ranked by meaning and by words; superseded versions take no place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from embedder_stand_in import EmbedderStandIn

from rag.index.format import Index
from rag.pipeline import load_pipeline
from rag.retrieve.passages import PassageRetriever
from rag.types import DOCUMENT_SOURCE, Candidate, Passage
from school.reader import Reader

Find = Callable[..., list[Candidate]]


@pytest.fixture(scope="module")
def found(index: Index, embedder: EmbedderStandIn, reader: Reader) -> Find:
    retriever = PassageRetriever(index, load_pipeline("covan").retrieval)

    def find(text: str, **options: object) -> list[Candidate]:
        question = reader.prepared(text)
        return retriever.retrieve(question, embedder.query(question.asked), **options)  # type: ignore[arg-type]

    return find


def locator(candidate: Candidate) -> tuple[str, str]:
    assert isinstance(candidate.item, Passage)
    return candidate.item.document_id, candidate.item.locator


@pytest.mark.parametrize(
    ("text", "document", "place"),
    [
        ("lệ phí phúc khảo một bài thi", "quy-che-2025", "Điều 3, khoản 2"),
        ("le phi phuc khao mot bai thi", "quy-che-2025", "Điều 3, khoản 2"),
        ("nuôi chó mèo trong ký túc xá", "noi-quy-ktx", "Điều 2"),
        ("HSK cấp 4 tương đương bậc mấy", "ngoai-ngu-k49", "Điều 1"),
        ("đơn rút học phần có ý kiến của cố vấn học tập", "quy-che-2025", "Điều 2, khoản 2 (QUY CHẾ HỌC VỤ)"),
    ],
)
def test_the_clause_that_answers_is_first(found: Find, text: str, document: str, place: str) -> None:
    assert locator(found(text)[0]) == (document, place)


def test_scores_are_shares_and_fall(found: Find) -> None:
    candidates = found("sinh viên nộp đơn xin hoãn thi trước ngày thi")

    scores = [candidate.score for candidate in candidates]
    assert scores == sorted(scores, reverse=True)
    for candidate in candidates:
        assert candidate.source == DOCUMENT_SOURCE
        for name in ("dense", "lexical", "article", "coverage"):
            assert 0 <= candidate.scores[name] <= 1.000001
        assert -1 <= candidate.scores["cosine"] <= 1.000001


def test_all_the_words_of_the_question_are_covered_by_the_clause_itself(found: Find) -> None:
    whole = found("lệ phí phúc khảo một bài thi")[0]
    half = found("lệ phí phúc khảo bằng bitcoin ethereum dogecoin")[0]

    assert whole.scores["coverage"] == pytest.approx(1)
    assert 0 < half.scores["coverage"] < 0.7


def test_no_more_than_asked_for(found: Find, index: Index) -> None:
    assert len(found("sinh viên", count=3)) == 3
    everything = found("sinh viên", count=10_000)
    assert {c.item.id for c in everything} == {passage.id for passage in index.passages}


def test_what_is_not_admitted_takes_no_place(found: Find) -> None:
    text = "bị cảnh báo học vụ mấy lần liên tiếp thì bị buộc thôi học"

    candidates = found(text, count=3, admits=lambda passage: passage.document_id != "quy-che-2021")

    assert len(candidates) == 3
    assert locator(candidates[0]) == ("quy-che-2025", "Điều 4")
    assert all(candidate.scores["coverage"] > 0 for candidate in candidates[:1])
    assert found(text, admits=lambda _: False) == []


@pytest.mark.parametrize("text", ["", "?", "zzz qqq"])
def test_words_that_are_nowhere_rank_all_the_same(found: Find, text: str) -> None:
    for candidate in found(text):
        assert candidate.scores["lexical"] == candidate.scores["coverage"] == 0
