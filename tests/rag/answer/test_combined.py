"""A message with several questions gets one reply."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag.answer.combined import combined_reply
from rag.types import FAQ_SOURCE, NO_SOURCE, Citation, Decision, DecisionKind, Reason, Reply, Trace

WHOLE = "Hạn nộp? Lệ phí?"


def citation(locator: str) -> Citation:
    return Citation("quy-che", "Quy chế", locator, "…")


def answer(question: str, text: str, *cited: Citation, answer_id: str = "", confidence: float = 0.9) -> Reply:
    return Reply(
        decision=Decision(DecisionKind.ANSWER, (Reason.CONDITIONS_HOLD,)),
        source=FAQ_SOURCE,
        text=text,
        citations=cited,
        options=(),
        confidence=confidence,
        trace=Trace(question, "covan", "1"),
        answer_id=answer_id or question,
        question=question,
    )


def unanswered(question: str, kind: DecisionKind, reason: Reason) -> Reply:
    return Reply(
        decision=Decision(kind, (reason,)),
        source=NO_SOURCE,
        text="",
        citations=(),
        options=(),
        confidence=0.0,
        trace=Trace(question, "covan", "1"),
        question=question,
    )


NOTHING = unanswered(WHOLE, DecisionKind.NO_ANSWER, Reason.SIMILARITY_LOW)


def test_each_question_stands_above_its_answer() -> None:
    said = combined_reply(NOTHING, [answer("Hạn nộp?", "Ngày 30."), answer("Lệ phí?", "50.000 đồng.")])

    assert said.decision.kind is DecisionKind.ANSWER
    assert said.text == "Hạn nộp?\nNgày 30.\n\nLệ phí?\n50.000 đồng."
    assert said.question == WHOLE
    assert [part.question for part in said.parts] == ["Hạn nộp?", "Lệ phí?"]


def test_it_is_as_sure_as_its_least_sure_answer() -> None:
    said = combined_reply(NOTHING, [answer("a?", "A.", confidence=0.9), answer("b?", "B.", confidence=0.6)])

    assert said.confidence == 0.6


def test_sources_are_those_of_all_answers_each_once() -> None:
    first, second = citation("Điều 1"), citation("Điều 2")
    said = combined_reply(NOTHING, [answer("a?", "A.", first), answer("b?", "B.", second, first)])

    assert said.citations == (first, second)


def test_what_is_not_answered_stays_a_part_and_is_not_in_the_text() -> None:
    asked = unanswered("Ngành nào?", DecisionKind.CLARIFY, Reason.TOO_BROAD)
    unknown = unanswered("Thời tiết?", DecisionKind.NO_ANSWER, Reason.SIMILARITY_LOW)
    said = combined_reply(NOTHING, [asked, answer("Lệ phí?", "50.000 đồng."), unknown])

    assert said.text == "Lệ phí?\n50.000 đồng."
    assert said.parts == (asked, answer("Lệ phí?", "50.000 đồng."), unknown)


def test_when_no_question_is_answered_the_message_is_taken_as_one() -> None:
    unknown = unanswered("Thời tiết?", DecisionKind.NO_ANSWER, Reason.SIMILARITY_LOW)

    assert combined_reply(NOTHING, [unknown, unknown]) is NOTHING


def test_one_answer_to_all_is_given_once() -> None:
    whole = answer(WHOLE, "Hạn nộp là ngày 30, lệ phí 50.000 đồng.", answer_id="fee")
    parts = [answer("Hạn nộp?", whole.text, answer_id="fee"), answer("Lệ phí?", whole.text, answer_id="fee")]

    assert combined_reply(whole, parts) is whole


def test_one_rule_with_two_results_gives_both() -> None:
    parts = [answer("Luật", "Đủ điểm.", answer_id="mark"), answer("Dược học", "Chưa đủ.", answer_id="mark")]

    said = combined_reply(replace(parts[0], question=WHOLE), parts)

    assert said.text == "Luật\nĐủ điểm.\n\nDược học\nChưa đủ."


@pytest.mark.parametrize("kind", [DecisionKind.CLARIFY, DecisionKind.NO_ANSWER])
def test_one_answer_to_all_is_given_though_the_message_as_a_whole_has_none(kind: DecisionKind) -> None:
    parts = [answer("Hạn nộp?", "Ngày 30.", answer_id="due"), answer("Mấy đợt?", "Ngày 30.", answer_id="due")]

    said = combined_reply(unanswered(WHOLE, kind, Reason.MARGIN_LOW), parts)

    assert (said.decision.kind, said.answer_id, said.question) == (DecisionKind.ANSWER, "due", WHOLE)
