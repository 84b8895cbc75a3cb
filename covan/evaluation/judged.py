"""A labelled question with its reply, and the kind of mistake of that reply."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter

from covan.evaluation.labels import Labelled
from rag.engine import Engine
from rag.types import DecisionKind, Reply


class Mistake(StrEnum):
    """Kinds of mistakes, the most harmful first."""

    WRONG_ANSWER = "wrong_answer"
    ANSWERED_UNCOVERED = "answered_uncovered"
    ANSWERED_UNCLEAR = "answered_unclear"
    ASKED_WRONGLY = "asked_wrongly"
    NOT_ANSWERED = "not_answered"
    ASKED_BACK = "asked_back"
    NOT_ASKED_BACK = "not_asked_back"
    NOT_REFUSED = "not_refused"


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled question, its reply and whether that is right.

    `seconds` is wall-clock time of the reply. `ranking` are the ids of the documents found, best first; empty where
    nobody has labelled which is relevant.
    """

    labelled: Labelled
    reply: Reply
    right: bool
    seconds: float
    ranking: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.labelled.id

    @property
    def decision(self) -> DecisionKind:
        return self.reply.decision.kind

    @property
    def answered(self) -> bool:
        return self.decision is DecisionKind.ANSWER

    @property
    def harmful(self) -> bool:
        """Whether the reply is a wrong answer, the worst mistake."""
        return self.answered and not self.right

    @property
    def embed_seconds(self) -> float:
        """Milliseconds of embedding the question; 0 when it was not embedded."""
        return self.reply.trace.stages_ms.get("embed", 0.0) / 1000

    @property
    def mistake(self) -> Mistake | None:
        return None if self.right else _MISTAKES[self.labelled.expected, self.decision]


def ask(engine: Engine, labelled: Labelled) -> Judged:
    """Ask one question whose profile is already resolved, and judge the reply."""
    start = perf_counter()
    reply = engine.reply(labelled.question)
    seconds = perf_counter() - start
    return Judged(labelled, reply, labelled.judge(reply), seconds)


_ANSWER, _CLARIFY, _NO_ANSWER = DecisionKind.ANSWER, DecisionKind.CLARIFY, DecisionKind.NO_ANSWER
_MISTAKES = {
    (_ANSWER, _ANSWER): Mistake.WRONG_ANSWER,
    (_ANSWER, _CLARIFY): Mistake.ASKED_BACK,
    (_ANSWER, _NO_ANSWER): Mistake.NOT_ANSWERED,
    (_CLARIFY, _ANSWER): Mistake.ANSWERED_UNCLEAR,
    (_CLARIFY, _CLARIFY): Mistake.ASKED_WRONGLY,
    (_CLARIFY, _NO_ANSWER): Mistake.NOT_ASKED_BACK,
    (_NO_ANSWER, _ANSWER): Mistake.ANSWERED_UNCOVERED,
    (_NO_ANSWER, _CLARIFY): Mistake.NOT_REFUSED,
}
"""Mistakes by the right decision and the engine's. A right refusal is never a mistake."""
