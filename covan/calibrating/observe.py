"""Observations: the engine's proposal for each labelled question, and whether it is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from rag.errors import Problem, QuestionsError, wrong_fields
from rag.types import DecisionKind, Question, Reason, Reply

MOST_SHOWN = 400
"""Characters of an answer that are kept to look at."""


class LabelledQuestion(Protocol):
    """A question that knows which reply to it is right: `covan.evaluation.labels.Labelled`."""

    @property
    def id(self) -> str: ...
    @property
    def question(self) -> Question: ...
    @property
    def label(self) -> str: ...
    def judge(self, reply: Reply) -> bool: ...


class Observation(BaseModel):
    """One labelled question and the engine's reply to it with an open gate.

    `source` is None when the engine asks back or has no answer even then. `right` tells whether there is an answer and
    it is right; an answer instead of a refusal or a question back is wrong. `topic` is the engine's topic of the
    question, `expected` the labelled decision.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    question: str
    expected: str
    topic: str | None
    source: str | None
    right: bool
    confidence: float
    signals: dict[str, float]
    reasons: tuple[Reason, ...]
    answer: str = ""
    cited_at: str = ""


def observe(labelled: LabelledQuestion, propose: Callable[[Question], Reply]) -> Observation:
    """Ask the engine what it would say with an open gate (`Engine.propose`), and judge it."""
    reply = propose(labelled.question)
    answered = reply.decision.kind is DecisionKind.ANSWER
    cited = reply.citations[0] if reply.citations else None
    return Observation(
        id=labelled.id,
        question=labelled.question.text,
        expected=labelled.label,
        topic=reply.topic,
        source=reply.source if answered else None,
        right=answered and labelled.judge(reply),
        confidence=reply.confidence,
        signals=dict(reply.trace.signals),
        reasons=reply.decision.reasons,
        answer=reply.text[:MOST_SHOWN],
        cited_at=" · ".join(filter(None, (cited.title, cited.locator))) if cited else reply.answer_id or "",
    )


def write_observations(path: Path, observations: Iterable[Observation]) -> None:
    """Write one JSON object a line; make the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(o.model_dump_json() + "\n" for o in observations), encoding="utf-8")


def read_observations(paths: Sequence[Path]) -> list[Observation]:
    """Return the observations in the files, one after another. Raises QuestionsError naming every line that is none."""
    problems, observations = [], []
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            problems.append(Problem(str(path), f"cannot be read: {error}"))
            continue
        for number, line in enumerate(lines, 1):
            try:
                observations.append(Observation.model_validate_json(line))
            except ValidationError as error:
                problems.append(Problem(str(path), wrong_fields(error), number))
    if problems:
        raise QuestionsError(problems)
    return observations
