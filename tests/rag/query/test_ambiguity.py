"""A question too general for one answer is told from one that is answered, and from one that nobody wrote about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import ValidationError

from rag.index.lexical import TextIndex
from rag.query.ambiguity import AmbiguityKind, AmbiguityRule, ambiguity_options, judge_ambiguity, passage_key
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, Candidate, FaqEntry, Passage
from school.reading import Reading

SUBJECTS = ["thủy sản", "chăn nuôi", "cơ khí", "kiến trúc", "báo chí", "dược liệu", "lâm nghiệp", "hải quan"]
TEXTS = [
    f"Ngành {subject} đào tạo kỹ sư, có học bổng và cơ hội việc làm cho sinh viên của trường."
    for subject in SUBJECTS
]
COLLECTION = TextIndex.build(TEXTS)


def asked(text: str) -> Reading:
    return Reading(text=text, normalized=text, asked=text)


def found(scores: list[float], context: tuple[str, ...] = ()) -> list[Candidate]:
    """A candidate for each score, each of another article."""
    return [
        Candidate(
            DOCUMENT_SOURCE,
            Passage(str(row), TEXTS[row % 8], f"d{row}", "", "", parent=f"a{row}", context=context),
            score,
            {"dense": score, "lexical": score},
        )
        for row, score in enumerate(scores)
    ]


FLAT = found([1.0, 0.98, 0.97, 0.97, 0.96, 0.95, 0.95, 0.94])
PEAKED = found([1.0, 0.3, 0.25, 0.2, 0.2, 0.1, 0.1, 0.1])


def kind(question: str, candidates: list[Candidate]) -> AmbiguityKind:
    return judge_ambiguity(asked(question), candidates, COLLECTION, COLLECTION).kind


def test_a_general_question_that_everything_matches_is_too_broad() -> None:
    assert kind("Trường có những cơ hội gì cho sinh viên?", FLAT) is AmbiguityKind.TOO_BROAD


def test_what_is_left_unnamed_is_told() -> None:
    ambiguity = judge_ambiguity(asked("Ngành này có cơ hội việc làm gì?"), FLAT, COLLECTION, COLLECTION)
    assert ambiguity.kind is AmbiguityKind.UNDERSPECIFIED
    assert ambiguity.missing == ("ngành",)
    assert 0.5 < ambiguity.score <= 1


def test_one_passage_that_stands_out_is_an_answer() -> None:
    assert kind("Trường có những cơ hội gì cho sinh viên?", PEAKED) is AmbiguityKind.NONE


@pytest.mark.parametrize(
    ("text", "pointing"),
    [
        ("Ngành này có đảm bảo việc làm không?", True),
        ("Quy định này có hiệu lực từ khi nào?", False),
        ("Ngành báo chí có đảm bảo việc làm không?", False),
    ],
)
def test_what_points_at_a_value_that_nobody_named_is_underspecified_whatever_stands_out(
    text: str, pointing: bool
) -> None:
    ambiguity = judge_ambiguity(asked(text), PEAKED, COLLECTION, COLLECTION, values=("ngành", "khóa"))

    assert ambiguity.pointing is pointing
    assert (ambiguity.kind is AmbiguityKind.UNDERSPECIFIED) is pointing
    assert judge_ambiguity(asked(text), PEAKED, COLLECTION, COLLECTION).kind is AmbiguityKind.NONE


def test_a_particular_question_is_not_broad() -> None:
    assert kind("Ngành kiến trúc công trình biển học mấy năm?", FLAT) is AmbiguityKind.NONE


def test_a_question_about_what_nobody_wrote_about_is_not_broad() -> None:
    assert kind("Sinh viên nuôi mèo trong phòng trọ bị phạt thế nào?", FLAT) is AmbiguityKind.NONE


def test_clauses_of_one_article_are_one_thing_to_mean() -> None:
    same = [
        Candidate(c.source, Passage(c.item.id, "Điều 1", "d", "", "", parent="one"), c.score, c.scores)
        for c in FLAT
    ]
    assert kind("Trường có những cơ hội gì cho sinh viên?", same) is AmbiguityKind.NONE


def test_nothing_found_is_not_broad() -> None:
    assert kind("Trường có những cơ hội gì?", []) is AmbiguityKind.NONE


def test_each_signal_moves_the_score_its_way() -> None:
    def score(question: str, candidates: list[Candidate]) -> float:
        return judge_ambiguity(asked(question), candidates, COLLECTION, COLLECTION).score

    assert score("Ngành có cơ hội gì?", FLAT) > score("Ngành có cơ hội gì?", PEAKED)
    assert score("Ngành có cơ hội gì?", FLAT) > score("Ngành kiến trúc có cơ hội gì?", FLAT)
    assert score("Trường có báo chí?", FLAT) > score("Trường có báo dược?", FLAT)


def test_typed_bare_it_is_as_broad() -> None:
    assert kind("truong co nhung co hoi gi cho sinh vien", FLAT) is AmbiguityKind.TOO_BROAD


def test_the_threshold_is_the_rules() -> None:
    never = AmbiguityRule(bias=0, particular=0, spread=0, absent=0, threshold=0.51)
    always = never.model_copy(update={"threshold": 0.5})
    question = asked("Trường có gì?")
    assert judge_ambiguity(question, FLAT, COLLECTION, COLLECTION, never).kind is AmbiguityKind.NONE
    assert judge_ambiguity(question, FLAT, COLLECTION, COLLECTION, always).kind is not AmbiguityKind.NONE


def test_a_threshold_is_a_probability() -> None:
    with pytest.raises(ValidationError):
        AmbiguityRule(bias=0, particular=0, spread=0, absent=0, threshold=1.2)


def test_options_are_entries_first_then_passages_each_article_once() -> None:
    entry = FaqEntry("f", "Học bổng có những loại nào?", (), "Ba loại.", "tuition")
    again = Candidate(DOCUMENT_SOURCE, Passage("9", "Khác", "d0", "", "", parent="a0"), 0.5, {})
    options = ambiguity_options([*FLAT[:2], again], [Candidate(FAQ_SOURCE, entry, 0.6)], 5)
    assert [dict(option.payload) for option in options] == [
        {"faq": "f"},
        *({"passage": passage_key(candidate.item)} for candidate in FLAT[:2]),
    ]
    assert len(ambiguity_options(FLAT, [], 5)) == 5


def test_an_entry_on_a_crisis_is_no_meaning_of_a_broad_question() -> None:
    entry = FaqEntry("f", "Mình không muốn sống nữa?", (), "Gọi 115.", "services", never_offered=True)
    options = ambiguity_options(FLAT[:2], [Candidate(FAQ_SOURCE, entry, 0.6)], 5)

    assert all("passage" in option.payload for option in options)


def test_articles_that_no_student_asks_for_stand_last() -> None:
    formal = found([1.0], ("QUY ĐỊNH VỀ HỌC BỔNG", "Điều 1. Phạm vi và đối tượng"))
    options = ambiguity_options([*formal, *found([0, 1.0, 0.9])[1:]], [], 5)

    assert len(options) == 3
    assert dict(options[-1].payload) == {"passage": passage_key(formal[0].item)}  # type: ignore[arg-type]


def test_a_passage_that_says_something_else_is_another_one() -> None:
    passage = FLAT[0].item
    assert isinstance(passage, Passage)

    assert passage_key(passage) == passage_key(replace(passage, title="Khác"))
    assert passage_key(passage) != passage_key(replace(passage, text="Khác."))


def test_one_thing_to_mean_is_no_choice() -> None:
    assert ambiguity_options(FLAT[:1], [], 5) == ()


@pytest.mark.parametrize("typed", ["mất phí khi đóng học phí trễ", "mat phi khi dong hoc phi"])
def test_everyday_words_are_as_particular_as_those_of_regulations(typed: str) -> None:
    texts = [*TEXTS, "Lệ phí khi nộp học phí muộn."]
    index = TextIndex.build(texts)

    def signals(question: str) -> dict[str, float]:
        return dict(judge_ambiguity(asked(question), FLAT, index, index).signals)

    assert signals(typed)["absent"] == 0
    meant = "lệ phí khi nộp học phí muộn" if "trễ" in typed else "le phi khi nop hoc phi"
    assert signals(typed)["particular"] == signals(meant)["particular"]
