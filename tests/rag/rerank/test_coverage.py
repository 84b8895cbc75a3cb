"""The coverage of a question by a text."""

from __future__ import annotations

import csv

import pytest

from covan.project import ROOT
from rag.index.lexical import TextIndex
from rag.rerank.coverage import Coverage, Said, TextWords, said_in
from vietnamese.text import fold

TEXTS = (
    "Hết thời gian học tập tối đa, kết quả đã tích lũy được xem xét",
    "Thi lại học phần khi có điểm F",
    "Nộp học phí trước ngày 15",
    "thi lai hoc phan",
)
COLLECTION = TextIndex.build(TEXTS)


def covered(question: str, text: str) -> float:
    return Coverage(question, COLLECTION).of(Said.by(text))


def test_every_word_there_is_all_and_none_is_nothing() -> None:
    assert covered("nộp học phí", TEXTS[2]) == pytest.approx(1)
    assert covered("bóng rổ", TEXTS[2]) == 0


def test_a_question_that_says_nothing_is_not_covered() -> None:
    assert covered("là gì thế", TEXTS[0]) == 0


def test_with_diacritics_on_both_sides_other_words_are_other_words() -> None:
    typed, meant = "kết quả bóng đá tối qua", "kết quả học tập tối đa"
    assert covered(typed, TEXTS[0]) < covered(meant, TEXTS[0])
    assert covered("đá", "đã nộp") == 0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("nop hoc phi", TEXTS[2]),
        ("thi lại học phần", TEXTS[3]),
        ("nộp hoc phi", TEXTS[2]),
        ("khoá học", "khóa học"),
    ],
)
def test_where_one_side_has_none_the_letters_count(question: str, text: str) -> None:
    assert covered(question, text) == pytest.approx(1)


def test_a_word_that_no_text_has_weighs_most() -> None:
    assert covered("học phí blockchain", TEXTS[2]) < 0.5


def test_two_questions_are_alike_in_what_they_share_whichever_is_asked() -> None:
    one, other = "thi lại học phần", "nộp học phí"
    there = Coverage(one, COLLECTION).dice(Said.by(other))
    back = Coverage(other, COLLECTION).dice(Said.by(one))
    assert 0 < there < 1
    assert there == pytest.approx(back)
    assert Coverage(one, COLLECTION).dice(Said.by(one)) == pytest.approx(1)


def test_many_texts_at_once_have_the_figures_of_each_alone() -> None:
    with (ROOT / "benchmarks/sample_school/questions.csv").open(encoding="utf-8", newline="") as file:
        questions = [row["question"] for row in csv.DictReader(file)]
    texts = [*questions, *map(fold, questions[::3]), "", "là gì thế", "zzz"]
    collection = TextIndex.build(texts)
    said = [Said.by(text) for text in texts]
    together = TextWords(said, collection)

    for text in (*texts[::7], "học phí nganh cntt", "là gì thế", ""):
        question = Coverage(text, collection)
        assert question.of_each(together).tolist() == [question.of(each) for each in said]
        assert question.dice_with_each(together).tolist() == [question.dice(each) for each in said]


@pytest.mark.parametrize(
    "text", ["Học phí ngành CNTT là bao nhiêu?", "hoc phi cntt", "", "Tiền học\nNộp ở đâu"]
)
def test_the_words_that_are_kept_of_a_collection_are_those_of_the_text(text: str) -> None:
    assert said_in(text) == Said.by(text)
    assert said_in(text) is said_in(text)
