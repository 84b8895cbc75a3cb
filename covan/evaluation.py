"""Judging replies against labelled questions: which decision, and whether the answer rests on the right source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, median, quantiles

from rag.types import DecisionKind, Reply


@dataclass(frozen=True, slots=True)
class Judged:
    """One question with what was expected of it and what came.

    `expected` is the decision that was wanted; `sources` are the ids of entries or documents that answer, for a
    clarification the dimensions that may be asked for. `seconds` and `embed_seconds` are wall-clock times.
    """

    id: str
    question: str
    topic: str
    expected: DecisionKind
    sources: frozenset[str]
    reply: Reply
    seconds: float
    embed_seconds: float

    @property
    def right(self) -> bool:
        """Whether a student would have been served: the right decision, from a right source."""
        decision = self.reply.decision
        if decision.kind is not self.expected:
            return False
        if decision.kind is DecisionKind.ANSWER:
            given = {self.reply.answer_id, *(c.document_id for c in self.reply.citations)}
            return bool(given & self.sources)
        if decision.kind is DecisionKind.CLARIFY and decision.missing:
            return bool(self.sources & set(decision.missing))
        return True

    @property
    def harmful(self) -> bool:
        """Whether something wrong was said: the worst that can happen."""
        return self.reply.decision.kind is DecisionKind.ANSWER and not self.right


def measures(judged: Sequence[Judged]) -> dict[str, float]:
    """The figures of a suite by name; shares are in 0..1, `latency_ratio` is in units of one question embedding."""
    figures = {"accuracy": _share(item.right for item in judged)}
    for kind in DecisionKind:
        wanted = [item for item in judged if item.expected is kind]
        if wanted:
            figures[f"{kind.value}.right"] = _share(item.right for item in wanted)
    answered = [item for item in judged if item.reply.decision.kind is DecisionKind.ANSWER]
    figures["answered"] = _share(item.reply.decision.kind is DecisionKind.ANSWER for item in judged)
    figures["answered.right"] = _share(item.right for item in answered)
    embedded = [item for item in judged if item.embed_seconds > 0]
    if len(embedded) > 1:
        one = median(item.embed_seconds for item in embedded)
        figures["latency_ratio.p50"] = median(item.seconds for item in embedded) / one
        figures["latency_ratio.p95"] = quantiles((item.seconds for item in embedded), n=20)[-1] / one
    return figures


def by_topic(judged: Iterable[Judged]) -> dict[str, tuple[int, float]]:
    """For each topic how many questions it has and which share of them is right."""
    topics: dict[str, list[bool]] = {}
    for item in judged:
        topics.setdefault(item.topic or "-", []).append(item.right)
    return {topic: (len(rights), mean(rights)) for topic, rights in sorted(topics.items())}


def _share(flags: Iterable[bool]) -> float:
    counted = list(flags)
    return mean(counted) if counted else 0.0
