"""Rerankers mix a candidate's score with its topic's probability, or with a cross-encoder's score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from pydantic import ValidationError

from rag.errors import SettingsError
from rag.pipeline import SourceRule
from rag.rerank.cross_encoder import CrossEncoderRerank, CrossEncoderReranker
from rag.rerank.reranker import reranker_of
from rag.rerank.topic import TopicRerank
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, Candidate, FaqEntry, Passage
from school.reader import Reader
from school.sentence_embedder import VectorArray


def entry(name: str, score: float, topic: str) -> Candidate:
    return Candidate(FAQ_SOURCE, FaqEntry(name, f"{name}?", (), "Vậy.", topic), score)


CANDIDATES = [entry("a", 0.8, "study"), entry("b", 0.7, "tuition")]


@pytest.mark.parametrize(
    ("weight", "order", "best"), [(0.0, "ab", 0.8), (0.1, "ab", 0.74), (0.5, "ba", 0.75), (1.0, "ba", 0.8)]
)
def test_the_mix_is_linear(reader: Reader, weight: float, order: str, best: float) -> None:
    reranker = reranker_of(TopicRerank(rule="topic", weight=weight))
    topics = {"study": 0.2, "tuition": 0.8}

    found = reranker.rerank(reader.prepared("a"), CANDIDATES, topics)

    assert "".join(candidate.item.id for candidate in found) == order
    assert found[0].score == pytest.approx(best)


def test_unclassified_nothing_changes(reader: Reader) -> None:
    reranker = reranker_of(TopicRerank(rule="topic", weight=0.9))

    assert reranker.rerank(reader.prepared("a"), CANDIDATES, {}) == CANDIDATES


class WordReader:
    """Implements `CrossEncoderModel`: 1 for a text that has the word, else 0; remembers what it read."""

    name = "word-reader"

    def __init__(self, word: str) -> None:
        self._word = word
        self.read: list[str] = []

    def scores(self, question: str, texts: Sequence[str]) -> VectorArray:
        del question
        self.read += texts
        return np.array([self._word in text for text in texts], np.float32)


def passage(name: str, score: float, text: str) -> Candidate:
    item = Passage(name, text, "d", "D", "", context=("Chương I", "Điều 1. Thi"))
    return Candidate(DOCUMENT_SOURCE, item, score, {"cosine": 0.8})


def cross_encoder(candidates: int, weight: float) -> CrossEncoderRerank:
    return CrossEncoderRerank(
        rule="cross_encoder", model="sentence-transformers:x", candidates=candidates, weight=weight
    )


def test_a_cross_encoder_reads_the_first_few_only(reader: Reader) -> None:
    encoder = WordReader("hoãn")
    found = [passage("a", 0.9, "Nộp đơn."), passage("b", 0.6, "Xin hoãn."), passage("c", 0.5, "Xin hoãn.")]
    reranker = CrossEncoderReranker(cross_encoder(2, 0.5), None, encoder)

    ranked = reranker.rerank(reader.prepared("hoãn thi"), found, {})

    assert encoder.read == ["Điều 1. Thi\nNộp đơn.", "Điều 1. Thi\nXin hoãn."]
    assert [candidate.item.id for candidate in ranked] == ["b", "a", "c"]
    assert [candidate.score for candidate in ranked] == pytest.approx([0.8, 0.45, 0.45])
    assert ranked[0].scores == {"cosine": 0.8, "cross_encoder": 1.0, "fused": 0.6}
    assert reranker.rerank(reader.prepared("hoãn thi"), [], {}) == []


def test_a_cross_encoder_reads_question_and_answer_of_an_entry(reader: Reader) -> None:
    encoder = WordReader("b?")

    ranked = CrossEncoderReranker(cross_encoder(10, 1.0), None, encoder).rerank(
        reader.prepared("b"), CANDIDATES, {}
    )

    assert encoder.read == ["a?\nVậy.", "b?\nVậy."]
    assert [candidate.item.id for candidate in ranked] == ["b", "a"]


def test_a_cross_encoder_that_is_not_known_is_named() -> None:
    rule = CrossEncoderRerank(rule="cross_encoder", model="bge-reranker")

    with pytest.raises(SettingsError, match="'bge-reranker' is not known"):
        reranker_of(rule)


def test_only_documents_are_ranked_by_what_was_learnt() -> None:
    tier = {"gate": {"rule": "open"}, "rerank": {"rule": "learned"}}

    assert SourceRule.model_validate({"source": "document", **tier}).rerank is not None
    with pytest.raises(ValidationError, match="learned works for document only"):
        SourceRule.model_validate({"source": "faq", **tier})
