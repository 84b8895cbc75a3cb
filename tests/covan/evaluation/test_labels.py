"""Labelled questions are read from three kinds of CSV, and a reply is right when a student would have been served."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelled_replies import ANSWER, CLARIFY, NO_ANSWER, labelled, reply

from covan.evaluation.labels import LabelKind, Labelled, read_labelled
from rag.errors import QuestionsError
from rag.types import DecisionKind, Reply


def read(tmp_path: Path, content: str, kind: LabelKind | None = None) -> list[Labelled]:
    path = tmp_path / "q.csv"
    path.write_text(content, encoding="utf-8")
    return read_labelled(path, kind)


@pytest.mark.parametrize(
    ("question", "came", "right"),
    [
        (labelled(ANSWER, "faq-1 doc"), reply(ANSWER, answer_id="faq-1"), True),
        (labelled(ANSWER, "faq-1 doc"), reply(ANSWER, answer_id="x", cited="doc"), True),
        (labelled(ANSWER, "faq-1 doc"), reply(ANSWER, answer_id="faq-2", cited="other"), False),
        (labelled(ANSWER, "faq-1"), reply(NO_ANSWER), False),
        (labelled(ANSWER, "faq-1"), reply(CLARIFY), False),
        (labelled(NO_ANSWER), reply(NO_ANSWER), True),
        (labelled(NO_ANSWER), reply(ANSWER, answer_id="faq-1"), False),
        (labelled(CLARIFY, "cohort"), reply(CLARIFY, missing=("cohort",)), True),
        (labelled(CLARIFY, "cohort"), reply(CLARIFY, missing=("program",)), False),
        (labelled(CLARIFY, "cohort program"), reply(CLARIFY, missing=("program",)), True),
        (labelled(CLARIFY, "cohort"), reply(CLARIFY), True),
        (labelled(CLARIFY), reply(CLARIFY, missing=("cohort",)), True),
        (labelled(CLARIFY, "cohort"), reply(ANSWER, answer_id="faq-1"), False),
    ],
)
def test_right_is_the_decision_from_a_right_source(question: Labelled, came: Reply, right: bool) -> None:
    assert question.judge(came) is right


def test_the_columns_tell_the_kind(tmp_path: Path) -> None:
    (decided,) = read(tmp_path, "id,question,decision,source,topic\n1,Gì?,clarify,cohort| major,study\n")
    (referred,) = read(tmp_path, "id,question,answer,scope\n1,Gì?,Là đây.,in_scope\n")
    (ranked,) = read(tmp_path, "id,question,passage_id,answer,scope\n1,Gì?,p7,Là đây.,in_scope\n")

    assert (decided.kind, decided.expected) == (LabelKind.DECISION, CLARIFY)
    assert (decided.sources, decided.topic) == ({"cohort", "major"}, "study")
    assert (referred.kind, referred.label, referred.expected) == (LabelKind.REFERENCE, "in_scope", ANSWER)
    assert (ranked.kind, ranked.expected, ranked.sources) == (LabelKind.RANKING, ANSWER, {"p7"})


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("in_scope", ANSWER),
        ("answerable", ANSWER),
        ("out_of_scope", NO_ANSWER),
        ("unanswerable", NO_ANSWER),
        ("ambiguous", CLARIFY),
    ],
)
def test_a_scope_stands_for_a_decision(tmp_path: Path, scope: str, expected: DecisionKind) -> None:
    (item,) = read(tmp_path, f"id,question,answer,scope\n1,Gì?,Một hai ba.,{scope}\n")

    assert item.expected is expected
    for kind in DecisionKind:
        assert item.judge(reply(kind, text="Một hai ba.")) is (kind is expected)


def test_an_answer_in_scope_must_say_the_reference(tmp_path: Path) -> None:
    (item,) = read(tmp_path, "id,question,answer,scope\n1,Gì?,Nộp tại phòng A1.,in_scope\n")

    assert item.judge(reply(ANSWER, text="Sinh viên nộp tại phòng A1."))
    assert not item.judge(reply(ANSWER, text="Hỏi cố vấn học tập.", answer_id="1"))


def test_without_scope_questions_are_ambiguous_only_when_that_is_said(tmp_path: Path) -> None:
    content = "id,question,info\n1,Ngành này học gì?,ngành\n"

    (item,) = read(tmp_path, content, LabelKind.REFERENCE)

    assert (item.label, item.expected) == ("ambiguous", CLARIFY)
    with pytest.raises(QuestionsError, match=r"decision .*passage_id .*scope"):
        read(tmp_path, content)


def test_a_ranked_question_is_right_when_its_document_is_cited(tmp_path: Path) -> None:
    (item,) = read(tmp_path, "id,question,passage_id\n1,Gì?,p7\n")

    assert item.judge(reply(ANSWER, cited="p7"))
    assert not item.judge(reply(ANSWER, cited="p8"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            "id,question,decision\na,Gì?,maybe\nb,Gì?,\nc,Gì?,answer\n",
            ["question a", "'maybe'", "question b"],
        ),
        ("id,question,scope,answer\na,Gì?,somewhere,x\nb,Gì?,in_scope,\n", ["question a", "question b"]),
        ("id,question,passage_id\na,Gì?,\n", ["question a"]),
    ],
)
def test_every_bad_label_is_told(tmp_path: Path, content: str, told: list[str]) -> None:
    with pytest.raises(QuestionsError) as caught:
        read(tmp_path, content)

    for words in told:
        assert words in str(caught.value)
    assert "question c" not in str(caught.value)


def test_a_kind_that_the_columns_cannot_bear_is_told(tmp_path: Path) -> None:
    with pytest.raises(QuestionsError, match="passage_id"):
        read(tmp_path, "id,question,decision\n1,Gì?,answer\n", LabelKind.RANKING)
