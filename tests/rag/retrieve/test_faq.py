"""FAQ entries are ranked by how like the question is to one of the ways each is asked."""

from __future__ import annotations

import pytest
from embedder_stand_in import EmbedderStandIn

from rag.index.format import Index
from rag.pipeline import load_pipeline
from rag.retrieve.faq import FaqRetriever
from rag.retrieve.passages import PassageRetriever
from rag.types import FAQ_SOURCE, Candidate
from school.reader import Reader


@pytest.fixture(scope="module")
def retriever(index: Index) -> FaqRetriever:
    return FaqRetriever(index, load_pipeline("covan").faq)


def found(retriever: FaqRetriever, embedder: EmbedderStandIn, text: str) -> list[Candidate]:
    return retriever.retrieve(text, embedder.query(text))


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("Xin bảng điểm ở đâu?", "study-transcript"),
        ("in bang diem o dau", "study-transcript"),
        ("xin bang diem o dau", "study-transcript"),
        ("bảng điểm xin ở chỗ nào", "study-transcript"),
        ("mất thẻ sinh viên xin cấp lại", "study-card"),
        ("hạn chót đóng học phí", "tuition-deadline"),
    ],
)
def test_the_entry_that_is_asked_for_is_first(
    retriever: FaqRetriever, embedder: EmbedderStandIn, text: str, entry: str
) -> None:
    assert found(retriever, embedder, text)[0].item.id == entry


def test_the_very_words_of_any_phrasing_are_as_like_as_can_be(
    retriever: FaqRetriever, embedder: EmbedderStandIn, index: Index
) -> None:
    for text, rows in zip(index.faq_texts, index.faq_rows, strict=True):
        best = found(retriever, embedder, text)[0]
        assert best.item.id in {index.faq[row].id for row in rows}
        assert best.scores["dice"] == pytest.approx(1)
        assert best.scores["cosine"] == pytest.approx(1, abs=1e-2)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Xin bảng điểm ở đâu?", 1.0),
        ("xin bang diem o dau", 1.0),
        ("ad ơi xin bảng điểm ở đâu vậy ạ", 1.0),
        ("xin bảng điềm ở đâu", 0.0),
        ("ở đâu xin bảng điểm", 0.0),
    ],
)
def test_the_very_words_of_an_entry_decide(
    retriever: FaqRetriever, embedder: EmbedderStandIn, text: str, score: float
) -> None:
    entry = next(each for each in found(retriever, embedder, text) if each.item.id == "study-transcript")
    assert entry.scores["verbatim"] == score
    assert (entry.score == 1) is bool(score)


def test_an_entry_stands_once_by_its_best_phrasing(
    retriever: FaqRetriever, embedder: EmbedderStandIn, index: Index
) -> None:
    candidates = found(retriever, embedder, "học phí")

    names = [candidate.item.id for candidate in candidates]
    assert len(names) == len(set(names)) == len(index.faq)


def test_scores_are_shares_and_fall(retriever: FaqRetriever, embedder: EmbedderStandIn) -> None:
    for text in ("học phí một tín chỉ", "thời tiết", "", "zzz"):
        candidates = found(retriever, embedder, text)
        scores = [candidate.score for candidate in candidates]
        assert scores == sorted(scores, reverse=True)
        for candidate in candidates:
            assert candidate.source == FAQ_SOURCE
            assert -1e-6 <= candidate.score <= 1 + 1e-6
            for name in ("dense", "dice", "coverage", "support"):
                assert -1e-6 <= candidate.scores[name] <= 1 + 1e-6


def test_entries_for_different_students_stand_side_by_side(
    retriever: FaqRetriever, embedder: EmbedderStandIn
) -> None:
    first, second, *_ = found(retriever, embedder, "Chuẩn ngoại ngữ để tốt nghiệp là gì?")

    assert {first.item.id, second.item.id} == {"language-k48", "language-k49"}


def test_the_article_an_entry_rests_on_speaks_for_it(
    retriever: FaqRetriever,
    embedder: EmbedderStandIn,
    index: Index,
    reader: Reader,
) -> None:
    question = reader.prepared("Mỗi học kỳ chính sinh viên đăng ký tối đa 25 tín chỉ")
    text, vector = question.asked, embedder.query(question.asked)
    passages = PassageRetriever(index, load_pipeline("covan").retrieval).retrieve(question, vector)

    def support(candidates: list[Candidate]) -> dict[str, float]:
        return {candidate.item.id: candidate.scores["support"] for candidate in candidates}

    alone, together = (
        support(retriever.retrieve(text, vector)),
        support(retriever.retrieve(text, vector, passages)),
    )

    assert set(alone.values()) == {0.0}
    assert together["study-credits"] > 0
    assert together["study-card"] == 0
