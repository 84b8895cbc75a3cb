"""FAQ entries are ranked by how like the question is to one of the ways each is asked."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from embedder_stand_in import EmbedderStandIn

from covan.project import ROOT
from rag.index.format import Index
from rag.pipeline import FaqWeights, load_pipeline
from rag.query.same_words import own_words
from rag.rerank.coverage import Coverage, Said
from rag.rerank.opposites import opposite, poles
from rag.retrieve.faq import FaqRetriever, whole_entries
from rag.retrieve.passages import PassageRetriever
from rag.types import FAQ_SOURCE, Candidate
from school.kernel_classifier import Example, KernelClassifier
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


def test_phrasings_together_have_the_scores_of_each_alone(
    index: Index, embedder: EmbedderStandIn, reader: Reader
) -> None:
    """The small school is asked the sample school's questions, and its own."""
    phrasings = [
        Example(index.faq[row].family, "", text)
        for text, rows in zip(index.faq_texts, index.faq_rows, strict=True)
        for row in rows
    ]
    index = replace(index, entry_classifier=KernelClassifier.taught(phrasings, embedder))
    weights = load_pipeline("covan").faq
    retriever = FaqRetriever(index, weights)
    passages = PassageRetriever(index, load_pipeline("covan").retrieval)
    with (ROOT / "benchmarks/sample_school/questions.csv").open(encoding="utf-8", newline="") as file:
        questions = [row["question"] for row in csv.DictReader(file)][::4]
    for question in (*questions, *index.faq_texts, "ad ơi xin bảng điểm ở đâu vậy ạ", "muộn nhất", ""):
        said = reader.prepared(question)
        near = passages.retrieve(said, embedder.query(said.asked))
        together = retriever.retrieve(said.asked, embedder.query(said.asked), near)
        plain = plainly(index, weights, embedder, said.asked, near)

        assert {candidate.item.id for candidate in together} <= plain.keys()
        for candidate in together:
            assert candidate.scores == pytest.approx(plain[candidate.item.id], abs=1e-6), question


def plainly(
    index: Index, weights: FaqWeights, embedder: EmbedderStandIn, text: str, near: Sequence[Candidate]
) -> Mapping[str, Mapping[str, float]]:
    """Return the scores of each entry's best phrasing, computed one by one for all phrasings."""
    vector, said, question = embedder.query(text), own_words(text), Coverage(text, index.faq_terms)
    lexical = index.faq_terms.scores(text).tolist()
    classifier = index.entry_classifier
    assert classifier is not None
    families = dict(
        zip(classifier.labels, classifier.scores([""], vector[None, :])[0].clip(0, 1).tolist(), strict=True)
    )
    supported: dict[tuple[str, str], float] = {}
    for candidate in near[:30]:
        place = candidate.item.document_id, candidate.item.locator.partition(",")[0].strip()
        supported.setdefault(place, candidate.score)
    found: dict[str, dict[str, float]] = {}
    for place, (phrasing, rows) in enumerate(zip(index.faq_texts, index.faq_rows, strict=True)):
        if opposite(poles(text), poles(phrasing)):
            continue
        cosine = float(index.faq_vectors.vectors[place] @ vector)
        is_verbatim = said.are_those_of(own_words(phrasing))
        for row in rows:
            entry = index.faq[row]
            others = [score for family, score in families.items() if family != entry.family]
            cited = [(s.document, s.locator.partition(",")[0].strip()) for s in entry.sources]
            dense = min(max((cosine - weights.cosine_floor) / (1 - weights.cosine_floor), 0.0), 1.0)
            scores = {
                "cosine": cosine,
                "dense": 1.0 if is_verbatim else dense,
                "lexical": lexical[place] / (max(lexical) or 1.0),
                "dice": 1.0 if is_verbatim else question.dice(Said.by(phrasing)),
                "verbatim": float(is_verbatim),
                "coverage": 1.0 if is_verbatim else question.of(whole_entries(index)[row]),
                "support": max((supported.get(one, 0.0) for one in cited), default=0.0),
                "entry": families[entry.family],
                "entry_lead": families[entry.family] - max(others, default=0.0),
            }
            parts = ("dense", "dice", "coverage", "support")
            shares = {name: getattr(weights, name) for name in parts}
            fused = sum(share * scores[name] for name, share in shares.items())
            scores["similarity"] = fused / sum(shares.values())
            if entry.id not in found or scores["similarity"] > found[entry.id]["similarity"]:
                found[entry.id] = scores
    return found


def test_the_words_of_the_entries_are_read_once_for_an_index(index: Index) -> None:
    assert whole_entries(index) is whole_entries(index)
