"""A question is understood before anything is looked up: what it says, and of whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.ingest.load import load_knowledge
from rag.query.understanding import Understanding
from rag.types import Question
from school.dimensions import Profile
from vietnamese.small_talk import SmallTalk
from vietnamese.text import MAX_QUESTION_CHARS

SMALL_SCHOOL = Path(__file__).parents[2] / "small_school"


@pytest.fixture(scope="module")
def understanding() -> Understanding:
    knowledge = load_knowledge(SMALL_SCHOOL)
    return Understanding(knowledge.catalog, knowledge.glossary, {"KTX": "ký túc xá"})


@pytest.mark.parametrize(
    ("text", "profile"),
    [
        ("học phí bao nhiêu", Profile()),
        ("em K47 học phí bao nhiêu", Profile({"cohort": "47"})),
        ("sv khoá 2025 thì sao", Profile({"cohort": "49"})),
        ("ngành kế toán khóa 48", Profile({"cohort": "48", "major": "ketoan"})),
        ("CLC cntt k49", Profile({"cohort": "49", "major": "cntt", "program": "clc"})),
        ("chat luong cao hoc phi sao", Profile({"program": "clc"})),
        ("K47 và K49 khác gì nhau", Profile()),
        ("khóa 99 thì sao", Profile()),
        ("không phải k47, k48 cơ", Profile({"cohort": "48"})),
        ("em k47 à nhầm k48", Profile({"cohort": "48"})),
        ("không phải k47 thì sao", Profile()),
    ],
)
def test_what_the_question_says_of_the_student(
    understanding: Understanding, text: str, profile: Profile
) -> None:
    assert understanding.understand(Question(text)).profile == profile


def test_the_question_wins_and_the_rest_is_kept(understanding: Understanding) -> None:
    known = Profile({"cohort": "46", "major": "cntt"})

    assert understanding.understand(Question("còn khóa 48 thì sao", profile=known)).profile == Profile(
        {"cohort": "48", "major": "cntt"}
    )


def test_two_values_leave_what_is_known(understanding: Understanding) -> None:
    known = Profile({"cohort": "46"})

    assert understanding.understand(Question("K47 với K48 khác gì", profile=known)).profile == known


def test_the_text_is_clean_and_bounded(understanding: Understanding) -> None:
    understood = understanding.understand(Question("học\0 phí\ud800 " * 10_000))

    assert understood.text.startswith("học phí học phí")
    assert len(understood.text) <= MAX_QUESTION_CHARS
    assert understood.plain.startswith("học phí")


@pytest.mark.parametrize("text", ["", "  \n", "?!", "😀", "\0", "\u200b", "...", "—"])
def test_nothing_to_look_for(understanding: Understanding, text: str) -> None:
    assert understanding.understand(Question(text)).is_empty


@pytest.mark.parametrize("text", ["a", "7", "学", "😀 học"])
def test_something_to_look_for(understanding: Understanding, text: str) -> None:
    assert not understanding.understand(Question(text)).is_empty


def test_short_forms_are_written_out(understanding: Understanding) -> None:
    understood = understanding.understand(Question("giá ktx k47"))

    assert understood.text == "giá ktx k47"
    assert understood.plain == "giá ký túc xá k47"


def test_another_school_is_named_as_it_was_typed(understanding: Understanding) -> None:
    assert understanding.understand(Question("học phí ĐH Cần Thơ")).foreign == "ĐH Cần Thơ"
    assert understanding.understand(Question("học phí trường mình")).foreign is None


def test_a_short_reply_names_a_value_of_what_was_asked_for(understanding: Understanding) -> None:
    assert understanding.named_value("cohort", "48") == "48"
    assert understanding.named_value("cohort", "dạ 48 ạ") == "48"
    assert understanding.named_value("cohort", "em không rõ") is None
    assert understanding.named_value("program", "") is None


def test_small_talk_and_greetings(understanding: Understanding) -> None:
    assert understanding.understand(Question("cảm ơn ad nhé")).small_talk is SmallTalk.THANKS
    greeted = understanding.understand(Question("chào ad, cho em hỏi giá ktx"))
    assert greeted.small_talk is None
    assert greeted.plain == understanding.understand(Question("giá ktx")).plain
    assert greeted.text == "chào ad, cho em hỏi giá ktx"


def test_parts_of_a_message(understanding: Understanding) -> None:
    assert understanding.parts("dạ chào ad. giá ktx bao nhiêu? thư viện ở đâu ạ") == (
        "giá ktx bao nhiêu?",
        "thư viện ở đâu ạ",
    )
    assert understanding.parts("chào ad, giá ktx bao nhiêu?") == ("chào ad, giá ktx bao nhiêu?",)
