"""A message within its conversation: its readings, the question in full, and what no reading finds like it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from unittest.mock import create_autospec

import numpy as np
import pytest

from rag.answer_sources.source import Found
from rag.decide.context import (
    ALONE,
    MATTERS,
    ContextWeigher,
    Read,
    names_no_matter,
    resolved_question,
    shipped_context_models,
    with_latest,
    words_before,
)
from rag.decide.follow_ups import ENOUGH
from rag.engine import Engine
from rag.index.dense import FaissIndex
from rag.index.format import Index
from rag.ingest.build import build_index
from rag.retrieve.embedder import load_embedder
from rag.types import (
    DOCUMENT_SOURCE,
    FAQ_SOURCE,
    Candidate,
    DecisionKind,
    FaqEntry,
    FollowUp,
    Matter,
    Question,
)
from school.kernel_classifier import KernelClassifier
from school.reading import Reading

SMALL_SCHOOL = Path(__file__).parents[2] / "small_school"
TRANSCRIPT = Matter("Xin giấy xác nhận ở đâu?", "study-transcript")


def test_a_message_is_read_alone_within_the_matter_and_behind_the_last_question() -> None:
    last, earlier = "Điều kiện được học bổng là gì?", "Ký túc xá giá bao nhiêu?"

    assert words_before((Matter(last, "a"), Matter(earlier, "b"))) == {
        "matter": ("học bổng", last),
        "earlier": ("Ký túc xá giá", earlier),
        "last": ("Điều kiện được học bổng là gì", last),
    }


def test_a_reading_that_repeats_another_is_left_out() -> None:
    assert words_before((Matter("học bổng"),)) == {"matter": ("học bổng", "học bổng")}
    assert words_before(()) == {}


@pytest.mark.parametrize(
    ("text", "resolved"),
    [("nộp ở đâu vậy", "giấy xác nhận nộp ở đâu vậy"), ("học phí ngành luật", "học phí ngành luật")],
)
def test_a_question_in_full_has_the_matter_that_its_words_leave_out(text: str, resolved: str) -> None:
    assert resolved_question(text, None, (TRANSCRIPT,)) == resolved


def test_an_answering_entry_says_the_question_in_full() -> None:
    entry = FaqEntry("a", "Giá phòng ký túc xá là bao nhiêu?", (), "Vậy.", "dormitory")

    assert resolved_question("gia bn", entry, (TRANSCRIPT,)) == entry.question


@pytest.mark.parametrize(
    ("text", "missing"), [("nộp ở đâu vậy ạ", True), ("", True), ("học phí ngành luật", False)]
)
def test_whether_words_name_a_matter(text: str, missing: bool) -> None:
    assert names_no_matter(text) is missing


def test_the_history_has_each_answer_once_and_one_unanswered_question_at_most() -> None:
    open_question = Matter("còn gì nữa")
    a, b = Matter("A?", "a"), Matter("B?", "b")

    assert with_latest((open_question, a), b) == (b, a)
    assert with_latest((a, b), Matter("A again?", "a")) == (Matter("A again?", "a"), b)
    assert len(with_latest(tuple(Matter(f"{n}?", str(n)) for n in range(9)), b)) == MATTERS


def _read(index: Index, scores: Mapping[str, float], **parts: float) -> Read:
    found = [
        Candidate(FAQ_SOURCE, entry, scores[entry.id], {"cosine": 0.9, **parts})
        for entry in index.faq
        if entry.id in scores
    ]
    found.sort(key=lambda candidate: -candidate.score)
    return Read(
        Reading("nộp ở đâu", "nộp ở đâu", asked="nộp ở đâu"),
        np.zeros(index.manifest.dimension, np.float32),
        {FAQ_SOURCE: Found(tuple(found))},
        {FAQ_SOURCE: 0.2},
    )


def test_what_no_reading_finds_like_the_message_is_no_candidate(index: Index) -> None:
    near, far = (entry.id for entry in index.faq[:2])
    reads = {ALONE: _read(index, {far: 0.3}), "matter": _read(index, {near: 0.8, far: 0.2})}

    weighed = ContextWeigher(index, shipped_context_models()).weigh(
        FAQ_SOURCE, reads, (TRANSCRIPT,), likeness=0.45
    )

    assert [one.candidate.item.id for one in weighed] == [near]


@pytest.mark.parametrize("source", [FAQ_SOURCE, DOCUMENT_SOURCE])
def test_every_candidate_has_all_signals_of_the_models(index: Index, source: str) -> None:
    passage = Candidate(DOCUMENT_SOURCE, index.passages[0], 0.6, {"cosine": 0.9})

    def signals(index: Index, **parts: float) -> list[tuple[Candidate, dict[str, float]]]:
        read = _read(index, {index.faq[0].id: 0.6}, **parts)
        found = {**read.found, DOCUMENT_SOURCE: Found((passage,))}
        return ContextWeigher(index).signals(source, {ALONE: replace(read, found=found)}, (TRANSCRIPT,))

    [(_, of_small)] = signals(index)
    assert set(shipped_context_models().small_faq[source].names) <= set(of_small)

    classifier = create_autospec(KernelClassifier, instance=True)
    [(_, of_many)] = signals(replace(index, entry_classifier=classifier), entry=0.4)
    assert set(shipped_context_models().networks[source].names) <= set(of_many)

    family, rows = index.faq[0].id, ENOUGH * len(index.faq)
    taught = replace(
        index,
        entry_classifier=classifier,
        follow_ups=(FollowUp(family, "nộp ở đâu v", (family,)),) * rows,
        follow_up_vectors=FaissIndex.build(
            np.ones((rows, index.manifest.dimension), np.float32), index.manifest.dimension
        ),
    )
    [(_, of_taught)] = signals(taught, entry=0.4)
    models = shipped_context_models().of_school(is_small=False, has_follow_ups=True)
    assert set(models[source].names) <= set(of_taught)


def test_an_unknown_id_is_of_nothing(index: Index) -> None:
    assert ContextWeigher(index).item("removed-since") is None
    assert ContextWeigher(index).item(None) is None


# --- with the shipped engine ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    out = tmp_path_factory.mktemp("context") / "index"
    build_index(SMALL_SCHOOL, out, load_embedder())
    return Engine.open(out, today=lambda: date(2026, 11, 1))


@pytest.mark.e5
def test_a_question_of_its_own_is_answered_by_itself_whatever_was_talked_of(engine: Engine) -> None:
    asked = "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?"
    card = engine.entry("study-card")
    assert card is not None

    reply = engine.reply(Question(asked, history=(Matter(card.question, card.id),)))

    assert (reply.decision.kind, reply.answer_id) == (DecisionKind.ANSWER, "study-credits")


@pytest.mark.e5
def test_a_name_takes_the_place_of_the_last_matter(engine: Engine) -> None:
    fee = Matter("Phòng Tài chính giá phòng là bao nhiêu?")

    reply = engine.reply(Question("còn ký túc xá?", history=(fee,)))

    assert reply.answer_id == "dormitory-fee"
    assert reply.resolved == "Giá phòng ký túc xá là bao nhiêu?"


@pytest.mark.e5
def test_a_message_that_names_no_matter_is_not_answered_by_its_own_words(engine: Engine) -> None:
    language = engine.entry("language-k48")
    assert language is not None

    reply = engine.reply(Question("đăng ký như thế nào", history=(Matter(language.question, language.id),)))

    assert reply.answer_id is None


@pytest.mark.e5
def test_nonsense_is_not_answered_because_of_what_was_talked_of(engine: Engine) -> None:
    fee = engine.entry("dormitory-fee")
    assert fee is not None

    reply = engine.reply(Question("giá vàng hôm nay thế nào", history=(Matter(fee.question, fee.id),)))

    assert reply.decision.kind is not DecisionKind.ANSWER


@pytest.mark.e5
@pytest.mark.parametrize(
    ("asked", "article"),
    [
        ("nấu ăn trong phòng được không", "Điều 2"),
        ("khách có được ở lại qua đêm không", "Điều 1"),
        ("vi pham lan thu ba thi bi gi", "Điều 3"),
    ],
)
def test_with_few_entries_a_clause_answers_what_the_entry_of_the_matter_does_not(
    engine: Engine, asked: str, article: str
) -> None:
    fee = engine.entry("dormitory-fee")
    assert fee is not None

    reply = engine.reply(Question(asked, history=(Matter(fee.question, fee.id),)))

    assert reply.decision.kind is DecisionKind.ANSWER
    first = reply.citations[0]
    assert (first.document_id, first.locator.partition(",")[0]) == ("noi-quy-ktx", article)


@pytest.mark.e5
def test_with_few_entries_the_nearest_one_is_no_answer_to_what_nobody_has_written(engine: Engine) -> None:
    reply = engine.reply(Question("trả phòng ktx giữa kỳ có được hoàn tiền không"))

    assert reply.decision.kind is DecisionKind.NO_ANSWER
    assert reply.trace.signals["faq.same_article"] == 0
