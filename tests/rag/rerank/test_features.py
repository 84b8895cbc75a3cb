"""A passage is told from another by where the question's words stand in it, and by whom it is for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from rag.index.lexical import TextIndex
from rag.rerank.answer_type import AnswerType
from rag.rerank.features import FEATURES, Comparison, PassageWords
from rag.types import Passage
from school.abbreviations import Abbreviations
from school.dimensions import AppliesTo, Profile
from school.reader import Reader

TEXT = "Sinh viên nộp đơn xin hoãn thi trước ngày thi 05 ngày, theo Quyết định 1052/QĐ-ĐHX."
HEADING = "Điều 7. Hoãn thi"
TITLE = "Quy chế học vụ"
COLLECTION = TextIndex.build(
    [f"{TITLE} {HEADING} {TEXT}", "Học phí nộp hai lần một năm.", "Ký túc xá đóng cửa lúc 22 giờ."]
)
NOBODY = Profile()

Compare = Callable[..., dict[str, float]]


@pytest.fixture
def compare(reader: Reader) -> Compare:
    def compared(
        asked: str,
        text: str = TEXT,
        *,
        profile: Profile = NOBODY,
        topics: dict[str, float] | None = None,
        offered: frozenset[AnswerType] = frozenset(),
        **about: object,
    ) -> dict[str, float]:
        passage = Passage("p", text, "d", TITLE, "Điều 7", context=(HEADING,), **about)  # type: ignore[arg-type]
        question = reader.prepared(asked)
        words = PassageWords.of(passage, Abbreviations({"SV": "sinh viên"}))
        return Comparison(question, COLLECTION, topics or {}, profile).of(passage, words, offered)

    return compared


def test_the_very_words_have_everything(compare: Compare) -> None:
    found = compare("nộp đơn xin hoãn thi trước ngày thi 05 ngày")

    for name in (
        "coverage",
        "coverage_body",
        "bigrams",
        "bigrams_body",
        "trigrams",
        "run",
        "window",
        "numbers",
    ):
        assert found[name] == pytest.approx(1), name
    assert found["missing"] == 0


def test_words_that_are_nowhere_have_nothing(compare: Compare) -> None:
    found = compare("bitcoin ethereum 2031")

    for name in ("coverage", "coverage_heading", "bigrams", "trigrams", "run", "window", "numbers"):
        assert found[name] == 0, name
    assert found["missing"] == 1


def test_where_the_words_stand_is_told(compare: Compare) -> None:
    heading = compare("hoãn thi học vụ", text="Nộp đơn.")

    assert heading["coverage_body"] == heading["bigrams_body"] == 0
    assert 0 < heading["coverage_heading"] < 1
    assert 0 < heading["coverage_title"] < 1
    assert heading["coverage"] == pytest.approx(heading["coverage_heading"] + heading["coverage_title"])
    assert 0 < heading["bigrams"] < 1


def test_the_same_words_in_another_order_have_no_pairs(compare: Compare) -> None:
    found = compare("thi hoãn xin đơn nộp")

    assert found["coverage"] == pytest.approx(1)
    assert found["bigrams_body"] == found["trigrams"] == 0
    assert found["run"] == pytest.approx(1 / 5)


def test_words_far_apart_are_in_no_window(compare: Compare) -> None:
    filler = " ".join(["và"] * 30)

    near = compare("hoãn học phí", text="Hoãn nộp học phí.")
    far = compare("hoãn học phí", text=f"Hoãn {filler} học phí.")

    assert near["window"] == pytest.approx(1)
    assert 0 < far["window"] < 1
    assert far["coverage_body"] == pytest.approx(1)


def test_the_rarer_the_missing_word_the_worse(compare: Compare) -> None:
    common = compare("hoãn thi nộp", text="Hoãn thi.")["missing"]
    rare = compare("hoãn thi nộp bitcoin", text="Hoãn thi nộp.")["missing"]

    assert 0 < common < rare == 1


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("nop don xin hoan thi", TEXT),
        ("nộp đơn xin hoãn thi", "Sinh vien nop don xin hoan thi truoc ngay thi."),
    ],
)
def test_what_was_typed_bare_is_compared_by_letters(compare: Compare, asked: str, text: str) -> None:
    found = compare(asked, text)

    assert found["bigrams_body"] == found["run"] == pytest.approx(1)


def test_one_bare_word_in_a_question_counts_by_its_letters(compare: Compare) -> None:
    assert compare("nộp đơn xin hoan thi", "Nộp đơn xin hoãn thi.")["coverage"] == pytest.approx(1)


def test_with_diacritics_another_tone_is_another_word(compare: Compare) -> None:
    assert compare("hoãn thi", "Học phí hoàn lại.")["coverage_body"] == 0


def test_short_forms_of_a_passage_are_read_in_full(compare: Compare) -> None:
    assert compare("sinh viên", "SV nộp đơn.")["bigrams_body"] == pytest.approx(1)


def test_a_question_without_numbers_says_nothing_of_numbers(compare: Compare) -> None:
    assert compare("hoãn thi")["numbers"] == 0.5
    assert compare("hoãn thi theo 1052/QĐ-ĐHX")["numbers"] == 1
    assert compare("hoãn thi 2019, theo 1052/QĐ-ĐHX")["numbers"] == 0.5


def test_the_kind_of_answer_that_is_asked_for(compare: Compare) -> None:
    email = frozenset({AnswerType.EMAIL})

    assert compare("email của phòng đào tạo là gì", offered=email)["answer_type"] == 1
    assert compare("email của phòng đào tạo là gì")["answer_type"] == -1
    assert compare("hoãn thi", offered=email)["answer_type"] == 0


def test_the_topic_of_the_passage(compare: Compare) -> None:
    topics = {"exam": 0.7, "study": 0.3}

    assert compare("hoãn thi", topic="exam", topics=topics)["topic"] == 0.7
    assert compare("hoãn thi", topic="dormitory", topics=topics)["topic"] == 1
    assert compare("hoãn thi", topic="exam")["topic"] == compare("hoãn thi", topics=topics)["topic"] == 1


def test_for_whom_the_passage_is(compare: Compare) -> None:
    since_47 = AppliesTo({"cohort": ("47-",)})

    assert compare("hoãn thi", applies_to=since_47, profile=Profile({"cohort": "48"}))["entity"] == 1
    assert compare("hoãn thi", applies_to=since_47, profile=Profile({"cohort": "46"}))["entity"] == -1
    assert compare("hoãn thi", applies_to=since_47)["entity"] == 0
    assert compare("hoãn thi", profile=Profile({"cohort": "48"}))["entity"] == 0


def test_a_document_whose_end_is_known(compare: Compare) -> None:
    assert compare("hoãn thi")["validity"] == 1
    assert compare("hoãn thi", effective_to=date(2024, 12, 31))["validity"] == 0


def test_every_feature_has_a_name_that_says_what_it_is(compare: Compare) -> None:
    first_look = {"dense", "cosine", "lexical", "lexical_raw", "article"}

    assert set(compare("hoãn thi")) | first_look == set(FEATURES)


@pytest.mark.parametrize("asked", ["", "?", "là gì", "thi", "a b"])
def test_questions_that_say_nothing_have_features_within_their_range(compare: Compare, asked: str) -> None:
    assert all(-1 <= value <= 1 for value in compare(asked).values())


def test_the_share_of_the_most_that_bm25_can_give(reader: Reader) -> None:
    question = reader.prepared("nộp đơn xin hoãn thi")
    comparison = Comparison(question, COLLECTION, {}, NOBODY)

    shares = [comparison.share_of_bm25(float(score)) for score in COLLECTION.scores(question.normalized)]

    assert 0.4 < shares[0] <= 1
    assert shares[2] == 0
    nothing = Comparison(reader.prepared("?"), COLLECTION, {}, NOBODY)
    assert nothing.share_of_bm25(0.0) == 0
