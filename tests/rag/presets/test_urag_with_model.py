"""URAG with a language model, tier by tier: each call is seen by a scripted server (arXiv:2501.16276, algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from chat_model import Says, Script, scripted_model
from dialled_school import QUESTION, Asker
from model_access import access_to
from worded_documents import passages_sent

from rag.pipeline import load_pipeline
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, MODEL_SOURCE, DecisionKind, Reason, Reply

GIVEN = "Hồ bơi số 1 mở cửa lúc 1 giờ sáng cho mọi sinh viên của trường [1]."
GENERAL = "Bạn nên hỏi trực tiếp phòng ban phụ trách."
WARNING = "Trường chưa công bố điều này"


@dataclass(frozen=True)
class Answered:
    """A reply, with the calls of its trace by purpose and outcome, and what the server was sent."""

    reply: Reply
    calls: list[tuple[str, str]]
    sent: list[dict[str, object]]


Answers = Callable[..., Answered]


@pytest.fixture
def answers(asker: Asker, tmp_path: Path) -> Answers:
    """Ask at one cosine of the entry and the clauses on the pool, with a script for the model."""

    def make(cosine: float, script: Script | str, *, fallback: bool = False) -> Answered:
        with scripted_model(script) as server:
            model = access_to(server, tmp_path / "model", fallback=fallback)
            ask = asker(load_pipeline("urag"), model=model)
            reply = ask({"hồ bơi": cosine})
            calls = [(call.purpose, call.outcome) for call in reply.trace.model_calls]
            return Answered(reply, calls, [dict(body) for body in server.sent])

    return make


@pytest.mark.parametrize("fallback", [False, True])
@pytest.mark.parametrize("cosine", [0.9, 0.95])
def test_the_first_tier_gives_the_entry_word_for_word_and_calls_no_model(
    answers: Answers, cosine: float, fallback: bool
) -> None:
    found = answers(cosine, "nothing should ask for this", fallback=fallback)

    assert (found.reply.source, found.reply.text, found.reply.curated) == (FAQ_SOURCE, "Lúc 6 giờ.", True)
    assert (found.calls, found.sent) == ([], [])


@pytest.mark.parametrize("cosine", [0.8999, 0.85, 0.8])
def test_the_second_tier_takes_one_call_with_the_two_nearest_passages(
    answers: Answers, cosine: float
) -> None:
    found = answers(cosine, [Says(GIVEN)])

    rule = load_pipeline("urag").generation
    assert rule is not None
    assert found.calls == [("answer", "ok")]
    (body,) = found.sent
    assert (body["max_tokens"], body["temperature"]) == (rule.max_tokens, 0.0)
    assert not {"tools", "response_format"} & set(body)
    assert len(passages_sent(body)) == 2
    assert all("Hồ bơi" in text for text in passages_sent(body))
    assert QUESTION in str(body["messages"])
    assert (found.reply.decision.kind, found.reply.source) == (DecisionKind.ANSWER, DOCUMENT_SOURCE)
    assert found.reply.text.startswith("Hồ bơi số 1 mở cửa lúc 1 giờ sáng")
    assert "máy viết lại" in found.reply.text
    assert len(found.reply.citations) == 1


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        (Says("KHÔNG CÓ"), "ok"),
        (Says("Hồ bơi số 1 mở cửa lúc 9 giờ tối [1]."), "ok"),
        (Says(status=500), "refused"),
    ],
    ids=["abstains", "invents", "fails"],
)
def test_the_second_tier_never_falls_through_to_the_third(answers: Answers, says: Says, outcome: str) -> None:
    """Documents were near enough: their extract answers, and the model is not asked to answer alone."""
    found = answers(0.85, [says], fallback=True)

    assert [purpose for purpose, _ in found.calls] == ["answer"]
    assert found.calls[0][1] == outcome
    assert (found.reply.decision.kind, found.reply.source) == (DecisionKind.ANSWER, DOCUMENT_SOURCE)
    assert len(found.reply.citations) == 2
    assert WARNING not in found.reply.text


def test_without_the_setting_the_third_tier_is_no_answer_and_no_call(answers: Answers) -> None:
    found = answers(0.7999, GENERAL)

    assert found.reply.decision.kind is DecisionKind.NO_ANSWER
    assert found.reply.decision.reasons == (Reason.SIMILARITY_LOW,)
    assert (found.calls, found.sent) == ([], [])


@pytest.mark.parametrize("cosine", [0.7999, 0.0])
def test_with_the_setting_the_third_tier_is_the_model_alone_under_a_warning(
    answers: Answers, cosine: float
) -> None:
    found = answers(cosine, [Says(GENERAL)], fallback=True)

    assert found.calls == [("fallback", "ok")]
    (body,) = found.sent
    assert passages_sent(body) == []
    assert QUESTION in str(body["messages"])
    assert (found.reply.decision.kind, found.reply.source) == (DecisionKind.ANSWER, MODEL_SOURCE)
    assert (found.reply.citations, found.reply.confidence) == ((), 0.0)
    assert found.reply.text.startswith(GENERAL)
    assert WARNING in found.reply.text


@pytest.mark.parametrize("says", [Says("KHÔNG CÓ"), Says("Học phí là 5 triệu đồng."), Says(status=500)])
def test_a_third_tier_that_abstains_details_or_fails_is_no_answer(answers: Answers, says: Says) -> None:
    found = answers(0.5, [says], fallback=True)

    assert [purpose for purpose, _ in found.calls] == ["fallback"]
    assert found.reply.decision.kind is DecisionKind.NO_ANSWER
    assert found.reply.text == ""
