"""Judged questions for tests, each with its label and its reply."""

from __future__ import annotations

from covan.batch import Row
from covan.evaluation.judged import Judged
from covan.evaluation.labels import LabelKind, Labelled
from rag.types import FAQ_SOURCE, Citation, Decision, DecisionKind, Question, Reason, Reply, Trace
from school.dimensions import Profile

ANSWER, CLARIFY, NO_ANSWER = DecisionKind.ANSWER, DecisionKind.CLARIFY, DecisionKind.NO_ANSWER

NOBODY = Profile()


def labelled(
    expected: DecisionKind,
    sources: str = "",
    *,
    id: str = "1",
    text: str = "Gì?",
    topic: str = "study",
    profile: Profile = NOBODY,
) -> Labelled:
    row = Row(id, Question(text, profile=profile), {"topic": topic})
    return Labelled(row, LabelKind.DECISION, expected.value, expected, frozenset(sources.split()))


def reply(
    got: DecisionKind,
    *,
    text: str = "",
    answer_id: str | None = None,
    cited: str | None = None,
    missing: tuple[str, ...] = (),
    reasons: tuple[Reason, ...] = (),
    source: str = FAQ_SOURCE,
    confidence: float = 0.5,
    embed: float = 0.01,
) -> Reply:
    return Reply(
        decision=Decision(got, reasons, missing),
        source=source,
        text=text,
        citations=(Citation(cited, f"Title of {cited}", "Điều 1", "quoted"),) if cited else (),
        options=(),
        confidence=confidence,
        trace=Trace("", "covan", "1", stages_ms={"embed": 1000 * embed}),
        answer_id=answer_id,
    )


def judged(question: Labelled, came: Reply, seconds: float = 0.02, ranking: tuple[str, ...] = ()) -> Judged:
    return Judged(question, came, question.judge(came), seconds, ranking)
